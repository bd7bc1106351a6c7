import * as z from 'zod'
import { attestationProviders, devices } from '../../../drizzle/schema/devices.ts'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { freeText, metadata, timestamp, uuid } from '../../../src/http/schemas.ts'
import { type DeviceKind, kinds } from './kinds.ts'

const fields = {
  name: freeText(120)
    .trim()
    .min(1)
    .describe('Unique among the devices of its kind at its location, in any case of letters.'),
  location_id: uuid.describe('The location where it stands.'),
  metadata,
}

export const status = z
  .enum(devices.status.enumValues)
  .describe('`unpaired` waits for a pairing code; `disabled` takes nothing until it is enabled.')

/** What readers and phones have beside: a register takes no cards. The type says it of all. */
const configured = {
  terminal_configuration_id: uuid
    .nullable()
    .describe('The configuration that it gets; null: the one that its location names.'),
}
const configuredOf = (kind: DeviceKind) => (kind === 'register' ? {} : configured) as typeof configured
const defaulted = { terminal_configuration_id: configured.terminal_configuration_id.default(null) }
const configuredDefault = (kind: DeviceKind) => (kind === 'register' ? {} : defaulted) as typeof defaulted
const configurationErrors = (kind: DeviceKind) =>
  kind === 'register'
    ? []
    : (['terminal_configuration_not_found', 'terminal_configuration_archived'] as const)
const exampleConfigured = { terminal_configuration_id: null }
const exampleConfiguredOf = (kind: DeviceKind) =>
  (kind === 'register' ? {} : exampleConfigured) as typeof exampleConfigured

/** What a phone has proved of itself. The type says it of all. */
const attested = {
  attestation: z
    .strictObject({
      provider: z.enum(attestationProviders).describe('Who spoke for the phone.'),
      app: z.string().describe('The app that runs on it.'),
      environment: z
        .enum(devices.attestedEnvironment.enumValues)
        .describe('For what that app was built; in live always `production`.'),
      status: z.enum(['valid', 'expired']).describe('`expired`: its time is over, and the next one is due.'),
      verified_at: timestamp.describe('When it was verified.'),
      expires_at: timestamp.describe('Until when it stands.'),
    })
    .nullable()
    .describe('What the phone has proved of itself in its present pairing; null: nothing.'),
}
const attestedOf = (kind: DeviceKind) => (kind === 'phone' ? attested : {}) as typeof attested
const exampleAttestedOf = (kind: DeviceKind) =>
  (kind === 'phone' ? { attestation: null } : {}) as { attestation: null }

const reported = (what: string) =>
  freeText(80).nullable().describe(`${what}, as the device said when it was paired.`)

const shownOf = <const Kind extends DeviceKind>(kind: Kind) =>
  shown(kind, {
    status,
    connection: z
      .enum(['online', 'offline', 'never_seen'])
      .describe('Whether it was heard of lately. It only informs: nothing is refused because of it.'),
    ...fields,
    ...configuredOf(kind),
    model: reported('Its model'),
    serial_number: reported('Its serial number'),
    software_version: reported('The version of its program'),
    paired_at: timestamp.nullable().describe('When it was paired; null while it is not.'),
    last_seen_at: timestamp.nullable().describe('When it was last heard of, to the half minute.'),
    ...attestedOf(kind),
  })

const ids = { reader: '61', phone: '62', register: '63' } as const
const names = { reader: 'Mostrador', phone: 'Teléfono de Sofía', register: 'Caja 1' } as const
export const locationId = '0190a6d2-7c3e-7b1a-9f00-000000000031'

export const exampleDevice = <const Kind extends DeviceKind>(kind: Kind) =>
  exampleOf(kind, `0190a6d2-7c3e-7b1a-9f00-0000000000${ids[kind]}`, {
    status: 'unpaired' as const,
    connection: 'never_seen' as const,
    name: names[kind],
    location_id: locationId,
    ...exampleConfiguredOf(kind),
    model: null,
    serial_number: null,
    software_version: null,
    paired_at: null,
    last_seen_at: null,
    ...exampleAttestedOf(kind),
    metadata: {},
  })

export const schemas = {
  reader: shownOf('reader').meta({ id: 'Reader' }),
  phone: shownOf('phone').meta({ id: 'Phone' }),
  register: shownOf('register').meta({ id: 'Register' }),
}

const PairingCode = z
  .strictObject({
    object: z.literal('pairing_code'),
    device_id: uuid.describe('The device that it pairs.'),
    one_time_value: z
      .string()
      .optional()
      .describe('The code, to be entered on the device. Only the first reply has it.'),
    expires_at: timestamp.describe('Until when it may be entered.'),
  })
  .meta({ id: 'PairingCode' })

/** What an operation is called. */
interface Name {
  readonly id: string
  readonly summary: string
}
type Names = Readonly<
  Record<'create' | 'list' | 'get' | 'update' | 'pairingCode' | 'unpair' | 'disable' | 'enable', Name>
>

/** What a merchant does with the devices of a kind. */
function contractsOf<const Kind extends DeviceKind>(kind: Kind, named: Names) {
  const { path, scope, tag } = kinds[kind]
  const one = resource({
    tag,
    path,
    reads: { api_key: { scopes: [`${scope}:read`] } },
    writes: { api_key: { scopes: [`${scope}:write`] } },
    tables: ['devices'],
    notFound: 'device_not_found',
    versioned: true,
    schema: schemas[kind],
    example: exampleDevice(kind),
  })
  return {
    resource: one,
    create: one.create({
      ...named.create,
      description: `It is \`unpaired\`: make a pairing code for it, and enter that on the ${kind}.`,
      body: z.strictObject({
        ...fields,
        ...configuredDefault(kind),
        metadata: metadata.default({}),
      }),
      errors: [
        'location_not_found',
        'location_archived',
        ...configurationErrors(kind),
        'device_name_taken',
        'device_limit_reached',
      ],
      example: { name: names[kind], location_id: locationId, metadata: {} },
    }),
    list: one.list({
      ...named.list,
      showsLive: true,
      filters: {
        status: status.optional().describe('Only what has this status.'),
        location_id: uuid.optional().describe('Only those of this location.'),
      },
    }),
    get: one.get({ ...named.get, showsLive: true }),
    update: one.update({
      ...named.update,
      description:
        'Fields that are left out stay. A disabled device does not change, and a paired one stays at its location: unpair it there, and pair it where it goes.',
      fields: { ...fields, ...configuredOf(kind) },
      errors: [
        ...configurationErrors(kind),
        'device_disabled',
        'device_already_paired',
        'location_not_found',
        'location_archived',
        'device_name_taken',
      ],
      example: { name: 'Terraza' },
    }),
    pairingCode: contract({
      ...one.writing,
      ...one.one,
      ...named.pairingCode,
      tables: ['devices', 'device_pairing_codes'],
      path: `${path}/:id/pairing-codes`,
      description: `The person who enters it on the ${kind} within ten minutes pairs it, once. A code made before it opens nothing, and neither does one that was entered wrongly five times.`,
      reply: { status: 200, schema: PairingCode },
      errors: ['device_not_found', 'device_disabled', 'device_already_paired', 'location_archived'],
      example: {
        reply: {
          object: 'pairing_code',
          device_id: exampleDevice(kind).id,
          one_time_value: 'A7K2-9QXM',
          expires_at: '2026-06-13T12:10:00.000Z',
        },
      },
    }),
    unpair: one.move('unpair', {
      ...named.unpair,
      description: 'Its credential opens nothing from the next request on.',
      errors: ['device_not_paired'],
      example: { version: 2 },
    }),
    disable: one.move('disable', {
      ...named.disable,
      description: 'At once: its credential opens nothing from the next request on. It stays readable.',
      errors: ['device_disabled'],
      example: { status: 'disabled', version: 2 },
    }),
    enable: one.move('enable', {
      ...named.enable,
      description: 'It is `unpaired` then.',
      errors: ['device_not_disabled', 'device_name_taken', 'device_limit_reached'],
      example: { version: 3 },
    }),
  }
}

export type DeviceContracts = ReturnType<typeof contractsOf<'reader'>>

export const readers = contractsOf('reader', {
  create: { id: 'readers.create', summary: 'Create a reader' },
  list: { id: 'readers.list', summary: 'List readers' },
  get: { id: 'readers.get', summary: 'Get a reader' },
  update: { id: 'readers.update', summary: 'Change a reader' },
  pairingCode: { id: 'readers.create_pairing_code', summary: 'Make a pairing code for a reader' },
  unpair: { id: 'readers.unpair', summary: 'Unpair a reader' },
  disable: { id: 'readers.disable', summary: 'Disable a reader' },
  enable: { id: 'readers.enable', summary: 'Enable a disabled reader' },
})

export const phones = contractsOf('phone', {
  create: { id: 'phones.create', summary: 'Create a phone' },
  list: { id: 'phones.list', summary: 'List phones' },
  get: { id: 'phones.get', summary: 'Get a phone' },
  update: { id: 'phones.update', summary: 'Change a phone' },
  pairingCode: { id: 'phones.create_pairing_code', summary: 'Make a pairing code for a phone' },
  unpair: { id: 'phones.unpair', summary: 'Unpair a phone' },
  disable: { id: 'phones.disable', summary: 'Disable a phone' },
  enable: { id: 'phones.enable', summary: 'Enable a disabled phone' },
})

export const registers = contractsOf('register', {
  create: { id: 'registers.create', summary: 'Create a register' },
  list: { id: 'registers.list', summary: 'List registers' },
  get: { id: 'registers.get', summary: 'Get a register' },
  update: { id: 'registers.update', summary: 'Change a register' },
  pairingCode: { id: 'registers.create_pairing_code', summary: 'Make a pairing code for a register' },
  unpair: { id: 'registers.unpair', summary: 'Unpair a register' },
  disable: { id: 'registers.disable', summary: 'Disable a register' },
  enable: { id: 'registers.enable', summary: 'Enable a disabled register' },
})

/** A reader that runs its processor's own program is paired by what it shows, not by a code of ours. */
export const register = contract({
  ...readers.resource.writing,
  ...readers.resource.one,
  id: 'readers.register',
  path: `${kinds.reader.path}/:id/register`,
  tables: ['devices', 'device_places'],
  versioned: true,
  summary: 'Register a reader of the processor',
  description:
    'For a reader that runs its processor’s own program, as all do that take cards in live: it shows a registration code in its settings. It is `paired` then, takes payments and shows lines, and asks nothing itself. A request whose reply was lost is repeated with the same code, also under another Idempotency-Key. Its location needs an address in Mexico with a state and a postal code.',
  body: z.strictObject({
    registration_code: freeText(120)
      .trim()
      .min(1)
      .describe('What the reader shows, for instance `quick-brown-fox`; in the sandbox `simulated-s700`.'),
  }),
  reply: readers.unpair.reply,
  errors: [
    'device_not_found',
    'device_disabled',
    'device_already_paired',
    'location_archived',
    'location_takes_no_readers',
    'reader_code_refused',
    'reader_registered_elsewhere',
    'reader_registration_refused',
    'payments_not_configured',
  ],
  example: {
    body: { registration_code: 'simulated-s700' },
    reply: {
      ...exampleDevice('reader'),
      status: 'paired',
      model: 'stripe_s700',
      serial_number: 'WSC513105011295',
      software_version: '2.42.0.0',
      paired_at: '2026-06-13T12:05:00.000Z',
      version: 2,
      updated_at: '2026-06-13T12:05:00.000Z',
    },
  },
})

/** Scheduled: codes that nobody entered in their time leave their prefix to others. */
export const expiry = {
  id: 'device_pairing_codes.expire',
  access: { system: {} },
  tables: ['device_pairing_codes'],
} as const
