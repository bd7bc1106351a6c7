import { syncRuns } from '../../drizzle/schema/sync.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { event } from '../../src/kernel/events.ts'
import { change } from '../../src/kernel/plan.ts'
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

export const isOver = ({ finishedAt }: RunRow) => finishedAt !== null

/** What ends a run. */
export const over = (now: Date) => ({ cursor: null, nextCheckAt: null, finishedAt: now })

export const cancelOf = (run: RunRow, clock: Clock) =>
  runChange(run, { ...over(clock.now), status: 'canceled' }, clock)

export const pauseOf = (run: RunRow, clock: Clock) =>
  runChange(run, { status: 'paused', nextCheckAt: null }, clock)

export const resumeOf = (run: RunRow, clock: Clock) =>
  runChange(run, { status: 'queued', nextCheckAt: clock.now }, clock)
