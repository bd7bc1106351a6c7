import { operation } from '../../src/http/operation.ts'
import { sha256Hex } from '../../src/platform/crypto.ts'
import * as contracts from './contract.ts'
import { planCreate } from './plan.ts'
import { presentWorkspace, type WorkspaceRow } from './present.ts'
import { claimWorkspace, ownerOf, type RegisterSql } from './store.ts'

export function workspaceOperations(registerOf: (settings: unknown) => RegisterSql) {
  const create = operation(
    contracts.create,
    async ({ body: { name, tenant_id }, settings, session, publish, fail, now, idempotencyKey }) => {
      const owner = await session()
      // A new id is derived from the customer and the key: a retry asks for the same workspace.
      const tenantId =
        tenant_id ?? `tn_${(await sha256Hex(`workspace:${owner.userId}:${idempotencyKey}`)).slice(0, 32)}`
      const register = registerOf(settings)
      const ownerId = tenant_id
        ? await ownerOf(register, tenantId)
        : await claimWorkspace(register, tenantId, name, owner.userId)
      if (ownerId !== owner.userId) return fail('workspace_not_found')
      return publish(planCreate({ tenantId, name, environment: settings.environment, owner, now }), tenantId)
    },
  )

  const list = operation(contracts.list, async ({ settings: { environment }, services, session }) => {
    const { userId } = await session()
    const found = await services.db.call('door.workspaces_of(text)', [userId])
    const rows = JSON.parse(found ?? '[]') as WorkspaceRow[]
    const data = rows.map((row) => presentWorkspace(row, environment))
    return { object: 'list' as const, data, has_more: false, next_cursor: '' }
  })

  return [create, list]
}
