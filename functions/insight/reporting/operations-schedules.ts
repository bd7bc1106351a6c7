import type { Call } from '../../../src/http/operation.ts'
import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { confirmedAddresses } from '../../account/mails/api.ts'
import * as contracts from './contract-schedules.ts'
import {
  planCreateSchedule,
  planDeleteSchedule,
  planResumeSchedule,
  planUpdateSchedule,
} from './plan-schedules.ts'
import { presentSchedule } from './present.ts'
import { type MemberRow, membersNamed, scheduleById, schedulesPage } from './store.ts'

const param = 'recipients'
const named = (recipients: readonly string[]) => membersNamed({ ids: `{${recipients.join()}}` })

/** Refuses a recipient who is no member, and one whose address nobody has confirmed. */
async function checked(
  { fail, settings }: Pick<Call<unknown, unknown, unknown, unknown>, 'fail' | 'settings'>,
  recipients: readonly string[],
  members: readonly MemberRow[],
) {
  const stranger = recipients.findIndex((each) => members.every(({ id }) => id !== each))
  if (stranger >= 0) fail('member_not_found', { param: `${param}.${stranger}` })
  if (members.length === 0) return
  const confirmed = await confirmedAddresses(
    settings,
    members.map(({ userId }) => userId),
  )
  const unconfirmed = recipients.findIndex((each) =>
    members.some(({ id, userId }) => id === each && !confirmed.has(userId)),
  )
  if (unconfirmed >= 0) fail('report_recipient_unconfirmed', { param: `${param}.${unconfirmed}` })
}

const create = operation(contracts.create, async (call) => {
  const { recipients } = call.body
  const [members, author] = await Promise.all([call.read(named(recipients)), call.session()])
  await checked(call, recipients, members)
  return call.publish(planCreateSchedule(call.body, author, call))
})

const update = operation(contracts.update, async (call) => {
  const { recipients } = call.body
  const [[[schedule], members], author] = await Promise.all([
    call.readAll(scheduleById(call.params), named(recipients)),
    call.session(),
  ])
  if (!schedule) return call.fail('report_schedule_not_found')
  await checked(call, recipients, members)
  return call.publish(planUpdateSchedule(schedule, call.body, author, call))
})

const resume = operation(contracts.resume, async (call) => {
  const [[schedule], author] = await Promise.all([call.read(scheduleById(call.params)), call.session()])
  if (!schedule) return call.fail('report_schedule_not_found')
  return call.publish(planResumeSchedule(schedule, author, call))
})

export const scheduleOperations = [
  create,
  listOperation(contracts.list, schedulesPage, presentSchedule),
  getOperation(contracts.get, ({ id }) => scheduleById({ id }), presentSchedule),
  update,
  resume,
  changeOperation(contracts.remove, ({ id }) => scheduleById({ id }), planDeleteSchedule),
]
