import {
  deviceCredentials,
  devicePairingCodes,
  devicePlaces,
  devices,
  type phoneAttestations,
} from '../../../drizzle/schema/devices.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, named, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { canMove, type EventOf } from '../../../src/kernel/lifecycle.ts'
import { change, expect, insert, type Patch, type Row, refuse, type Write } from '../../../src/kernel/plan.ts'
import type { RegisteredReader } from '../../../src/processors/in-person.ts'
import type { DeviceContracts } from './contract.ts'
import type * as ofDevice from './contract-device.ts'
import type { DeviceKind } from './kinds.ts'
import { deviceLifecycle } from './lifecycle.ts'
import { presentDevice } from './present.ts'
import type { CredentialRow, DeviceRow, LocationRow, PairingCodeRow, PlaceRow } from './store.ts'

const minuteMs = 60_000
/** Devices of a workspace that are not disabled: the schema counts them. */
export const devicesMax = 1000
/** How long a pairing code may be entered. */
export const pairingCodeMinutes = 10
/** How long the former credential still opens after a rotation, so that a lost reply locks no device out. */
export const rotationMinutes = 10

/** A secret that was just minted: its plaintext goes into the reply only. */
export interface Minted {
  readonly digest: string
  readonly pepperVersion: number
}

const changesOfKind = (kind: DeviceKind) => changesOf(devices, kind, presentDevice)

const can = ({ status }: DeviceRow, move: EventOf<typeof deviceLifecycle>) =>
  canMove(deviceLifecycle, status, move)

/** Why a device cannot stand there. */
const misplaced = (location: LocationRow | undefined) => {
  if (!location) return refuse('location_not_found', { param: 'location_id' })
  return location.status === 'archived' ? refuse('location_archived', { param: 'location_id' }) : null
}

export function planCreate(
  kind: DeviceKind,
  {
    location_id: locationId,
    // Absent of a register.
    terminal_configuration_id: terminalConfigurationId = null,
    ...asked
  }: BodyOf<DeviceContracts['create']>,
  location: LocationRow | undefined,
  clock: Clock,
) {
  const refusal = misplaced(location)
  if (refusal) return refusal
  const row: DeviceRow = {
    ...newRow(clock),
    ...asked,
    kind,
    locationId,
    terminalConfigurationId,
    status: 'unpaired',
    model: null,
    serialNumber: null,
    softwareVersion: null,
    signingKey: null,
    pairingsCount: 0,
    pairedAt: null,
    lastSeenAt: null,
    processorRef: null,
    processorAccountId: null,
    ...unattested,
  }
  return changesOfKind(kind).created(row, `${kind}.created`, clock)
}

export function planUpdate(
  device: DeviceRow,
  {
    location_id: locationId,
    terminal_configuration_id: terminalConfigurationId,
    ...asked
  }: BodyOf<DeviceContracts['update']>,
  location: LocationRow | undefined,
  clock: Clock,
) {
  if (device.status === 'disabled') return refuse('device_disabled')
  if (locationId !== undefined && locationId !== device.locationId && device.status === 'paired')
    return refuse('device_already_paired', { param: 'location_id' })
  const refusal = locationId === undefined ? null : misplaced(location)
  return (
    refusal ?? changed(device, 'updated', named({ ...asked, locationId, terminalConfigurationId }), clock)
  )
}

type Told = 'updated' | 'paired' | 'unpaired' | 'disabled' | 'enabled'

const changed = (device: DeviceRow, type: Told, set: Patch<typeof devices>, clock: Clock) =>
  changesOfKind(device.kind).changed(device, set, `${device.kind}.${type}`, clock)

const unattested = {
  attestationId: null,
  attestedBy: null,
  attestedApp: null,
  attestedEnvironment: null,
  attestedAt: null,
  attestedUntil: null,
} as const

/** What goes with a pairing. */
const over = { pairedAt: null, processorRef: null, processorAccountId: null } as const
const isOut = { ...over, ...unattested, status: 'unpaired' } as const

/** Its credential opens nothing from now on. */
export const planUnpair = (device: DeviceRow, clock: Clock) =>
  can(device, 'unpair') ? changed(device, 'unpaired', isOut, clock) : refuse('device_not_paired')

export const planDisable = (device: DeviceRow, clock: Clock) =>
  can(device, 'disable')
    ? changed(device, 'disabled', { ...over, ...unattested, status: 'disabled' }, clock)
    : refuse('device_disabled')

export const planEnable = (device: DeviceRow, clock: Clock) =>
  can(device, 'enable') ? changed(device, 'enabled', isOut, clock) : refuse('device_not_disabled')

/** What a phone has proved of itself stands, in place of what it proved before. */
export const phoneAttested = (
  phone: DeviceRow,
  { id, provider, app, environment, createdAt, expiresAt }: Row<typeof phoneAttestations>,
  clock: Clock,
) => {
  const set = {
    attestationId: id,
    attestedBy: provider,
    attestedApp: app,
    attestedEnvironment: environment,
    attestedAt: createdAt,
    attestedUntil: expiresAt,
  }
  return changesOfKind('phone').changed(phone, set, 'phone.attested', clock)
}

/** A code for a device: the one before it, if it has one, opens nothing from now on. */
export function planPairingCode(
  device: DeviceRow,
  { location, before }: { readonly location: LocationRow; readonly before: PairingCodeRow | undefined },
  { code, prefix, ...minted }: Minted & { readonly code: string; readonly prefix: string },
  clock: Clock,
) {
  if (device.status === 'disabled') return refuse('device_disabled')
  if (!can(device, 'pair')) return refuse('device_already_paired')
  if (location.status === 'archived') return refuse('location_archived')
  const row = newRow(clock)
  const expiresAt = new Date(clock.now.getTime() + pairingCodeMinutes * minuteMs)
  return {
    writes: [
      ...(before ? [change(devicePairingCodes, before, { status: 'replaced', updatedAt: clock.now })] : []),
      insert(devicePairingCodes, {
        ...row,
        ...minted,
        prefix,
        deviceId: device.id,
        status: 'active',
        triesCount: 0,
        expiresAt,
      }),
      expect(devices, device.id, { status: 'unpaired' }),
    ],
    events: [],
    reply: { object: 'pairing_code' as const, device_id: device.id, expires_at: expiresAt.toISOString() },
    once: { one_time_value: code },
    subjectId: device.id,
  }
}

/** Why a reader cannot be registered; null where it can. */
export function problemOfRegistering(reader: DeviceRow, location: LocationRow) {
  if (reader.status === 'disabled') return refuse('device_disabled')
  if (!can(reader, 'pair')) return refuse('device_already_paired')
  return location.status === 'archived' ? refuse('location_archived') : null
}

/** A location as its processor is asked about it, and the row with its name at an account, if that is known. */
export function placeAt(
  { id, version, name, address }: LocationRow,
  places: readonly PlaceRow[],
  accountId: string | null,
) {
  const known = places.find((each) => each.accountId === accountId)
  return { known, place: { id, version, name, address, placeRef: known?.processorRef ?? null } }
}

/** What a processor calls a location; nothing where that is known. A location that it had lost has another name. */
export function newPlace(
  known: PlaceRow | undefined,
  { locationId, accountId, placeRef }: { locationId: string; accountId: string | null; placeRef: string },
  clock: Clock,
): Write[] {
  if (known?.processorRef === placeRef) return []
  const processorRef = placeRef
  return known
    ? [change(devicePlaces, known, { processorRef, updatedAt: clock.now })]
    : [insert(devicePlaces, { ...newRow(clock), locationId, accountId, processorRef })]
}

/** A reader that its processor has registered. `known`: what the processor calls its location. */
export function planRegister(
  reader: DeviceRow,
  registered: RegisteredReader,
  { known, accountId }: { readonly known: PlaceRow | undefined; readonly accountId: string | null },
  clock: Clock,
) {
  const { model, serialNumber, softwareVersion, readerRef: processorRef, placeRef } = registered
  const set = {
    ...{ model, serialNumber, softwareVersion, processorRef, processorAccountId: accountId },
    status: 'paired' as const,
    pairedAt: clock.now,
    pairingsCount: reader.pairingsCount + 1,
  }
  const { writes, ...plan } = changed(reader, 'paired', set, clock)
  const { locationId } = reader
  return { ...plan, writes: [...writes, ...newPlace(known, { locationId, accountId, placeRef }, clock)] }
}

interface MintedCredential extends Minted {
  readonly token: string
  readonly kid: string
}

const credentialOf = (device: DeviceRow, pairing: number, minted: MintedCredential, clock: Clock): Write =>
  insert(deviceCredentials, {
    ...newRow(clock),
    deviceId: device.id,
    pairing,
    kid: minted.kid,
    digest: minted.digest,
    pepperVersion: minted.pepperVersion,
    endsAt: null,
  })

/** The device takes its code's place in the registry. */
export function planPair(
  { device, code }: { readonly device: DeviceRow; readonly code: PairingCodeRow },
  asked: BodyOf<typeof ofDevice.pair>,
  minted: MintedCredential,
  clock: Clock,
) {
  if (device.status === 'disabled') return refuse('device_disabled')
  if (!can(device, 'pair')) return refuse('device_already_paired')
  const { serial_number: serialNumber, software_version: softwareVersion, model } = asked
  const { signing_key: signingKey } = asked
  const pairingsCount = device.pairingsCount + 1
  const heard = { model, serialNumber, softwareVersion, signingKey, lastSeenAt: clock.now }
  const set = { ...heard, status: 'paired' as const, pairedAt: clock.now, pairingsCount }
  const { writes, ...plan } = changed(device, 'paired', set, clock)
  const used = change(devicePairingCodes, code, { status: 'used', updatedAt: clock.now })
  return {
    ...plan,
    writes: [...writes, used, credentialOf(device, pairingsCount, minted, clock)],
    once: { one_time_value: minted.token },
  }
}

/** Another credential: the calling one ends in a while, one that was never received at once. */
export function planRotate(
  device: DeviceRow,
  { kid, open }: { readonly kid: string; readonly open: readonly CredentialRow[] },
  minted: MintedCredential,
  clock: Clock,
) {
  const later = new Date(clock.now.getTime() + rotationMinutes * minuteMs)
  const ending = open
    .filter(({ endsAt }) => endsAt === null)
    .map((each) =>
      change(deviceCredentials, each, {
        endsAt: each.kid === kid ? later : clock.now,
        updatedAt: clock.now,
      }),
    )
  return {
    writes: [...ending, credentialOf(device, device.pairingsCount, minted, clock)],
    events: [],
    reply: presentDevice(device, clock),
    once: { one_time_value: minted.token },
    subjectId: device.id,
  }
}

/** A code that nobody entered in its time. */
export const planExpire = (code: PairingCodeRow, { now }: Clock) =>
  code.status === 'active' && code.expiresAt <= now
    ? {
        writes: [change(devicePairingCodes, code, { status: 'expired', updatedAt: now })],
        events: [],
        reply: {},
        subjectId: code.deviceId,
      }
    : null
