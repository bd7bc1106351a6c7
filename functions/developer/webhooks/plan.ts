import {
  webhookDeliveries,
  webhookEndpoints,
  webhookRecoveries,
  webhookSecrets,
} from '../../../drizzle/schema/webhooks.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { previousSecretHours } from './contract.ts'
import { endpointLifecycle } from './lifecycle.ts'
import { aboutEndpoint, presentDelivery, presentEndpoint, presentRecovery } from './present.ts'
import type { DeliveryRow, EndpointRow, RecoveryRow, SecretRow } from './store.ts'

export const endpointsMax = 50
/** More rotations than this within a day end the oldest overlap early. */
const signingSecretsMax = 4
const windowMaxMs = 30 * 24 * 3_600_000

/** A secret that was just made: its plaintext goes into the first reply only. */
export interface Minted {
  readonly text: string
  readonly ciphertext: string
}

export interface NewEndpoint {
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly eventTypes: readonly string[]
}

const secretRow = (endpointId: string, { ciphertext }: Minted, { now, newId }: Clock) => ({
  id: newId(),
  endpointId,
  ciphertext,
  expiresAt: null,
  createdAt: now,
  updatedAt: now,
})

export function planCreate(wanted: NewEndpoint, existing: number, secret: Minted, clock: Clock) {
  if (existing >= endpointsMax) return refuse('webhook_endpoint_limit_reached')
  const { now, newId } = clock
  const born: EndpointRow = {
    ...wanted,
    eventTypes: [...wanted.eventTypes].sort(),
    status: 'enabled',
    disabledReason: null,
    failingSince: null,
    hastenedAt: null,
    hastenedUntil: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const shown = presentEndpoint(born)
  return {
    writes: [insert(webhookEndpoints, born), insert(webhookSecrets, secretRow(born.id, secret, clock))],
    events: [event(newId(), 'webhook_endpoint.created', aboutEndpoint(born.id), shown)],
    reply: { object: 'webhook_endpoint.issued' as const, endpoint: shown },
    once: { one_time_value: secret.text },
  } satisfies Plan<unknown>
}

const { changed } = changesOf(webhookEndpoints, 'webhook_endpoint', presentEndpoint)

export const planUpdate = (
  endpoint: EndpointRow,
  set: Pick<Partial<EndpointRow>, 'url' | 'description' | 'eventTypes'>,
  clock: Clock,
) => changed(endpoint, set, 'webhook_endpoint.updated', clock)

/** Moves by the merchant. Enabling clears the failures. */
const moves = {
  enable: { status: 'enabled', disabledReason: null, failingSince: null },
  pause: { status: 'paused' },
  disable: { status: 'disabled', disabledReason: 'by_hand' },
} as const

export function planSwitch(endpoint: EndpointRow, step: keyof typeof moves, clock: Clock) {
  if (!canMove(endpointLifecycle, endpoint.status, step)) return refuse('webhook_endpoint_status_unchanged')
  const set = moves[step]
  return changed(endpoint, set, `webhook_endpoint.${set.status}`, clock)
}

export function planDelete(endpoint: EndpointRow, clock: Clock) {
  const plan = changed(
    endpoint,
    { status: 'deleted', disabledReason: null },
    'webhook_endpoint.deleted',
    clock,
  )
  return {
    ...plan,
    reply: { id: endpoint.id, object: 'webhook_endpoint' as const, deleted: true as const },
  }
}

/** Whether deliveries to it are sent. */
export const receives = ({ status }: EndpointRow) => status === 'enabled' || status === 'degraded'

export function planTest(endpoint: EndpointRow, { newId }: Clock) {
  if (!receives(endpoint)) return refuse('webhook_endpoint_not_receiving')
  const id = newId()
  return {
    writes: [],
    events: [event(id, 'webhook_endpoint.test', aboutEndpoint(endpoint.id), presentEndpoint(endpoint))],
    reply: { object: 'webhook_test' as const, endpoint_id: endpoint.id, event_id: id },
  } satisfies Plan<unknown>
}

/** `signing` are the secrets that still sign, newest first. */
export function planRotate(
  endpoint: EndpointRow,
  signing: readonly SecretRow[],
  secret: Minted,
  hours: number | undefined,
  clock: Clock,
) {
  const { now, newId } = clock
  const endsAt = new Date(now.getTime() + (hours ?? previousSecretHours) * 3_600_000)
  const ending = signing.map((row, at) => ({
    row,
    expiresAt: at < signingSecretsMax - 1 ? earlier(row.expiresAt, endsAt) : now,
  }))
  const shown = presentEndpoint({ ...endpoint, version: endpoint.version + 1, updatedAt: now })
  return {
    writes: [
      // The endpoint's version lets only one of two concurrent rotations through.
      change(webhookEndpoints, endpoint, { updatedAt: now }),
      ...ending.map(({ row, expiresAt }) => change(webhookSecrets, row, { expiresAt, updatedAt: now })),
      insert(webhookSecrets, secretRow(endpoint.id, secret, clock)),
    ],
    events: [event(newId(), 'webhook_endpoint.secret_rotated', aboutEndpoint(endpoint.id), shown)],
    reply: { object: 'webhook_endpoint.issued' as const, endpoint: shown },
    once: { one_time_value: secret.text },
  } satisfies Plan<unknown>
}

const earlier = (one: Date | null, other: Date) => (one !== null && one < other ? one : other)

/** A redelivery has the same webhook-id and the same bytes. */
export type Resent = Pick<DeliveryRow, 'endpointId' | 'eventId' | 'eventType'>

/** The delivery that sends an event once more, at `dueAt`. */
export function redeliveryOf(
  { endpointId, eventId, eventType }: Resent,
  dueAt: Date,
  clock: Clock,
): DeliveryRow {
  return {
    ...newRow(clock),
    endpointId,
    eventId,
    eventType,
    origin: 'redelivery',
    status: 'pending',
    attemptsCount: 0,
    nextAttemptAt: dueAt,
    responseStatus: null,
    finishedAt: null,
  }
}

export function planRedelivery(delivery: DeliveryRow, endpoint: EndpointRow | undefined, clock: Clock) {
  if (!endpoint || !receives(endpoint)) return refuse('webhook_endpoint_not_receiving')
  const again = redeliveryOf(delivery, clock.now, clock)
  return {
    writes: [insert(webhookDeliveries, again)],
    events: [],
    reply: presentDelivery(again),
  } satisfies Plan<unknown>
}

export function planRecovery(
  endpoint: EndpointRow,
  window: { readonly since: Date; readonly until: Date | undefined },
  clock: Clock,
) {
  const { now } = clock
  if (!receives(endpoint)) return refuse('webhook_endpoint_not_receiving')
  const until = window.until ?? now
  if (window.since >= until) return refuse('webhook_recovery_window_invalid', { param: 'since' })
  if (now.getTime() - window.since.getTime() > windowMaxMs)
    return refuse('webhook_recovery_window_invalid', { param: 'since' })
  const born: RecoveryRow = {
    ...newRow(clock),
    endpointId: endpoint.id,
    since: window.since,
    until,
    status: 'running',
    deliveriesCount: 0,
    stepsCount: 1,
    cursorCreatedAt: null,
    cursorId: null,
  }
  return {
    writes: [insert(webhookRecoveries, born)],
    events: [],
    reply: presentRecovery(born),
  } satisfies Plan<unknown>
}

/** The next thousand events; the database processes them with this change. */
export const planRecoveryStep = (recovery: RecoveryRow, now: Date): Plan<object> => ({
  writes: [change(webhookRecoveries, recovery, { stepsCount: recovery.stepsCount + 1, updatedAt: now })],
  events: [],
  reply: {},
})
