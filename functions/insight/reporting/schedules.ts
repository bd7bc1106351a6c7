import { eachDueApart, eachDueInTurns } from '../../../src/http/scheduled.ts'
import type { JobRun, SystemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { confirmedAddresses } from '../../account/mails/api.ts'
import { delivering, making } from './contract-schedules.ts'
import { planDelivery, planPauseSchedule, planPayouts, planPeriod, planWithheld } from './plan-schedules.ts'
import {
  deliveryById,
  memberById,
  memberByUser,
  payoutsToReport,
  runById,
  runOfPeriod,
  scheduleById,
} from './store.ts'

/** The payouts of one publish. */
const payoutsMax = 10

/** Scheduled: makes the run of each period that is over, and of each payout. */
export const runSchedules = (run: JobRun): Promise<void> => eachDueInTurns(run, 'report_schedules', makeNext)

/** Makes what is due next and answers whether more may be. What another run made meanwhile is refused by its version. */
async function makeNext(call: SystemCall, id: string): Promise<boolean> {
  const [[schedule]] = await call.read(making, scheduleById({ id }))
  if (!schedule?.dueAt || schedule.dueAt > call.now) return false
  const clock = clockOf(call.now)
  const author = memberByUser({ userId: schedule.createdByUserId })
  if (schedule.every === 'payout') {
    const [[member], payouts] = await call.read(making, author, payoutsToReport(schedule, payoutsMax))
    const isLeft = member?.status !== 'active'
    const isAll = payouts.length < payoutsMax
    await call.publish(
      making,
      isLeft ? planPauseSchedule(schedule, clock) : planPayouts(schedule, payouts, isAll, clock),
    )
    return !isLeft && !isAll
  }
  const made = { scheduleId: id, periodFrom: schedule.nextFrom, periodTo: schedule.nextTo }
  const [[member], before] = await call.read(making, author, runOfPeriod(made))
  const isLeft = member?.status !== 'active'
  await call.publish(
    making,
    isLeft ? planPauseSchedule(schedule, clock) : planPeriod(schedule, before.length > 0, clock),
  )
  return !isLeft
}

/** Scheduled: writes the mail of each member who gets a link to a run. */
export const mailReports = (run: JobRun): Promise<void> =>
  eachDueApart(run, 'report_deliveries', async ({ read, publish, services, now }, id) => {
    const [[delivery]] = await read(delivering, deliveryById({ id }))
    if (delivery?.status !== 'waiting') return
    const [[report], [member]] = await read(
      delivering,
      runById({ id: delivery.runId }),
      memberById({ id: delivery.memberId }),
    )
    const gone =
      report?.status !== 'succeeded' ? 'file_removed' : member?.status !== 'active' ? 'member_left' : null
    const clock = clockOf(now)
    if (gone !== null) return void (await publish(delivering, planWithheld(delivery, gone, clock)))
    const [[[schedule]], confirmed] = await Promise.all([
      read(delivering, scheduleById({ id: report!.scheduleId })),
      confirmedAddresses(services.settings, [member!.userId]),
    ])
    if (delivery.endedAt !== null || !schedule?.recipients.includes(delivery.memberId))
      return void (await publish(delivering, planWithheld(delivery, 'unnamed', clock)))
    const to = confirmed.get(member!.userId)
    const { current: secretVersion } = services.settings.authSecrets
    await publish(
      delivering,
      to
        ? planDelivery(delivery, { run: report!, name: schedule.name, to, secretVersion }, clock)
        : planWithheld(delivery, 'address_unconfirmed', clock),
    )
  })
