import { syncRefusals, syncRuns } from '../../../drizzle/schema/sync.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Write } from '../../../src/kernel/plan.ts'
import type { RecordResult } from './plan-records.ts'
import { presentRun } from './present.ts'
import type { RunRow } from './store.ts'

export const aboutRun = ({ id }: RunRow) => ({ type: 'sync_run', id })

/** A run as it becomes; with an event where its status changes. */
export function runChange(run: RunRow, set: Partial<RunRow>, { now, newId }: Clock) {
  const after = { ...run, ...set, version: run.version + 1, updatedAt: now }
  const shown = presentRun(after)
  return {
    writes: [change(syncRuns, run, { ...set, updatedAt: now })],
    events:
      after.status === run.status
        ? []
        : [event(newId(), `sync_run.${after.status}`, aboutRun(run), shown, presentRun(run))],
    after,
  }
}

/** What a slice refused, kept for a run that reads no file. `before`: how many records its slices had before this one. */
export function refusalWrites(
  run: Pick<RunRow, 'id' | 'sourceId'>,
  { slice, before }: { readonly slice: number; readonly before: number },
  results: readonly RecordResult[],
  { now, newId }: Clock,
): readonly Write[] {
  const records = results.flatMap(({ externalId, fault }, at) =>
    fault
      ? [
          {
            row: before + at + 1,
            externalId,
            code: fault.code,
            param: fault.param ?? null,
            message: fault.message ?? null,
          },
        ]
      : [],
  )
  if (records.length === 0) return []
  const { id: runId, sourceId } = run
  return [
    insert(syncRefusals, {
      id: newId(),
      sourceId,
      runId,
      slice,
      records,
      version: 1,
      createdAt: now,
      updatedAt: now,
    }),
  ]
}

export const isOver = ({ finishedAt }: RunRow) => finishedAt !== null

/** What ends a run. */
export const over = (now: Date) => ({ cursor: null, nextCheckAt: null, finishedAt: now })

export const cancelOf = (run: RunRow, clock: Clock) =>
  runChange(run, { ...over(clock.now), status: 'canceled' }, clock)

export const pauseOf = (run: RunRow, clock: Clock) =>
  runChange(run, { status: 'paused', nextCheckAt: null }, clock)

export const resumeOf = (run: RunRow, clock: Clock) =>
  runChange(run, { status: 'queued', nextCheckAt: clock.now }, clock)
