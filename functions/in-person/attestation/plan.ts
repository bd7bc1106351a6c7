import { attestationChallenges, devices, phoneAttestations } from '../../../drizzle/schema/devices.ts'
import { attestationSettings, phoneApps } from '../../../drizzle/schema/phone-apps.ts'
import type { Verdict } from '../../../src/attestation/port.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { change, expect, insert, refuse, type Write } from '../../../src/kernel/plan.ts'
import { type DeviceRow, phoneAttested, presentDevice } from '../devices/api-pure.ts'
import type * as contracts from './contract.ts'
import { type attest, attestationDays, challengeMinutes } from './contract-device.ts'
import { phoneAppLifecycle } from './lifecycle.ts'
import { presentApp, presentAttestation, presentSettings } from './present.ts'
import type { AppRow, AttestationRow, ChallengeRow, SettingsRow } from './store.ts'

/** The keys of an app of Android, encrypted; null of iOS. */
export interface SealedKeys {
  readonly decryptionKey: string | null
  readonly verificationKey: string | null
}

/** An app of these phones, for the first time or again. `id`: of its row, for which the keys were encrypted. */
export function planSetApp(
  before: AppRow | undefined,
  { platform, app, certificate_digests: certificateDigests }: BodyOf<typeof contracts.setApp>,
  { id, keys }: { readonly id: string; readonly keys: SealedKeys },
  clock: Clock,
) {
  const row = {
    ...(before ?? newRow(clock)),
    id,
    status: 'active' as const,
    platform,
    app,
    certificateDigests,
  }
  const after = before ? { ...row, version: before.version + 1, updatedAt: clock.now } : row
  return {
    writes: [
      before
        ? change(phoneApps, before, { certificateDigests, ...keys, updatedAt: clock.now })
        : insert(phoneApps, { ...row, ...keys }),
    ],
    events: [],
    reply: presentApp(after),
    subjectId: id,
  }
}

export function planRemoveApp(app: AppRow, { now }: Clock) {
  if (!canMove(phoneAppLifecycle, app.status, 'remove')) return refuse('phone_app_removed')
  const set = { status: 'removed' as const, updatedAt: now }
  return {
    writes: [change(phoneApps, app, set)],
    events: [],
    reply: presentApp({ ...app, ...set, version: app.version + 1 }),
    subjectId: app.id,
  }
}

export function planSettings(before: SettingsRow | undefined, isRequired: boolean, clock: Clock) {
  const row = before ?? { ...newRow(clock), isRequired }
  return {
    writes: [
      before
        ? change(attestationSettings, before, { isRequired, updatedAt: clock.now })
        : insert(attestationSettings, row),
    ],
    events: [],
    reply: presentSettings({ isRequired, updatedAt: clock.now }),
    subjectId: row.id,
  }
}

/** A challenge for a phone, in its present pairing. The one before it is good for nothing. */
export function planChallenge(
  phone: DeviceRow,
  before: ChallengeRow | undefined,
  { challenge, digest }: { readonly challenge: string; readonly digest: string },
  clock: Clock,
) {
  const { id: deviceId, pairingsCount: pairing } = phone
  const expiresAt = new Date(clock.now.getTime() + challengeMinutes * 60_000)
  const row: ChallengeRow = {
    ...newRow(clock),
    deviceId,
    pairing,
    status: 'issued',
    digest,
    expiresAt,
    usedAt: null,
  }
  return {
    writes: [
      expect(devices, deviceId, { status: 'paired', pairingsCount: pairing }),
      ...(before
        ? [change(attestationChallenges, before, { status: 'replaced', updatedAt: clock.now })]
        : []),
      insert(attestationChallenges, row),
    ],
    events: [],
    reply: {
      object: 'attestation_challenge' as const,
      device_id: deviceId,
      expires_at: expiresAt.toISOString(),
    },
    once: { challenge },
    subjectId: deviceId,
  }
}

/** Why a challenge is good for nothing; null where it may be used. */
export function problemOfChallenge({ status, expiresAt }: ChallengeRow, { now }: Pick<Clock, 'now'>) {
  if (status === 'used') return refuse('attestation_challenge_used')
  if (status === 'replaced') return refuse('attestation_challenge_invalid')
  return expiresAt <= now ? refuse('attestation_challenge_expired') : null
}

/** A try of a phone, with its challenge and, where one is needed, the app that counts. */
export interface Tried {
  readonly phone: DeviceRow
  readonly challenge: ChallengeRow
  readonly app: Pick<AppRow, 'id' | 'version'> | undefined
  readonly verdict: Verdict
  /** SHA-256 of the key of a phone that was verified. */
  readonly keyDigest: string | null
}

/** Uses the challenge up and records how it ended; what was verified stands at the phone. */
export function planAttest(
  { phone, challenge, app, verdict, keyDigest }: Tried,
  { provider, app: name }: Pick<BodyOf<typeof attest>, 'provider' | 'app'>,
  clock: Clock,
) {
  const { now } = clock
  const isVerified = verdict.state === 'verified'
  const row: AttestationRow = {
    id: clock.newId(),
    deviceId: phone.id,
    pairing: challenge.pairing,
    challengeId: challenge.id,
    provider,
    app: name,
    failure: isVerified ? null : verdict.failure,
    environment: isVerified ? verdict.environment : null,
    publicKey: isVerified ? verdict.publicKey : null,
    keyDigest,
    signCount: isVerified ? verdict.signCount : null,
    expiresAt: isVerified ? new Date(now.getTime() + attestationDays * 86_400_000) : null,
    createdAt: now,
  }
  const stands = isVerified ? phoneAttested(phone, row, clock) : failedAt(phone, row, clock)
  return {
    writes: [
      change(attestationChallenges, challenge, { status: 'used', usedAt: now, updatedAt: now }),
      ...(isVerified && app ? [expect(phoneApps, app.id, { status: 'active', version: app.version })] : []),
      insert(phoneAttestations, row),
      ...stands.writes,
    ],
    events: stands.events,
    reply: presentAttestation(row),
    subjectId: phone.id,
  }
}

function failedAt(phone: DeviceRow, { failure }: AttestationRow, clock: Clock) {
  const { id, pairingsCount } = phone
  const shown = { ...presentDevice(phone, clock), failure }
  const writes: Write[] = [expect(devices, id, { status: 'paired', pairingsCount })]
  return {
    writes,
    events: [event(clock.newId(), 'phone.attestation_failed', { type: 'phone', id }, shown)],
  }
}
