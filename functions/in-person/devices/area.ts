import * as z from 'zod'
import { attestationFailures } from '../../../drizzle/schema/devices.ts'
import type { Scope } from '../../../src/http/contract.ts'
import type { Declaration } from '../../../src/http/declaration.ts'
import { expiry } from './contract.ts'
import { errors } from './errors.ts'
import { type DeviceKind, deviceKinds, kinds } from './kinds.ts'
import { deviceLifecycle, pairingCodeLifecycle } from './lifecycle.ts'
import { devicesMax } from './plan.ts'

const eventsOf = (kind: DeviceKind) =>
  [
    kind,
    {
      scopes: [`${kinds[kind].scope}:read` satisfies Scope],
      shownBy: `${kind}s.get`,
      leaveOut: ['connection', 'last_seen_at'],
      types: {
        created: `A ${kind} was created.`,
        updated: `A ${kind} was changed.`,
        paired: { says: `A ${kind} was paired: it has a credential.`, unmade: 'the device itself pairs' },
        unpaired: { says: `A ${kind} was unpaired.`, unmade: 'only a paired device is unpaired' },
        disabled: `A ${kind} was disabled.`,
        enabled: `A disabled ${kind} was enabled.`,
        ...(kind === 'phone' ? ofPhones : {}),
      },
    },
  ] as const

const ofPhones = {
  attested: { says: 'A phone has proved that it is genuine.', unmade: 'the phone itself proves it' },
  attestation_failed: {
    says: 'A phone could not prove that it is genuine. An attestation that it has stands.',
    unmade: 'the phone itself tries it',
    adds: {
      fields: { failure: z.enum(attestationFailures).describe('Why it failed.') },
      example: { failure: 'unverified_device' },
    },
  },
}

const samplesOf = (kind: DeviceKind) => ({
  [`${kind}s.create`]: { unique: ['name'] },
  [`${kind}s.update`]: { other: { name: 'Another' } },
  [`${kind}s.enable`]: { after: [`${kind}s.disable`] },
})

export const area: Declaration = {
  tags: [
    { at: 80, name: 'Terminal', description: 'Readers at the counter that take cards.' },
    { at: 81, name: 'Tap to Pay', description: 'Phones that take cards by themselves.' },
    { at: 82, name: 'Physical Checkout', description: 'Registers that show an amount to be paid.' },
    {
      at: 85,
      name: 'Devices',
      description:
        'What a device asks itself. A merchant makes a pairing code, a person enters it on the device, and the device gets a credential that opens nothing else.',
    },
  ],
  nouns: { readers: 'reader', devices: 'phone', registers: 'register' },
  publishes: [expiry],
  jobs: {
    device_pairing_codes: {
      at: 146,
      runs: 'operations.ts#expirePairingCodes',
      table: 'device_pairing_codes',
      due: `d.status = 'active' and d.expires_at <= $1`,
      firstBy: 'expires_at',
    },
  },
  lookedUp: ['devices', 'device_pairing_codes', 'device_credentials'],
  secret: { device_pairing_codes: ['digest'], device_credentials: ['digest'] },
  deadlines: [
    { table: 'device_pairing_codes', columns: ['expires_at'], while: "status = 'active'" },
    { table: 'device_credentials', columns: ['ends_at'] },
    { table: 'devices', columns: ['attested_until'] },
  ],
  lifecycles: [deviceLifecycle, pairingCodeLifecycle],
  events: Object.fromEntries(deviceKinds.map(eventsOf)),
  errors,
  limits: {
    devices: {
      most: devicesMax,
      unit: 'count',
      says: 'Readers, phones and registers that are not disabled.',
    },
  },
  constraints: {
    devices_limit: { code: 'device_limit_reached' },
    devices_paired_stay: 'stale',
    devices_registered: { code: 'reader_registered_elsewhere', param: 'registration_code' },
    device_places_one: 'stale',
    devices_name: { code: 'device_name_taken', param: 'name' },
    device_pairing_codes_prefix: 'stale',
    device_pairing_codes_one: 'stale',
    device_credentials_one_current: 'stale',
  },
  samples: Object.assign({}, ...deviceKinds.map(samplesOf)),
}
