import type * as z from 'zod'
import { type SyncFailure, syncSources } from '../../../drizzle/schema/sync.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { removalOf } from './plan-files.ts'
import { presentSource } from './present.ts'
import { cancelOf, pauseOf, resumeOf } from './run-changes.ts'
import type { FileRow, RunRow, SourceRow } from './store.ts'

const about = ({ id }: SourceRow) => ({ type: 'sync_source', id })

export function planCreate(
  { kind, name }: z.output<NonNullable<typeof contracts.create.body>>,
  { now, newId }: Clock,
) {
  const row: SourceRow = {
    id: newId(),
    kind,
    name,
    status: 'created',
    failure: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const reply = presentSource(row)
  return {
    writes: [insert(syncSources, row)],
    events: [event(newId(), 'sync_source.created', about(row), reply)],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}

export const planPause = (source: SourceRow, open: RunRow | undefined, clock: Clock) =>
  source.status === 'disconnected'
    ? refuse('sync_source_disconnected')
    : source.status === 'paused'
      ? refuse('sync_source_paused')
      : withRun(
          planChange(source, { status: 'paused' }, 'sync_source.paused', clock),
          open && pauseOf(open, clock),
        )

export const planResume = (source: SourceRow, open: RunRow | undefined, clock: Clock) =>
  source.status === 'disconnected'
    ? refuse('sync_source_disconnected')
    : source.status === 'paused'
      ? withRun(
          planChange(source, { status: 'active' }, 'sync_source.resumed', clock),
          open && resumeOf(open, clock),
        )
      : refuse('sync_source_not_paused')

export const planDisconnect = (
  source: SourceRow,
  open: RunRow | undefined,
  clock: Clock,
  files: readonly FileRow[],
) =>
  source.status === 'disconnected'
    ? refuse('sync_source_disconnected')
    : withRun(
        planChange(source, { status: 'disconnected' }, 'sync_source.disconnected', clock),
        open && cancelOf(open, clock),
        removalOf(files, clock.now),
      )

/** Part of a plan. */
export type Change = Pick<Plan<unknown>, 'writes' | 'events'>

/** A source's plan, with what happens to its open run. */
const withRun = <Reply>(
  plan: Plan<Reply>,
  run: Change = { writes: [], events: [] },
  more: readonly Write[] = [],
): Plan<Reply> => ({
  ...plan,
  writes: [...plan.writes, ...run.writes, ...more],
  events: [...plan.events, ...run.events],
})

export function planChange(
  source: SourceRow,
  { status, failure = null }: { status: SourceRow['status']; failure?: SyncFailure | null },
  type: EventType,
  { now, newId }: Clock,
) {
  const set = { status, failure, updatedAt: now }
  const after = presentSource({ ...source, ...set, version: source.version + 1 })
  return {
    writes: [change(syncSources, source, set)],
    events: [event(newId(), type, about(source), after, presentSource(source))],
    reply: after,
  } satisfies Plan<unknown>
}
