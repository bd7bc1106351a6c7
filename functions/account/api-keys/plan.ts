import { apiKeys } from '../../../drizzle/schema/api-keys.ts'
import type { Environment } from '../../../src/kernel/api-key.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { canMove, type EventOf } from '../../../src/kernel/lifecycle.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { noticeToOwners } from '../mails/api-pure.ts'
import { graceHours } from './contract.ts'
import { apiKeyLifecycle } from './lifecycle.ts'
import { type Defaults, presentKey, presentLimit } from './present.ts'
import type { ApiKeyRow } from './store.ts'

/** A credential that was just minted; `token` is the plaintext and goes into the first reply only. */
export interface Minted {
  readonly id: string
  readonly token: string
  readonly kid: string
  readonly digest: string
  readonly pepperVersion: number
  readonly obfuscatedValue: string
}

export interface Creator {
  readonly userId: string
  readonly email: string
}

const can = (key: ApiKeyRow, move: EventOf<typeof apiKeyLifecycle>) =>
  canMove(apiKeyLifecycle, key.status, move)

const about = (id: string) => ({ type: 'api_key', id })

/** The mail about a key that a person made or revoked. */
const toldToOwners = (
  eventId: string,
  kind: 'api_key_created' | 'api_key_revoked',
  key: ApiKeyRow,
  { email }: Creator,
  now: Date,
) => {
  const { environment, description, obfuscatedValue } = key
  const data = { environment, description, key: obfuscatedValue, by: email, at: now.toISOString() }
  return noticeToOwners(eventId, kind, data, now)
}

interface NewKey {
  readonly description: string
  readonly environment: Environment
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
  readonly rotatedFromId: string | null
  readonly transferLimits: Readonly<Record<string, string>>
}

export function planCreate(
  key: NewKey,
  minted: Minted,
  creator: Creator,
  eventIds: readonly [string, string],
  now: Date,
) {
  const born: ApiKeyRow = {
    id: minted.id,
    kid: minted.kid,
    pepperVersion: minted.pepperVersion,
    obfuscatedValue: minted.obfuscatedValue,
    description: key.description,
    environment: key.environment,
    scopes: [...key.scopes].sort(),
    status: 'provisioning',
    expiresAt: key.expiresAt,
    graceEndsAt: null,
    rotatedFromId: key.rotatedFromId,
    transferLimits: key.transferLimits,
    createdByUserId: creator.userId,
    createdByEmail: creator.email,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const active = { ...born, status: 'active' as const, version: 2 }
  return {
    writes: [
      insert(apiKeys, { ...born, digest: minted.digest }),
      change(apiKeys, born, { status: 'active', updatedAt: now }),
      toldToOwners(eventIds[0], 'api_key_created', born, creator, now),
    ],
    events: [
      event(eventIds[0], 'api_key.created', about(born.id), presentKey(born)),
      event(eventIds[1], 'api_key.activated', about(born.id), presentKey(active), presentKey(born)),
    ],
    reply: { object: 'service.v1.api_key' as const, key: presentKey(active) },
    once: { one_time_value: minted.token },
    subjectId: born.id,
  } satisfies Plan<unknown>
}

export function planRotate(
  key: ApiKeyRow,
  minted: Minted,
  creator: Creator,
  eventIds: readonly [string, string, string],
  now: Date,
) {
  if (!can(key, 'rotate') || (key.expiresAt !== null && key.expiresAt <= now))
    return refuse('api_key_not_rotatable')
  const graceEndsAt = new Date(now.getTime() + graceHours * 3_600_000)
  const rotating = { ...key, status: 'rotating' as const, graceEndsAt }
  const successor = planCreate(
    { ...key, environment: key.environment as Environment, rotatedFromId: key.id },
    minted,
    creator,
    [eventIds[1], eventIds[2]],
    now,
  )
  return {
    ...successor,
    writes: [change(apiKeys, key, { status: 'rotating', graceEndsAt, updatedAt: now }), ...successor.writes],
    events: [
      event(eventIds[0], 'api_key.rotated', about(key.id), presentKey(rotating), presentKey(key)),
      ...successor.events,
    ],
  }
}

export function planRevoke(key: ApiKeyRow, revoker: Creator, eventId: string, now: Date) {
  if (!can(key, 'revoke')) return refuse('api_key_not_revocable')
  const plan = planMove(key, 'revoking', 'api_key.revoking', eventId, now)
  return { ...plan, writes: [...plan.writes, toldToOwners(eventId, 'api_key_revoked', key, revoker, now)] }
}

/** Sets the limit of one currency; null restores the default. */
export function planTransferLimit(
  key: ApiKeyRow,
  currency: string,
  amount: string | null,
  defaults: Defaults,
  eventId: string,
  now: Date,
) {
  const { [currency]: _, ...others } = key.transferLimits
  const transferLimits = amount === null ? others : { ...others, [currency]: BigInt(amount).toString() }
  const before = presentLimit(key, currency, defaults)
  const reply = presentLimit({ ...key, transferLimits }, currency, defaults)
  return {
    writes: [change(apiKeys, key, { transferLimits, updatedAt: now })],
    events: [event(eventId, 'api_key.transfer_limit_set', about(key.id), reply, before)],
    reply,
    subjectId: key.id,
  } satisfies Plan<unknown>
}

/** The move that is due for a key; null when none is. */
export function planSweep(key: ApiKeyRow, eventId: string, now: Date) {
  if (can(key, 'finish')) return planMove(key, 'revoked', 'api_key.revoked', eventId, now)
  if (can(key, 'fail')) return planMove(key, 'failed', 'api_key.failed', eventId, now)
  const over = [key.expiresAt, key.graceEndsAt].some((end) => end !== null && end <= now)
  return can(key, 'revoke') && over ? planMove(key, 'revoking', 'api_key.revoking', eventId, now) : null
}

function planMove(key: ApiKeyRow, status: ApiKeyRow['status'], type: EventType, eventId: string, now: Date) {
  const moved = { ...key, status }
  return {
    writes: [change(apiKeys, key, { status, updatedAt: now })],
    events: [event(eventId, type, about(key.id), presentKey(moved), presentKey(key))],
    reply: presentKey(moved),
    subjectId: key.id,
  } satisfies Plan<unknown>
}
