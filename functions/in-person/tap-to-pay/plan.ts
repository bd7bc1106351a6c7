import { devices } from '../../../drizzle/schema/devices.ts'
import { connectionTokens } from '../../../drizzle/schema/in-person.ts'
import { locations } from '../../../drizzle/schema/locations.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { change, expect, insert, refuse } from '../../../src/kernel/plan.ts'
import type { DeviceRow, LocationRow } from '../devices/api-pure.ts'
import { tokenMinutes } from './contract.ts'
import type { TokenRow } from './store.ts'

const present = (token: TokenRow) => ({
  object: 'tap_to_pay.connection_token' as const,
  device_id: token.deviceId,
  location_id: token.locationId,
  status: token.status,
  expires_at: token.expiresAt.toISOString(),
  redeemed_at: token.redeemedAt?.toISOString() ?? null,
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

/** The phone takes it, once. */
export function planRedeem(token: TokenRow, { now }: Clock) {
  if (token.status === 'redeemed') return refuse('connection_token_redeemed')
  if (token.status === 'replaced') return refuse('connection_token_invalid')
  if (token.expiresAt <= now) return refuse('connection_token_expired')
  const set = { status: 'redeemed' as const, redeemedAt: now, updatedAt: now }
  return {
    writes: [change(connectionTokens, token, set)],
    events: [],
    reply: present({ ...token, ...set }),
    subjectId: token.deviceId,
  }
}
