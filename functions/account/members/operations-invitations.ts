import type { Settings } from '../../../src/env/settings.ts'
import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import type { Services } from '../../../src/http/services.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { mailOfToken } from '../mails/api.ts'
import * as contracts from './contract-invitations.ts'
import { planAccept, planDue, planInvite, planResend, planRevoke } from './plan-invitations.ts'
import { presentInvitation } from './present.ts'
import { invitationById, invitationsPage, inviterOf, memberByUser, membersByEmail, owners } from './store.ts'

const moment = ({ now, newId, settings }: { now: Date; newId: () => string; settings: Settings }) => ({
  now,
  newId,
  secretVersion: settings.authSecrets.current,
})

/** Has the mail sent that was published. */
export function mailed<Reply>({ sendMails }: Services, reply: Reply): Reply {
  sendMails()
  return reply
}

const create = operation(
  contracts.create,
  async (call) => {
    const [[sameAddress, found], inviter] = await Promise.all([
      call.readAll(membersByEmail({ email: call.body.email }), owners({})),
      call.session(),
    ])
    const plan = planInvite(call.body, { sameAddress, inviter, owners: found }, moment(call))
    return mailed(call.services, await call.publish(plan))
  },
  ({ body: { email, role } }) => ({ email, role }),
)

const list = listOperation(contracts.list, invitationsPage, presentInvitation)
const get = getOperation(contracts.get, ({ id }) => invitationById({ id }), presentInvitation)

const revoke = changeOperation(contracts.revoke, invitationById, planRevoke)

const resend = operation(contracts.resend, async (call) => {
  const [[invitation], [inviter]] = await call.readAll(invitationById(call.params), inviterOf(call.params))
  if (!invitation) return call.fail('invitation_not_found')
  return mailed(call.services, await call.publish(planResend(invitation, inviter, moment(call))))
})

export const accept = operation(contracts.accept, async (call) => {
  const { params, body, settings } = call
  const id = await mailOfToken(settings.authSecrets, 'workspace_invitation', body.token)
  if (id !== params.id) return call.fail('invitation_not_found')
  const customer = await call.session()
  // The membership first: one that this invitation makes in between is then seen as an invitation already accepted.
  const [[former], [invitation]] = await call.readAll(
    memberByUser({ userId: customer.userId }),
    invitationById({ id }),
  )
  if (!invitation) return call.fail('invitation_not_found')
  return mailed(call.services, await call.publish(planAccept(invitation, former, customer, call)))
})

/** Scheduled: invitations expire, and addresses of those that are over are forgotten. */
export const expireInvitations = (run: JobRun): Promise<void> =>
  eachDue(run, 'invitations', async ({ read, publish, now }, id) => {
    const [[invitation]] = await read(contracts.expire, invitationById({ id }))
    const plan = invitation && planDue(invitation, { now, newId: () => uuidv7(now.getTime()) })
    if (plan) await publish(contracts.expire, plan)
  })

export const invitationOperations = [create, list, get, revoke, resend, accept]
