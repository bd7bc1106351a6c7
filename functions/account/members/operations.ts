import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import * as contracts from './contract.ts'
import { invitationOperations, mailed } from './operations-invitations.ts'
import { planRemove, planRole } from './plan.ts'
import { presentMember } from './present.ts'
import { memberById, memberByUser, membersPage, owners } from './store.ts'

const list = listOperation(contracts.list, membersPage, presentMember)
const get = getOperation(contracts.get, ({ id }) => memberById({ id }), presentMember)

const changeRole = operation(
  contracts.changeRole,
  async (call) => {
    const [[[member], found], { userId }] = await Promise.all([
      call.readAll(memberById(call.params), owners({})),
      call.session(),
    ])
    if (!member) return call.publish(refuse('member_not_found'))
    return call.publish(planRole(member, call.body.role, { userId, owners: found }, call))
  },
  ({ params, body }) => ({ member_id: params.id, role: body.role }),
)

const remove = operation(
  contracts.remove,
  async (call) => {
    const [[[member], found], { userId, email: by }] = await Promise.all([
      call.readAll(memberById(call.params), owners({})),
      call.session(),
    ])
    if (!member) return call.publish(refuse('member_not_found'))
    return mailed(call.services, await call.publish(planRemove(member, { userId, by, owners: found }, call)))
  },
  ({ params }) => ({ member_id: params.id }),
)

const leave = operation(contracts.leave, async (call) => {
  const { userId, email: by } = await call.session()
  const [[member], found] = await call.readAll(memberByUser({ userId }), owners({}))
  if (member?.status !== 'active') return call.publish(refuse('workspace_not_found'))
  return mailed(call.services, await call.publish(planRemove(member, { userId, by, owners: found }, call)))
})

export const operations = [list, get, changeRole, remove, leave, ...invitationOperations]
