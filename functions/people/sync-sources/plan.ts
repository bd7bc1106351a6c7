import { type SyncFailure, syncSources } from '../../../drizzle/schema/sync.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { removalOf } from './plan-files.ts'
import { presentSource } from './present.ts'
import { cancelOf, pauseOf, resumeOf } from './run-changes.ts'
import type { FileRow, RunRow, SourceRow } from './store.ts'

const { created, changed } = changesOf(syncSources, 'sync_source', presentSource)

export const planCreate = ({ kind, name }: BodyOf<typeof contracts.create>, clock: Clock) =>
  created({ ...newRow(clock), kind, name, status: 'created', failure: null }, 'sync_source.created', clock)

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

export const planChange = (
  source: SourceRow,
  { status, failure = null }: { status: SourceRow['status']; failure?: SyncFailure | null },
  type: Parameters<typeof changed>[2],
  clock: Clock,
) => changed(source, { status, failure }, type, clock)
