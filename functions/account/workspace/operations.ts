import { operation } from '../../../src/http/operation.ts'
import { Problem } from '../../../src/http/problems.ts'
import type { Services } from '../../../src/http/services.ts'
import { workspaceId } from '../../../src/kernel/ids.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { sha256Hex } from '../../../src/platform/crypto.ts'
import * as contracts from './contract.ts'
import { planCreate, planUpdate } from './plan.ts'
import { planChangeDetails } from './plan-details.ts'
import { planGoLive } from './plan-status.ts'
import { presentTenant, presentWorkspace } from './present.ts'
import { type MemberRow, ownWorkspace, tenantOf } from './store.ts'

const create = operation(contracts.create, async (call) => {
  const { settings, session, publish, idempotencyKey } = call
  const { environment } = settings
  const { name, tenant_id } = call.body
  const owner = await session()
  const opening = (tenantId: string) => planCreate({ tenantId, name, environment, owner }, call)
  if (tenant_id === undefined) {
    // The new id is derived from the customer and the key: a retry asks for the same workspace, in this environment.
    const made = await sha256Hex(`workspace:${environment}:${owner.userId}:${idempotencyKey}`)
    const tenantId = workspaceId(made)
    return publish(opening(tenantId), tenantId)
  }
  const isOwner = ({ tenant_id: id, role }: Owned) => id === tenant_id && role === 'owner'
  const [here, there] = await Promise.all([
    workspacesOf(call.services, owner),
    call.elsewhere(contracts.list.path) as Promise<{ readonly data: readonly Owned[] }>,
  ])
  // Refused by a publish, which finds the reply of a retry before.
  if (here.some(isOwner)) return publish(refuse('workspace_exists'), tenant_id)
  const unowned = {
    param: 'tenant_id',
    message: 'You own no workspace with this id in the other environment. Leave it out to open a new one.',
  }
  const plan = there.data.some(isOwner) ? opening(tenant_id) : refuse('parameter_invalid', unowned)
  return publish(plan, tenant_id).catch((error: unknown) => {
    // One that others own here is as missing as any.
    if (error instanceof Problem && error.code === 'workspace_not_found')
      return call.fail('parameter_invalid', unowned)
    throw error
  })
})

type Owned = Pick<MemberRow, 'tenant_id' | 'role'>

async function workspacesOf({ db }: Services, { userId }: { readonly userId: string }) {
  return JSON.parse((await db.call('door.workspaces_of(text)', [userId])) ?? '[]') as MemberRow[]
}

const list = operation(contracts.list, async ({ settings: { environment }, services, session }) => {
  const rows = await workspacesOf(services, await session())
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

const changeDetails = operation(
  contracts.changeDetails,
  async (call) => {
    const [[tenant], { email }] = await Promise.all([call.read(ownWorkspace()), call.session()])
    const { environment } = call.settings
    const { tenant_id: _, ...asked } = call.body
    return call.publish(planChangeDetails(tenant!, asked, { environment, email }, call))
  },
  ({ body }) => body,
)

export const operations = [create, list, get, update, changeDetails, goLive]
