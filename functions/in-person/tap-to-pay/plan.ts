import { devices } from '../../../drizzle/schema/devices.ts'
import { connectionTokens, tapSessions } from '../../../drizzle/schema/in-person.ts'
import { locations } from '../../../drizzle/schema/locations.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { change, expect, insert, refuse } from '../../../src/kernel/plan.ts'
import type { PhoneConnection } from '../../../src/processors/in-person.ts'
import { type DeviceRow, type LocationRow, newPlace, type PlaceRow } from '../devices/api-pure.ts'
import { sessionHours, tokenMinutes } from './contract.ts'
import type { SessionRow, TokenRow } from './store.ts'

const present = (token: TokenRow, sessionId: string | null = null) => ({
  object: 'tap_to_pay.connection_token' as const,
  device_id: token.deviceId,
  location_id: token.locationId,
  status: token.status,
  expires_at: token.expiresAt.toISOString(),
  redeemed_at: token.redeemedAt?.toISOString() ?? null,
  session_id: sessionId,
})

/** Its time was over before anything else ended it. */
const isExpired = ({ endedAt, expiresAt }: SessionRow, now: Date): boolean => (endedAt ?? now) >= expiresAt

export const presentSession = (session: SessionRow, { now }: Pick<Clock, 'now'>) => ({
  id: session.id,
  object: 'tap_session' as const,
  status: isExpired(session, now) ? ('expired' as const) : session.status,
  device_id: session.deviceId,
  location_id: session.locationId,
  expires_at: session.expiresAt.toISOString(),
  ended_at: isExpired(session, now) ? null : (session.endedAt?.toISOString() ?? null),
  version: session.version,
  created_at: session.createdAt.toISOString(),
  updated_at: session.updatedAt.toISOString(),
})

/** A token for a phone that is paired, at the location where it stands. The one before it opens nothing. */
export function planIssue(
  phone: DeviceRow,
  { location, before }: { readonly location: LocationRow; readonly before: TokenRow | undefined },
  { secret, digest }: { readonly secret: string; readonly digest: string },
  clock: Clock,
) {
  if (location.status === 'archived') return refuse('location_archived', { param: 'location_id' })
  if (phone.locationId !== location.id) return refuse('device_elsewhere', { param: 'location_id' })
  if (phone.status === 'disabled') return refuse('device_disabled', { param: 'device_id' })
  if (phone.status !== 'paired') return refuse('device_not_paired', { param: 'device_id' })
  const { pairingsCount: pairing } = phone
  const token: TokenRow = {
    ...newRow(clock),
    deviceId: phone.id,
    locationId: location.id,
    pairing,
    status: 'issued',
    digest,
    expiresAt: new Date(clock.now.getTime() + tokenMinutes * 60_000),
    redeemedAt: null,
  }
  return {
    writes: [
      expect(devices, phone.id, { status: 'paired', pairingsCount: pairing }),
      expect(locations, location.id, { status: 'active' }),
      ...(before ? [change(connectionTokens, before, { status: 'replaced', updatedAt: clock.now })] : []),
      insert(connectionTokens, token),
    ],
    events: [],
    reply: present(token),
    once: { secret },
    subjectId: phone.id,
  }
}

/** Why a token opens nothing; null where it does. */
export function problemOfToken(token: TokenRow, { now }: Pick<Clock, 'now'>) {
  if (token.status === 'redeemed') return refuse('connection_token_redeemed')
  if (token.status === 'replaced') return refuse('connection_token_invalid')
  if (token.expiresAt <= now) return refuse('connection_token_expired')
  return null
}

/** Whether what a phone has proved of itself stands; the database asks it again. */
export const isAttested = (phone: DeviceRow | undefined, { now }: Pick<Clock, 'now'>): boolean =>
  (phone?.attestedUntil ?? now) > now

/** What the processor's program on the phone connects with, and at which account. */
export interface Connected extends PhoneConnection {
  readonly accountId: string | null
  /** What the processor calls the location; undefined: it was not known before. */
  readonly known: PlaceRow | undefined
}

/** The phone takes it, once, and opens a session; the one before it ends. */
export function planRedeem(
  token: TokenRow,
  before: SessionRow | undefined,
  connected: Connected | null,
  clock: Clock,
) {
  const { now } = clock
  const set = { status: 'redeemed' as const, redeemedAt: now, updatedAt: now }
  const { deviceId, locationId, pairing } = token
  const session: SessionRow = {
    ...newRow(clock),
    deviceId,
    locationId,
    pairing,
    connectionTokenId: token.id,
    accountId: connected?.accountId ?? null,
    status: 'open',
    expiresAt: new Date(now.getTime() + sessionHours * 3_600_000),
    endedAt: null,
  }
  return {
    writes: [
      expect(devices, deviceId, { status: 'paired', pairingsCount: pairing }),
      change(connectionTokens, token, set),
      ...(before ? [change(tapSessions, before, ended(now))] : []),
      insert(tapSessions, session),
      ...(connected ? newPlace(connected.known, { ...connected, locationId }, clock) : []),
    ],
    events: [],
    reply: { ...present({ ...token, ...set }, session.id), processor: null },
    ...(connected ? { once: { processor: presentConnection(connected) } } : {}),
    subjectId: deviceId,
  }
}

const presentConnection = ({ secret, placeRef }: Connected) => ({
  name: 'stripe' as const,
  connection_token: secret,
  location_id: placeRef,
})

const ended = (now: Date) => ({ status: 'ended' as const, endedAt: now, updatedAt: now })

export function planEnd(session: SessionRow, { now }: Clock) {
  if (session.status !== 'open' || isExpired(session, now)) return refuse('tap_session_over')
  const set = ended(now)
  return {
    writes: [change(tapSessions, session, set)],
    events: [],
    reply: presentSession({ ...session, ...set, version: session.version + 1 }, { now }),
    subjectId: session.id,
  }
}
