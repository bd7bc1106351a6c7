import { reportDeliveries, reportRuns, reportSchedules } from '../../../drizzle/schema/reporting.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { mailTo } from '../../account/mails/api-pure.ts'
import type * as contracts from './contract-schedules.ts'
import { dayIn, type Period, periodAfter, periodOn } from './periods.ts'
import { newRun } from './plan.ts'
import { paused, schedules } from './plan-outcome.ts'
import type { DeliveryRow, NewPayout, RunRow, ScheduleRow } from './store.ts'

interface Author {
  readonly userId: string
  readonly email: string
}

const by = ({ userId, email }: Author) => ({ createdByUserId: userId, createdByEmail: email })
const next = (period: Period | null) => ({ nextFrom: period?.from ?? null, nextTo: period?.to ?? null })

function asked(body: BodyOf<typeof contracts.create>) {
  const { name, type, format, amounts, time_zone: timeZone, every, weekday = null, recipients } = body
  return { name, type, format, amounts, timeZone, every, weekday, recipients }
}

/** The database fills in when it is due. */
const undue = { dueAt: null, nextCheckAt: null }

/** From the period that is not over yet; with each payout, from the payouts of now on. */
const begun = (schedule: Pick<ScheduleRow, 'every' | 'weekday' | 'timeZone'>, now: Date) => ({
  ...next(periodOn(schedule, dayIn(schedule.timeZone, now))),
  ...undue,
  payoutsSince: now,
})

const active = { status: 'active', pausedFor: null, failuresCount: 0 } as const

export function planCreateSchedule(body: BodyOf<typeof contracts.create>, author: Author, clock: Clock) {
  const set = asked(body)
  const row = { ...newRow(clock), ...set, ...by(author), ...active, ...begun(set, clock.now) }
  return schedules.created(row, 'report_schedule.created', clock)
}

export function planUpdateSchedule(
  schedule: ScheduleRow,
  body: BodyOf<typeof contracts.update>,
  author: Author,
  clock: Clock,
) {
  if (schedule.status === 'deleted') return refuse('report_schedule_deleted')
  const set = asked(body)
  const isSame =
    schedule.status === 'active' &&
    schedule.every === set.every &&
    schedule.weekday === set.weekday &&
    schedule.timeZone === set.timeZone
  // What is due has no run yet: it is made first, then what begins.
  const isKept =
    schedule.status === 'active' &&
    (set.every === 'payout'
      ? schedule.every === 'payout'
      : schedule.every !== 'payout' && schedule.dueAt! <= clock.now)
  return schedules.changed(
    schedule,
    { ...set, ...by(author), ...active, ...(isSame || isKept ? {} : begun(set, clock.now)) },
    'report_schedule.updated',
    clock,
  )
}

export function planResumeSchedule(schedule: ScheduleRow, author: Author, clock: Clock) {
  if (schedule.status === 'deleted') return refuse('report_schedule_deleted')
  if (schedule.status === 'active') return refuse('report_schedule_active')
  return schedules.changed(
    schedule,
    { ...by(author), ...active, ...begun(schedule, clock.now) },
    'report_schedule.resumed',
    clock,
  )
}

export const planDeleteSchedule = (schedule: ScheduleRow, clock: Clock) =>
  schedule.status === 'deleted'
    ? refuse('report_schedule_deleted')
    : schedules.changed(
        schedule,
        { status: 'deleted', pausedFor: null, recipients: [] },
        'report_schedule.deleted',
        clock,
      )

/** Its author has left: nobody stands for its mails. */
export const planPauseSchedule = (schedule: ScheduleRow, clock: Clock): Plan<null> => ({
  ...paused(schedule, { pausedFor: 'creator_left', failuresCount: schedule.failuresCount }, clock),
  reply: null,
  subjectId: schedule.id,
})

const runFor = (
  { id: scheduleId, type, timeZone, amounts, format }: ScheduleRow,
  period: Period,
  payoutId: string | null,
  clock: Clock,
) => insert(reportRuns, newRun({ type, timeZone, amounts, format, period, scheduleId, payoutId }, clock))

/** The run of the period that is over, unless there is one, and the next period. */
export function planPeriod(schedule: ScheduleRow, hasRun: boolean, clock: Clock): Plan<null> {
  const period = { from: schedule.nextFrom!, to: schedule.nextTo! }
  const set = next(periodAfter(schedule, period))
  return {
    writes: [
      ...(hasRun ? [] : [runFor(schedule, period, null, clock)]),
      change(reportSchedules, schedule, { ...set, updatedAt: clock.now }),
    ],
    events: [],
    reply: null,
    subjectId: schedule.id,
  }
}

/** A run for each of these payouts; `isAll`: until the next payout nothing is due. */
export const planPayouts = (
  schedule: ScheduleRow,
  payouts: readonly NewPayout[],
  isAll: boolean,
  clock: Clock,
): Plan<null> => ({
  writes: [
    ...payouts.map(({ id, day }) => runFor(schedule, { from: day, to: day }, id, clock)),
    change(reportSchedules, schedule, { ...(isAll ? undue : {}), updatedAt: clock.now }),
  ],
  events: [],
  reply: null,
  subjectId: schedule.id,
})

interface Mailed {
  readonly run: RunRow
  readonly name: string
  readonly to: { readonly email: string; readonly locale: 'es-MX' | 'en' }
  readonly secretVersion: string
}

/** The mail with the link, once. */
export const planDelivery = (delivery: DeliveryRow, mailed: Mailed, { now, newId }: Clock): Plan<null> => {
  const { run, name, to, secretVersion } = mailed
  const data = {
    name,
    report: run.type,
    from: run.periodFrom,
    to: run.periodTo,
    removes_at: run.removeAt!.toISOString(),
    link_id: delivery.id,
    secret_version: secretVersion,
  }
  return {
    writes: [
      change(reportDeliveries, delivery, { status: 'mailed', nextCheckAt: null, updatedAt: now }),
      mailTo({ id: newId(), kind: 'report_ready', recipient: to.email, locale: to.locale, data }, now),
    ],
    events: [],
    reply: null,
    subjectId: delivery.id,
  }
}

export const planWithheld = (
  delivery: DeliveryRow,
  withheldFor: NonNullable<DeliveryRow['withheldFor']>,
  { now }: Clock,
): Plan<null> => ({
  writes: [
    change(reportDeliveries, delivery, {
      status: 'withheld',
      withheldFor,
      nextCheckAt: null,
      updatedAt: now,
    }),
  ],
  events: [],
  reply: null,
  subjectId: delivery.id,
})
