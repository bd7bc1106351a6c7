import type * as z from 'zod'
import { memberships, tenants } from '../../drizzle/schema/tenants.ts'
import { operation } from '../../src/http/operation.ts'
import { insert } from '../../src/kernel/plan.ts'
import { sha256Hex } from '../../src/platform/crypto.ts'
import * as contracts from './contract.ts'

/** Plain SQL over the identity database, which keeps the register of workspaces of both environments. */
export type RegisterSql = (
  text: string,
  values: readonly unknown[],
) => Promise<readonly Record<string, unknown>[]>

type Workspace = z.output<typeof contracts.list.reply.schema>['data'][number]

const claimName = `
  with claimed as (
    insert into workspaces (tenant_id, name, owner_user_id) values ($1, $2, $3) on conflict (tenant_id) do nothing
    returning owner_user_id)
  select owner_user_id from claimed
  union all select owner_user_id from workspaces where tenant_id = $1`

const findOwner = 'select owner_user_id from workspaces where tenant_id = $1'

export function workspaceOperations(register: (settings: unknown) => RegisterSql) {
  const create = operation(
    contracts.create,
    async ({ body, settings, session, publish, fail, now, idempotencyKey }) => {
      const { userId, email } = await session()
      // A new id is derived from the customer and the key: a retry asks for the same workspace.
      const tenantId =
        body.tenant_id ?? `tn_${(await sha256Hex(`workspace:${userId}:${idempotencyKey}`)).slice(0, 32)}`
      const sql = register(settings)
      const [owner] = body.tenant_id
        ? await sql(findOwner, [tenantId])
        : await sql(claimName, [tenantId, body.name, userId])
      if (owner?.owner_user_id !== userId) return fail('workspace_not_found')
      return publish(
        {
          writes: [
            insert(tenants, { name: body.name, status: 'active', createdAt: now, updatedAt: now }),
            insert(memberships, {
              userId,
              email,
              role: 'owner',
              status: 'active',
              createdAt: now,
              updatedAt: now,
            }),
          ],
          events: [],
          reply: {
            object: 'workspace' as const,
            tenant_id: tenantId,
            name: body.name,
            status: 'active',
            environment: settings.environment,
            role: 'owner',
            created_at: now.toISOString(),
          },
          subjectId: tenantId,
        },
        tenantId,
      )
    },
  )

  const list = operation(contracts.list, async ({ settings, services, session }) => {
    const { userId } = await session()
    const found = await services.db.call('door.workspaces_of(text)', [userId])
    const rows = JSON.parse(found ?? '[]') as Omit<Workspace, 'object' | 'environment'>[]
    const data = rows.map((row) => ({
      object: 'workspace' as const,
      ...row,
      environment: settings.environment,
      created_at: new Date(row.created_at).toISOString(),
    }))
    return { object: 'list' as const, data, has_more: false, next_cursor: '' }
  })

  return [create, list]
}
