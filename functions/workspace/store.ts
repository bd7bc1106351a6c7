/** Plain SQL over the identity database, which keeps the register of workspaces of both environments. */
export type RegisterSql = (
  text: string,
  values: readonly unknown[],
) => Promise<readonly Record<string, unknown>[]>

const claim = `
  with claimed as (
    insert into workspaces (tenant_id, name, owner_user_id) values ($1, $2, $3) on conflict (tenant_id) do nothing
    returning owner_user_id)
  select owner_user_id from claimed
  union all select owner_user_id from workspaces where tenant_id = $1`

/** Registers the workspace for the customer, unless it is registered. Returns its owner's id. */
export const claimWorkspace = async (register: RegisterSql, tenantId: string, name: string, userId: string) =>
  (await register(claim, [tenantId, name, userId]))[0]?.owner_user_id

/** The owner's id of a registered workspace. */
export const ownerOf = async (register: RegisterSql, tenantId: string) =>
  (await register('select owner_user_id from workspaces where tenant_id = $1', [tenantId]))[0]?.owner_user_id
