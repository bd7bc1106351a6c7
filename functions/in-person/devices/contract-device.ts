import * as z from 'zod'
import { contract, reads } from '../../../src/http/contract.ts'
import { freeText } from '../../../src/http/schemas.ts'
import { exampleDevice, schemas } from './contract.ts'
import { deviceKinds } from './kinds.ts'
import { signingKeyForm } from './signing-key.ts'

const tag = 'Devices'
const path = '/v1/device'

const AnyDevice = z.discriminatedUnion('object', [schemas.reader, schemas.phone, schemas.register])
const one_time_value = z
  .string()
  .optional()
  .describe(
    'Its credential, the bearer of its further requests. Only this reply has it: keep it in the safe storage of the device.',
  )
const withCredential = z.discriminatedUnion('object', [
  schemas.reader.extend({ one_time_value }).meta({ id: 'PairedReader' }),
  schemas.phone.extend({ one_time_value }).meta({ id: 'PairedPhone' }),
  schemas.register.extend({ one_time_value }).meta({ id: 'PairedRegister' }),
])

const ofDevice = { tag, access: { device: { kinds: deviceKinds } } } as const

const reported = (what: string) => freeText(80).trim().min(1).nullable().default(null).describe(what)

const example = {
  ...exampleDevice('reader'),
  status: 'paired' as const,
  connection: 'online' as const,
  model: 'S700',
  serial_number: 'WSC513105011295',
  software_version: '2.24.0',
  paired_at: '2026-06-13T12:05:00.000Z',
  last_seen_at: '2026-06-13T12:05:00.000Z',
  version: 2,
  updated_at: '2026-06-13T12:05:00.000Z',
}
const issued = 'dk_sbx_a3f9k2m8q1w7e5r0t_EXAMPLE'

export const pair = contract({
  id: 'device.pair',
  method: 'POST',
  path: `${path}/pair`,
  tag,
  access: { pairing: {} },
  tables: ['devices', 'device_pairing_codes', 'device_credentials'],
  summary: 'Pair a device',
  description:
    'The device sends the code that a person entered on it as its bearer, and gets its credential. Where the reply is lost, unpair the device and make another code.',
  idempotency: 'none',
  rate: 'auth',
  body: z.strictObject({
    model: reported('Its model.'),
    serial_number: reported('Its serial number.'),
    software_version: reported('The version of its program.'),
    signing_key: z
      .string()
      .regex(signingKeyForm, 'must be 65 bytes in base64url')
      .nullable()
      .default(null)
      .describe(
        'Of a reader that stores payments while it has no network: the public key by which it signs them, an uncompressed point of P-256 (65 bytes) in base64url without padding. The private key never leaves the reader.',
      ),
  }),
  reply: { status: 200, schema: withCredential },
  errors: ['device_already_paired', 'device_disabled'],
  example: {
    body: {
      model: 'S700',
      serial_number: 'WSC513105011295',
      software_version: '2.24.0',
      signing_key: null,
    },
    reply: { ...example, one_time_value: issued },
  },
})

export const itself = contract({
  ...reads,
  ...ofDevice,
  id: 'device.get',
  path,
  summary: 'Get the calling device',
  description: 'A device asks for itself at least every 60 seconds: that also says that it is online.',
  showsLive: true,
  reply: { status: 200, schema: AnyDevice },
  errors: [],
  example: { reply: example },
})

export const rotate = contract({
  ...ofDevice,
  id: 'device.rotate_credential',
  method: 'POST',
  path: `${path}/rotate-credential`,
  tables: ['device_credentials'],
  summary: 'Rotate the credential of the calling device',
  description:
    'The reply has another credential. The one that it was asked with opens for ten minutes more, so that a lost reply locks no device out: ask again with it.',
  idempotency: 'none',
  rate: 'write',
  reply: { status: 200, schema: withCredential },
  errors: [],
  example: { reply: { ...example, one_time_value: issued } },
})
