import type * as z from 'zod'
import { syncSources } from '../../drizzle/schema/sync.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { EventType } from '../../src/kernel/event-types.ts'
import { event } from '../../src/kernel/events.ts'
import { change, insert, type Plan, refuse } from '../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { presentSource } from './present.ts'
import type { SourceRow } from './store.ts'

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

export const planPause = (source: SourceRow, clock: Clock) =>
  source.status === 'disconnected'
    ? refuse('sync_source_disconnected')
    : source.status === 'paused'
      ? refuse('sync_source_paused')
      : planChange(source, 'paused', 'sync_source.paused', clock)

export const planResume = (source: SourceRow, clock: Clock) =>
  source.status === 'disconnected'
    ? refuse('sync_source_disconnected')
    : source.status === 'paused'
      ? planChange(source, 'active', 'sync_source.resumed', clock)
      : refuse('sync_source_not_paused')

export const planDisconnect = (source: SourceRow, clock: Clock) =>
  source.status === 'disconnected'
    ? refuse('sync_source_disconnected')
    : planChange(source, 'disconnected', 'sync_source.disconnected', clock)

export function planChange(
  source: SourceRow,
  status: SourceRow['status'],
  type: EventType,
  { now, newId }: Clock,
) {
  const after = presentSource({ ...source, status, version: source.version + 1, updatedAt: now })
  return {
    writes: [change(syncSources, source, { status, updatedAt: now })],
    events: [event(newId(), type, about(source), after, presentSource(source))],
    reply: after,
  } satisfies Plan<unknown>
}
