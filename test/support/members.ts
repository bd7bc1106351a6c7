import { randomUUID } from 'node:crypto'
import { linkToken } from '../../functions/account/mails/api.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import type { Json } from '../../src/kernel/json.ts'
import { type Customer, join, newCustomer, newEmail, newProof } from './customer.ts'
import { call, type Merchant, newMerchant } from './merchant.ts'
import { adminSql, stack } from './stack.ts'

const sql = adminSql('sandbox')

export type Role = 'owner' | 'admin' | 'member'
type Workspace = Pick<Merchant, 'tenantId' | 'environment'>

/** As if a customer had opened the link that confirms their address, and shown their factor a moment ago. */
export const confirmed = async (customer: Customer): Promise<Customer> => {
  await adminSql('identity')(
    `with f as (update sessions set factor_verified_at = now() where user_id = $1)
     update users set email_verified = true where id = $1`,
    [customer.userId],
  )
  return customer
}

export const newPerson = async () => confirmed(await newCustomer())

/** A workspace with members of these roles; where none is an owner, with one who never signs in. */
export async function workspaceOf(people: readonly Customer[], roles: readonly Role[]) {
  const merchant = await newMerchant()
  for (const [at, role] of roles.entries()) await join(people[at]!, merchant, role)
  if (roles.includes('owner'))
    await sql('delete from memberships where tenant_id = $1 and user_id = $2', [
      merchant.tenantId,
      merchant.ownerId,
    ])
  return merchant
}

export const membersOf = (tenantId: string) =>
  sql<{ id: string; user_id: string; role: Role; status: string }>(
    'select id, user_id, role, status from memberships where tenant_id = $1 order by created_at, id',
    [tenantId],
  )

export const memberIdOf = async (customer: Customer, { tenantId }: Workspace): Promise<string> =>
  (await membersOf(tenantId)).find(({ user_id }) => user_id === customer.userId)!.id

/** A member who never signs in. */
export async function addMember({ tenantId }: Workspace, role: Role = 'member'): Promise<string> {
  const id = uuidv7(Date.now())
  await sql(
    `insert into memberships (tenant_id, id, user_id, email, role, status, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'active', date_trunc('milliseconds', clock_timestamp()), now())`,
    [tenantId, id, randomUUID(), newEmail(), role],
  )
  return id
}

/** A pending invitation, as if the owner of the workspace had sent it. */
export async function addInvitation(
  { tenantId }: Workspace,
  { email = newEmail(), role = 'member' as Role } = {},
): Promise<string> {
  const id = uuidv7(Date.now())
  await sql(
    `insert into workspace_invitations (tenant_id, id, email, role, locale, status, invited_by, invited_by_email,
       sends_count, expires_at, created_at, updated_at)
     select $1, $2, $3, $4, 'en', 'pending', m.user_id, m.email, 1, now() + interval '7 days',
       date_trunc('milliseconds', clock_timestamp()), now()
     from memberships m where m.tenant_id = $1 and m.role = 'owner' order by m.created_at limit 1`,
    [tenantId, id, email, role],
  )
  return id
}

export const tokenOf = (id: string) =>
  linkToken({ current: '1', byVersion: JSON.parse(stack.sandbox.authSecrets) }, '1', {
    kind: 'workspace_invitation',
    id,
  })

interface Decision {
  readonly path: string
  readonly body?: Record<string, Json>
  /** The action of its proof, and what the proof covers. */
  readonly proof?: { readonly action: string; readonly params: Json }
  readonly key?: string
}

/** A decision of a member about their workspace, with its proof. */
export async function decide(
  by: Customer,
  workspace: Workspace,
  { path, body, proof, key = randomUUID() }: Decision,
) {
  const token = proof && (await newProof(by, workspace, { ...proof, key, scope: 'workspace:write' }))
  return call<Record<string, Json> & { error?: { code: string } }>('POST', path, {
    bearer: by.token,
    headers: { 'idempotency-key': key, ...(token && { 'x-sp-step-up-token': token }) },
    body: { tenant_id: workspace.tenantId, ...body },
  })
}

export const changeRole = (by: Customer, workspace: Workspace, id: string, role: Role) =>
  decide(by, workspace, {
    path: `/v1/workspace/members/${id}/role`,
    body: { role },
    proof: { action: 'member.role_change', params: { member_id: id, role } },
  })

export const remove = (by: Customer, workspace: Workspace, id: string) =>
  decide(by, workspace, {
    path: `/v1/workspace/members/${id}/remove`,
    proof: { action: 'member.remove', params: { member_id: id } },
  })

export const leave = (by: Customer, workspace: Workspace, key: string = randomUUID()) =>
  decide(by, workspace, { path: '/v1/workspace/leave', key })

export const invite = (by: Customer, workspace: Workspace, email: string, role: Role = 'member') =>
  decide(by, workspace, {
    path: '/v1/workspace/invitations',
    body: { email, role },
    proof: { action: 'invitation.create', params: { email: email.toLowerCase(), role } },
  })

export const accept = async (by: Customer, id: string, key: string = randomUUID(), token?: string) =>
  call<Record<string, Json> & { error?: { code: string } }>(
    'POST',
    `/v1/workspace-invitations/${id}/accept`,
    {
      bearer: by.token,
      headers: { 'idempotency-key': key },
      body: { token: token ?? (await tokenOf(id)) },
    },
  )
