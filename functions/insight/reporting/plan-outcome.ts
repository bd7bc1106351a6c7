import { reportDeliveries, reportSchedules } from '../../../drizzle/schema/reporting.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { change, insert, type Plan, type Write } from '../../../src/kernel/plan.ts'
import { noticeToOwners } from '../../account/mails/api-pure.ts'
import { presentSchedule } from './present.ts'
import type { RunRow, ScheduleRow } from './store.ts'

/** So many runs that fail one after the other pause their schedule. */
const failuresMax = 3

export const schedules = changesOf(reportSchedules, 'report_schedule', presentSchedule)

/** What pauses a schedule: its change, its event, and the notice to the owners. */
export function paused(
  schedule: ScheduleRow,
  set: Pick<ScheduleRow, 'failuresCount' | 'pausedFor'>,
  clock: Clock,
) {
  const plan = schedules.changed(schedule, { ...set, status: 'paused' }, 'report_schedule.paused', clock)
  const data = {
    name: schedule.name,
    report: schedule.type,
    reason: set.pausedFor!,
    at: clock.now.toISOString(),
  }
  const notice = noticeToOwners(plan.events[0]!.id, 'report_paused', data, clock.now)
  return { writes: [...plan.writes, notice], events: plan.events }
}

/** What the end of a run is to its schedule: mails to write, or one failure more. */
export function planOutcome(
  schedule: ScheduleRow,
  run: Pick<RunRow, 'id'>,
  succeeded: boolean,
  clock: Clock,
): Pick<Plan<null>, 'writes' | 'events'> {
  const { now } = clock
  if (succeeded) {
    const deliveries: Write[] = schedule.recipients.map((memberId) =>
      insert(reportDeliveries, {
        ...newRow(clock),
        runId: run.id,
        memberId,
        status: 'waiting',
        withheldFor: null,
        nextCheckAt: now,
        endedAt: null,
      }),
    )
    const reset =
      schedule.failuresCount > 0 && schedule.status === 'active'
        ? [change(reportSchedules, schedule, { failuresCount: 0, updatedAt: now })]
        : []
    return { writes: [...reset, ...deliveries], events: [] }
  }
  if (schedule.status !== 'active') return { writes: [], events: [] }
  const failuresCount = schedule.failuresCount + 1
  if (failuresCount >= failuresMax) return paused(schedule, { pausedFor: 'failures', failuresCount }, clock)
  return { writes: [change(reportSchedules, schedule, { failuresCount, updatedAt: now })], events: [] }
}
