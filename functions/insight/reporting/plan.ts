import { reportRuns } from '../../../drizzle/schema/reporting.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { nearest } from '../../../src/kernel/nearest.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { dayIn, type Period } from './periods.ts'
import { planOutcome } from './plan-outcome.ts'
import { presentRun } from './present.ts'
import type { FoundRow, Moved, RunRow, ScheduleRow } from './store.ts'
import { typeOf } from './types/index.ts'

const dayMs = 86_400_000
/**
 * A file is kept for this long; one with addresses, from when it was asked for, for less than an erasure waits: what it has was
 * read since then, so that none has an erased address.
 */
export const [keptMs, keptWithPersonsMs] = [30 * dayMs, 14 * dayMs]
/** A step that is under way is let alone for this long; then another run of the job takes it over. */
const leaseMs = 30_000
/** A Worker that read a run before its end may put a part later, while its invocation lasts: 15 minutes at most. */
const settledMs = 20 * 60_000
/** A run that is not over by then fails: well before the time of a file with addresses, so that none of its parts outlasts it. */
const abandonedMs = 7 * dayMs

type NewRun = Pick<RunRow, 'type' | 'timeZone' | 'amounts' | 'format' | 'scheduleId' | 'payoutId'> & {
  readonly period: Period
  readonly columns?: readonly string[]
}

const namesPersons = (type: RunRow['type'], names: readonly string[] = []) =>
  typeOf(type).columns.some(({ name, isPersonal }) => isPersonal && names.includes(name))

/** A run that the scheduled job begins. The database places its period and its transaction. */
export function newRun(
  { period, columns, ...asked }: NewRun,
  clock: Clock,
): Omit<RunRow, 'tenantId' | 'startsAt' | 'endsAt' | 'asOf' | 'bookedUntil' | 'mappingId'> {
  return {
    ...newRow(clock),
    ...asked,
    typeVersion: typeOf(asked.type).version,
    columns: columns ?? null,
    showsPersons: namesPersons(asked.type, columns),
    status: 'queued',
    periodFrom: period.from,
    periodTo: period.to,
    partsCount: 0,
    parts: [],
    rowsCount: 0,
    sums: {},
    place: null,
    opening: null,
    closing: null,
    fileDigest: null,
    failure: null,
    nextCheckAt: clock.now,
    finishedAt: null,
    removeAt: null,
  }
}

/** Names the column, and those that may be meant. */
function unknownColumn(type: RunRow['type'], known: readonly string[], at: number, name: string) {
  const meant = nearest(name, known, 3)
  const question = meant.length > 0 ? ` Did you mean ${meant.join(', ')}?` : ''
  return { param: `columns.${at}`, message: `${type} has no column ${name}.${question}` }
}

export function planCreate(asked: BodyOf<typeof contracts.create>, clock: Clock) {
  const { time_zone: timeZone, period, type, amounts, format, columns } = asked
  if (period.to > dayIn(timeZone, clock.now)) return refuse('report_time_ahead', { param: 'period.to' })
  const known = typeOf(type).columns.map(({ name }) => name)
  const at = columns?.findIndex((name) => !known.includes(name)) ?? -1
  if (at >= 0) return refuse('report_column_unknown', unknownColumn(type, known, at, columns![at]!))
  const shown = { type, timeZone, amounts, format, period, ...(columns && { columns }) }
  const run = newRun({ ...shown, scheduleId: null, payoutId: null }, clock)
  return {
    writes: [insert(reportRuns, run)],
    events: [],
    reply: presentRun(run as RunRow),
    subjectId: run.id,
    showsPersons: run.showsPersons,
  } satisfies Plan<unknown> & { readonly showsPersons: boolean }
}

/** Says in the audit trail who asks for the addresses of a run, or reads them. */
export const planNoted = (runId: string): Plan<null> => ({
  writes: [],
  events: [],
  reply: null,
  subjectId: runId,
})

const over = (now: Date) => ({ nextCheckAt: null, finishedAt: now })

const isOver = ({ finishedAt }: RunRow) => finishedAt !== null

function changed(run: RunRow, set: Partial<RunRow>, now: Date) {
  const after = { ...run, ...set, version: run.version + 1, updatedAt: now }
  return { after, write: change(reportRuns, run, { ...set, updatedAt: now }) }
}

export function planCancel(run: RunRow, { now }: Clock) {
  if (isOver(run)) return refuse('report_run_over')
  // What it has written is removed like the file of one that succeeded.
  const { after, write } = changed(run, { ...over(now), status: 'canceled', removeAt: now }, now)
  return { writes: [write], events: [], reply: presentRun(after), subjectId: run.id } satisfies Plan<unknown>
}

/** A run with one more part of its file. */
export function withPart(run: RunRow, rows: readonly FoundRow[]) {
  const { columns, sums: name } = typeOf(run.type)
  const [amountAt, currencyAt] = ['currency', name]
    .map((each) => columns.findIndex((column) => column.name === each))
    .toReversed() as [number, number]
  const sums: Record<string, string> = { ...run.sums }
  for (const { cells } of rows) {
    const currency = cells[currencyAt]!
    sums[currency] = String(BigInt(sums[currency] ?? 0) + BigInt(cells[amountAt]!))
  }
  const last = rows.at(-1)
  return {
    partsCount: run.partsCount + 1,
    rowsCount: run.rowsCount + rows.length,
    sums,
    place: last ? { at: last.createdAt.toISOString(), id: last.id } : run.place,
  }
}

/** A part as it was put. */
export interface Part {
  readonly rows: readonly FoundRow[]
  readonly name: string
}

const named = (run: RunRow, { rows, name }: Part) => ({ ...withPart(run, rows), parts: [...run.parts, name] })

/** More rows follow. */
export function planStep(run: RunRow, part: Part, { now }: Clock): Plan<null> {
  const nextCheckAt = new Date(now.getTime() + leaseMs)
  const { write } = changed(run, { ...named(run, part), status: 'running', nextCheckAt }, now)
  return { writes: [write], events: [], reply: null, subjectId: run.id }
}

/** Whether the rows of every currency are what its accounts moved by. */
export const isBalanced = (sums: RunRow['sums'], moved: readonly Moved[]): boolean =>
  Object.keys(sums).every((currency) => moved.some((each) => each.currency === currency)) &&
  moved.every(
    ({ currency, openingMinor, closingMinor }) => openingMinor + BigInt(sums[currency] ?? 0) === closingMinor,
  )

/** The last rows are written. A difference fails the run: it shows no remainder. */
export function planEnd(
  run: RunRow,
  last: Part,
  found: {
    readonly moved: readonly Moved[]
    readonly fileDigest: string
    readonly schedule: ScheduleRow | null
  },
  clock: Clock,
) {
  const { moved, fileDigest, schedule } = found
  const { now, newId } = clock
  const part = named(run, last)
  const by = (amount: (each: Moved) => bigint) =>
    Object.fromEntries(moved.map((each) => [each.currency, String(amount(each))]))
  const balances = {
    opening: by(({ openingMinor }) => openingMinor),
    closing: by(({ closingMinor }) => closingMinor),
  }
  // What is on no account of its own has no opening and no closing.
  const balanced = typeOf(run.type).accounts.length === 0 || isBalanced(part.sums, moved)
  const { after, write } = changed(
    run,
    balanced
      ? {
          ...part,
          ...balances,
          ...over(now),
          status: 'succeeded',
          fileDigest,
          removeAt: run.showsPersons
            ? new Date(run.createdAt.getTime() + keptWithPersonsMs)
            : new Date(now.getTime() + keptMs),
        }
      : { ...part, ...balances, ...over(now), status: 'failed', failure: 'report_unbalanced', removeAt: now },
    now,
  )
  const type = balanced ? 'report_run.succeeded' : 'report_run.failed'
  const about = { type: 'report_run', id: run.id } as const
  const outcome = schedule && planOutcome(schedule, run, balanced, clock)
  return {
    writes: [write, ...(outcome?.writes ?? [])],
    events: [event(newId(), type, about, presentRun(after), presentRun(run)), ...(outcome?.events ?? [])],
    reply: { balanced },
    subjectId: run.id,
  } satisfies Plan<unknown>
}

/** Whether its steps have failed for so long that no other is tried. */
export const isAbandoned = ({ createdAt }: Pick<RunRow, 'createdAt'>, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > abandonedMs

/** Ends a run whose steps do not come to an end. */
export function planAbandon(run: RunRow, schedule: ScheduleRow | null, clock: Clock) {
  const { now, newId } = clock
  const { after, write } = changed(
    run,
    { ...over(now), status: 'failed', failure: 'report_abandoned', removeAt: now },
    now,
  )
  const about = { type: 'report_run', id: run.id } as const
  const outcome = schedule && planOutcome(schedule, run, false, clock)
  return {
    writes: [write, ...(outcome?.writes ?? [])],
    events: [
      event(newId(), 'report_run.failed', about, presentRun(after), presentRun(run)),
      ...(outcome?.events ?? []),
    ],
    reply: null,
    subjectId: run.id,
  } satisfies Plan<unknown>
}

/** The file is removed, and once more where a Worker that is late may still put a part. */
export function planRemoved(run: RunRow, now: Date): Plan<null> {
  const expired = run.status === 'succeeded' ? { status: 'expired' as const } : {}
  const settledAt = new Date(run.finishedAt!.getTime() + settledMs)
  const { write } = changed(run, { ...expired, removeAt: settledAt > now ? settledAt : null }, now)
  return { writes: [write], events: [], reply: null, subjectId: run.id }
}
