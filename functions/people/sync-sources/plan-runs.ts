import { syncRuns, syncSources } from '../../../drizzle/schema/sync.ts'
import type { ProblemCode } from '../../../src/http/problems.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { expect, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type { Beginning, Slice } from './kinds.ts'
import { type Change, planChange } from './plan.ts'
import { activation, applyRecords, countsOf, endOf, type Found } from './plan-records.ts'
import { presentRun } from './present.ts'
import { aboutRun, cancelOf, isOver, over, refusalWrites, runChange } from './run-changes.ts'
import type { RunRow, SourceRow } from './store.ts'

/** A slice that is under way is let alone for this long; then another run of the job takes it over. */
const leaseMs = 30_000
const triesMax = 6

/** A new run, which the scheduled job begins. */
export function planStart(
  source: SourceRow,
  { cursor, total, fileId, writes = [] }: Beginning,
  mode: RunRow['mode'],
  clock: Clock,
) {
  const { now, newId } = clock
  const run: RunRow = {
    ...newRow(clock),
    sourceId: source.id,
    mode,
    status: 'queued',
    total: total ?? null,
    created: 0,
    updated: 0,
    skipped: 0,
    failed: 0,
    cursor,
    slicesCount: 0,
    progress: 0,
    fileId: fileId ?? null,
    triesCount: 0,
    failure: null,
    nextCheckAt: now,
    finishedAt: null,
  }
  const connecting =
    source.status === 'created' || source.status === 'error'
      ? planChange(source, { status: 'connecting' }, 'sync_source.connecting', clock)
      : { writes: [expect(syncSources, source.id, { status: source.status })], events: [] }
  const reply = presentRun(run)
  return {
    writes: [...connecting.writes, ...writes, insert(syncRuns, run)],
    events: [...connecting.events, event(newId(), 'sync_run.queued', aboutRun(run), reply)],
    reply,
    subjectId: source.id,
  } satisfies Plan<unknown>
}

export function planCancel(run: RunRow, clock: Clock) {
  if (isOver(run)) return refuse('sync_run_over')
  const { after, ...canceled } = cancelOf(run, clock)
  return { ...canceled, reply: presentRun(after), subjectId: run.id } satisfies Plan<unknown>
}

export interface FoundRun extends Found {
  readonly run: RunRow
}

/** A slice of a run: its records with the run's counts and cursor, so that no record counts twice. */
export function planSlice({ run, ...found }: FoundRun, slice: Slice, clock: Clock) {
  const { now } = clock
  const { source } = found
  const { results, writes, events } = applyRecords(found, slice.records, run.mode, clock)
  const counts = countsOf(results)
  const sums = {
    created: run.created + counts.created,
    updated: run.updated + counts.updated,
    skipped: run.skipped + counts.skipped,
    failed: run.failed + counts.failed,
  }
  const processed = sums.created + sums.updated + sums.skipped + sums.failed
  const next = runChange(
    run,
    {
      ...sums,
      total: slice.isDone ? processed : (slice.total ?? run.total),
      progress: slice.isDone ? 100 : (slice.progress ?? null),
      slicesCount: run.slicesCount + 1,
      triesCount: 0,
      failure: null,
      ...(slice.isDone
        ? { ...over(now), status: endOf(sums) }
        : { cursor: slice.cursor, status: 'running', nextCheckAt: later(now, leaseMs) }),
    },
    clock,
  )
  const activated = activation(source, clock)
  const at = { slice: run.slicesCount, before: run.created + run.updated + run.skipped + run.failed }
  const refused = run.fileId === null ? refusalWrites(run, at, results, clock) : []
  return {
    results,
    plan: {
      writes: [...activated.writes, ...writes, ...next.writes, ...refused],
      events: [...activated.events, ...events, ...next.events],
      reply: { isOver: slice.isDone },
      subjectId: run.id,
    } satisfies Plan<unknown>,
  }
}

const later = (now: Date, ms: number) => new Date(now.getTime() + ms)

export interface Failing {
  readonly code: ProblemCode
  readonly message: string
  readonly isFinal: boolean
  readonly retryAfterMs?: number
}

/** A slice that could not be had: it is tried again after 1, 2, 4 … minutes, and the run fails after the last try. */
export function planFailure(
  { source, run }: Pick<FoundRun, 'source' | 'run'>,
  { code, message, isFinal, retryAfterMs = 0 }: Failing,
  clock: Clock,
) {
  const triesCount = run.triesCount + 1
  const failure = { code, message }
  const fails = isFinal || triesCount >= triesMax
  const next = runChange(
    run,
    fails
      ? { ...over(clock.now), status: 'failed', triesCount, failure }
      : {
          triesCount,
          failure,
          nextCheckAt: later(clock.now, Math.max(60_000 * 2 ** (triesCount - 1), retryAfterMs)),
        },
    clock,
  )
  const broken: Change =
    fails && (source.status === 'connecting' || source.status === 'active')
      ? planChange(source, { status: 'error', failure }, 'sync_source.failed', clock)
      : { writes: [], events: [] }
  return {
    writes: [...broken.writes, ...next.writes],
    events: [...broken.events, ...next.events],
    reply: { isOver: true },
    subjectId: run.id,
  } satisfies Plan<unknown>
}
