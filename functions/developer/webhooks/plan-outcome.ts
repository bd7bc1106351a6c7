import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../../drizzle/schema/webhooks.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, type EventDraft, insert, type Plan, type Write } from '../../../src/kernel/plan.ts'
import { noticeToOwners } from '../../account/mails/api-pure.ts'
import { aboutEndpoint, presentEndpoint } from './present.ts'
import type { DeliveryRow, EndpointRow } from './store.ts'

export type Failure = (typeof webhookAttempts.failure.enumValues)[number]

/** The result of one attempt. */
export interface SendResult {
  /** Null when the receiver took it. */
  readonly failure: Failure | null
  readonly responseStatus: number | null
  readonly responseBody: string | null
  /** The receiver's Retry-After, as it was sent. */
  readonly retryAfter: string | null
  readonly startedAt: Date
  readonly durationMs: number
}

/** What recording needs of a claimed delivery. */
export interface Sent {
  readonly id: string
  readonly version: number
  readonly attemptsCount: number
  readonly outcome: SendResult
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** How long after each attempt the next one follows; after the last there is none. The first is sent at once. */
export const scheduleMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]
const retryAfterMaxMs = 10 * hour
const jitterShare = 0.2

const degradedAfterMs = 12 * hour
const disabledAfterMs = 5 * 24 * hour

interface SpreadingClock extends Clock {
  /** Between 0 and 1: spreads the retries of deliveries that failed together. */
  readonly random: () => number
}

/**
 * The changes for attempts: to their deliveries and the endpoint's health. `endpoint` is absent when its health does
 * not change.
 */
export function planOutcome(
  sent: readonly Sent[],
  endpoint: EndpointRow | undefined,
  clock: SpreadingClock,
): Plan<{ retryAtMs: number | null }> {
  const { now, newId } = clock
  const moves = sent.map((each) => ({ each, set: afterAttempt(each, clock) }))
  const health = endpoint ? planHealth(endpoint, sent, clock) : nothing
  const retries = moves.flatMap(({ set }) => (set.nextAttemptAt ? [set.nextAttemptAt.getTime()] : []))
  return {
    writes: [
      ...health.writes,
      ...moves.map(({ each: { id, version }, set }) =>
        change(webhookDeliveries, { id, version, status: 'in_flight' }, { ...set, updatedAt: now }),
      ),
      insert(
        webhookAttempts,
        ...sent.map(({ id, attemptsCount, outcome }) => ({
          id: newId(),
          deliveryId: id,
          number: attemptsCount,
          failure: outcome.failure,
          responseStatus: outcome.responseStatus,
          responseBody: outcome.responseBody,
          durationMs: outcome.durationMs,
          createdAt: outcome.startedAt,
        })),
      ),
    ],
    events: health.events,
    reply: { retryAtMs: retries.length > 0 ? Math.max(...retries) : null },
  }
}

const nothing: { writes: Write[]; events: EventDraft[] } = { writes: [], events: [] }

function afterAttempt(
  { attemptsCount, outcome }: Sent,
  { now, random }: SpreadingClock,
): Partial<DeliveryRow> {
  const { failure, responseStatus } = outcome
  const over = { nextAttemptAt: null, responseStatus, finishedAt: now }
  if (failure === null) return { status: 'succeeded', ...over }
  const waitMs = scheduleMs[attemptsCount - 1]
  if (failure === 'gone' || waitMs === undefined) return { status: 'exhausted', ...over }
  const wantedMs = Math.min(retryAfterMs(outcome.retryAfter, now) ?? 0, retryAfterMaxMs)
  const afterMs = Math.max(waitMs * (1 + jitterShare * random()), wantedMs)
  return { status: 'retrying', nextAttemptAt: new Date(now.getTime() + afterMs), responseStatus }
}

/** RFC 9110: seconds, or a date. */
function retryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * second
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(at - now.getTime(), 0)
}

export type Health = Pick<EndpointRow, 'status'> & { readonly failingSince: Date | string | null }

/** True when these outcomes change an endpoint's health: then its row must be read and planned with. */
export const changesHealth = (endpoint: Health, sent: readonly Sent[], now: Date): boolean =>
  healthAfter(endpoint, sent, now) !== null

type Step =
  | { readonly kind: 'fail' }
  | { readonly kind: 'heal' }
  | { readonly kind: 'degrade' }
  | { readonly kind: 'disable'; readonly reason: 'gone' | 'failing' | 'secret' }

/** A success proves that the endpoint works; failures count from the first one after it. */
function healthAfter({ status, failingSince }: Health, sent: readonly Sent[], now: Date): Step | null {
  if (status !== 'enabled' && status !== 'degraded') return null
  for (const reason of ['gone', 'secret'] as const)
    if (sent.some(({ outcome }) => outcome.failure === reason)) return { kind: 'disable', reason }
  if (sent.some(({ outcome }) => outcome.failure === null))
    return failingSince === null && status === 'enabled' ? null : { kind: 'heal' }
  if (failingSince === null) return { kind: 'fail' }
  const failingMs = now.getTime() - new Date(failingSince).getTime()
  if (failingMs >= disabledAfterMs) return { kind: 'disable', reason: 'failing' }
  return failingMs >= degradedAfterMs && status === 'enabled' ? { kind: 'degrade' } : null
}

function planHealth(endpoint: EndpointRow, sent: readonly Sent[], { now, newId }: SpreadingClock) {
  const step = healthAfter(endpoint, sent, now)
  if (!step) return nothing
  const set = changeOf(endpoint, step, now)
  const moved = { ...endpoint, ...set, version: endpoint.version + 1, updatedAt: now }
  const writes = [change(webhookEndpoints, endpoint, { ...set, updatedAt: now })]
  if (moved.status === endpoint.status) return { writes, events: [] }
  const object = presentEndpoint(moved)
  const eventId = newId()
  const { url, disabledReason } = moved
  if (disabledReason)
    writes.push(
      noticeToOwners(
        eventId,
        'webhook_endpoint_disabled',
        { url, reason: disabledReason, at: now.toISOString() },
        now,
      ),
    )
  const draft = event(
    eventId,
    `webhook_endpoint.${moved.status}`,
    aboutEndpoint(endpoint.id),
    object,
    presentEndpoint(endpoint),
  )
  return { writes, events: [draft] }
}

function changeOf(endpoint: EndpointRow, step: Step, now: Date): Partial<EndpointRow> {
  switch (step.kind) {
    case 'fail':
      return { failingSince: now, status: endpoint.status }
    case 'heal':
      return { failingSince: null, status: 'enabled' }
    case 'degrade':
      return { status: 'degraded' }
    case 'disable':
      return { status: 'disabled', disabledReason: step.reason }
  }
}
