import type * as z from 'zod'
import { stripeConnections } from '../../../drizzle/schema/stripe-connections.ts'
import type { SyncFailure } from '../../../drizzle/schema/sync.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-stripe.ts'
import type { Beginning } from './kinds.ts'
import { planChange } from './plan.ts'
import { type Found, type Incoming, planRecords, refusalOf } from './plan-records.ts'
import { planStart } from './plan-runs.ts'
import { presentConnection } from './present-stripe.ts'
import { refusalWrites } from './run-changes.ts'
import type { RunRow, SourceRow } from './store.ts'
import type { ConnectionRow } from './stripe/store.ts'

/** A source with its account, as they were read. */
export interface Connected {
  readonly source: SourceRow
  readonly connection: ConnectionRow | undefined
  readonly open: RunRow | undefined
}

/** Secrets as their row keeps them. */
export interface Encrypted {
  readonly apiKey?: string
  readonly webhookSecret?: string
}

type Asked = z.output<NonNullable<typeof contracts.set.body>>

/** Sets an account's secrets; a source that was not read yet, or is in error, begins to read. No event has a secret. */
export function planConnect(
  { source, connection: before, open }: Connected,
  { api_key: apiKey, webhook_secret: webhookSecret }: Asked,
  encrypted: Encrypted,
  { baseUrl, beginning, ...clock }: Clock & { readonly baseUrl: string; readonly beginning: Beginning },
) {
  const closed = refusalOf(source)
  if (closed) return closed
  if (source.kind !== 'stripe') return refuse('sync_source_not_stripe')
  if (!before && apiKey === undefined) return refuse('stripe_not_connected', { param: 'api_key' })
  const { now, newId } = clock
  const isFollowed = source.status === 'active'
  const shown = {
    ...(apiKey === undefined ? {} : { apiKeyLast4: apiKey.slice(-4) }),
    ...(webhookSecret === undefined ? {} : { webhookSecretLast4: webhookSecret.slice(-4) }),
  }
  const row: ConnectionRow = before
    ? { ...before, ...shown, updatedAt: now }
    : {
        id: source.id,
        apiKeyLast4: '',
        webhookSecretLast4: null,
        lastEventId: null,
        lastEventAt: null,
        nextCheckAt: isFollowed ? now : null,
        version: 1,
        createdAt: now,
        updatedAt: now,
        ...shown,
      }
  // One that was paused and resumed before it had a key is active.
  const begins = apiKey !== undefined && (!before || !isFollowed) && !open
  const run = begins ? planStart(source, beginning, 'live', clock) : { writes: [], events: [] }
  const reply = presentConnection(row, baseUrl)
  return {
    writes: [
      before
        ? change(stripeConnections, before, {
            ...shown,
            ...encrypted,
            ...(isFollowed ? { nextCheckAt: now } : {}),
            updatedAt: now,
          })
        : insert(stripeConnections, { ...row, ...encrypted }),
      ...run.writes,
    ],
    events: [
      event(
        newId(),
        'sync_source.connection_updated',
        { type: 'sync_source', id: row.id },
        reply,
        before ? presentConnection(before, baseUrl) : {},
      ),
      ...run.events,
    ],
    reply,
    subjectId: source.id,
  } satisfies Plan<unknown>
}

/** From where events are read on. */
export const planReadFrom = (connection: ConnectionRow, lastEventId: string, lastEventAt: Date, now: Date) =>
  changed(connection, { lastEventId, lastEventAt, updatedAt: now })

export const planNextCheck = (connection: ConnectionRow, waitMs: number, { now }: Clock) =>
  changed(connection, { nextCheckAt: later(now, waitMs) })

const later = (now: Date, ms: number) => new Date(now.getTime() + ms)

const changed = (connection: ConnectionRow, set: Partial<ConnectionRow>) => ({
  writes: [change(stripeConnections, connection, set)],
  events: [],
  reply: {},
  subjectId: connection.id,
})

/** A page of events, as a run of its own, with the place from which to read on. */
export function planEvents(
  { connection, ...found }: Found & { readonly connection: ConnectionRow },
  incoming: readonly Incoming[],
  { waitMs, ...read }: Pick<ConnectionRow, 'lastEventId' | 'lastEventAt'> & { readonly waitMs: number },
  clock: Clock,
) {
  const next = changed(connection, { ...read, nextCheckAt: later(clock.now, waitMs), updatedAt: clock.now })
  if (incoming.length === 0) return next
  const { writes, events, reply } = planRecords(found, incoming, 'live', clock)
  const run = { id: reply.run.id, sourceId: found.source.id }
  const refused = refusalWrites(run, { slice: 0, before: 0 }, reply.results, clock)
  return { ...next, writes: [...next.writes, ...writes, ...refused], events }
}

/** Events were lost: all customers are read again, unless they just are. */
export function planPullAnew(
  { source, connection, open }: Connected & { readonly connection: ConnectionRow },
  beginning: Beginning,
  clock: Clock,
) {
  const next = changed(connection, {
    lastEventId: null,
    lastEventAt: null,
    nextCheckAt: later(clock.now, 600_000),
  })
  const run = open ? { writes: [], events: [] } : planStart(source, beginning, 'live', clock)
  return { ...next, writes: [...next.writes, ...run.writes], events: run.events }
}

/** The account cannot be read any more. */
export const planFailed = (source: SourceRow, failure: SyncFailure, clock: Clock) => ({
  ...planChange(source, { status: 'error', failure }, 'sync_source.failed', clock),
  reply: {},
  subjectId: source.id,
})
