import { type Operation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { sha256Hex } from '../../../src/platform/crypto.ts'
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

const leaving = operation(contracts.leave, async (call) => {
  const { userId, email: by } = await call.session()
  const [[member], found] = await call.readAll(memberByUser({ userId }), owners({}))
  if (member?.status !== 'active') return call.publish(refuse('workspace_not_found'))
  return mailed(call.services, await call.publish(planRemove(member, { userId, by, owners: found }, call)))
})

/** Who leaves is no part of the request: its Idempotency-Key is that person's own, since two members may choose one. */
const leave: Operation = {
  ...leaving,
  async run(input, request) {
    const { userId } = await request.session()
    const claim = request.claim!
    const keys = await Promise.all(claim.keys.map((key) => sha256Hex(key + userId)))
    return leaving.run(input, { ...request, claim: { ...claim, keys } })
  },
}

export const operations = [list, get, changeRole, remove, leave, ...invitationOperations]
