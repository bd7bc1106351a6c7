import { operation } from '../../src/http/operation.ts'
import { sha256Hex } from '../../src/platform/crypto.ts'
import * as contracts from './contract.ts'
import { planCreate, planUpdate } from './plan.ts'
import { planGoLive } from './plan-status.ts'
import { presentTenant, presentWorkspace } from './present.ts'
import { claimWorkspace, type MemberRow, ownerOf, ownWorkspace, type RegisterSql, tenantOf } from './store.ts'

export function workspaceOperations(registerOf: (settings: unknown) => RegisterSql) {
  const create = operation(contracts.create, async (call) => {
    const { settings, session, publish, fail, idempotencyKey } = call
    const { name, tenant_id } = call.body
    const owner = await session()
    // A new id is derived from the customer and the key: a retry asks for the same workspace.
    const tenantId =
      tenant_id ?? `tn_${(await sha256Hex(`workspace:${owner.userId}:${idempotencyKey}`)).slice(0, 32)}`
    const register = registerOf(settings)
    const ownerId = tenant_id
      ? await ownerOf(register, tenantId)
      : await claimWorkspace(register, tenantId, name, owner.userId)
    if (ownerId !== owner.userId) return fail('workspace_not_found')
    return publish(planCreate({ tenantId, name, environment: settings.environment, owner }, call), tenantId)
  })

  const list = operation(contracts.list, async ({ settings: { environment }, services, session }) => {
    const { userId } = await session()
    const found = await services.db.call('door.workspaces_of(text)', [userId])
    const rows = JSON.parse(found ?? '[]') as MemberRow[]
    const data = rows.map((row) => ({ ...presentTenant(tenantOf(row), environment), role: row.role }))
    return { object: 'list' as const, data, has_more: false, next_cursor: '' }
  })

  const get = operation(contracts.get, async (call) => {
    const [tenant] = await call.read(ownWorkspace())
    return presentWorkspace(tenant!, call.settings.environment)
  })

  const update = operation(contracts.update, async (call) => {
    const [tenant] = await call.read(ownWorkspace())
    return call.publish(planUpdate(tenant!, call.body, call.settings.environment, call))
  })

  const goLive = operation(
    contracts.goLive,
    async (call) => {
      const [[tenant], { emailVerified }] = await Promise.all([call.read(ownWorkspace()), call.session()])
      return call.publish(planGoLive(tenant!, emailVerified, call.settings.environment, call))
    },
    ({ body }) => ({ tenant_id: body.tenant_id }),
  )

  return { operations: [create, list, get, update, goLive] }
}
