import { createHmac } from 'node:crypto'
import { type DeviceKind, kinds } from '../../functions/in-person/devices/kinds.ts'
import { call, type Merchant } from './merchant.ts'
import { stack } from './stack.ts'

export type Device = {
  id: string
  object: string
  status: string
  connection: string
  name: string
  location_id: string
  last_seen_at: string | null
  version: number
  one_time_value?: string
  error?: { code: string; param?: string }
}
export type Code = {
  one_time_value?: string
  device_id: string
  expires_at: string
  error?: { code: string }
}

/** A request with a merchant's key or a device's credential. */
export const asks = <Body = Device>(
  bearer: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
) => call<Body>(method, path, { bearer, ...(body ? { body: body as never } : {}) })

export const newLocation = async ({ apiKey }: Merchant, name = 'Roma', more: object = {}): Promise<string> =>
  (await asks<{ id: string }>(apiKey, 'POST', '/v1/workspace/locations', { name, ...more })).body.id

/** Where a processor takes readers. */
export const roma = {
  line1: 'Orizaba 101',
  city: 'Ciudad de México',
  state: 'CDMX',
  postal_code: '06700',
  country: 'MX',
}

export async function newDevice(
  merchant: Merchant,
  kind: DeviceKind = 'reader',
  more: object = {},
): Promise<Device> {
  const location_id = await newLocation(merchant, `Of ${crypto.randomUUID()}`, more)
  return (await asks(merchant.apiKey, 'POST', kinds[kind].path, { name: 'Mostrador', location_id })).body
}

/** The code that a merchant reads to whoever stands at the device. */
export const newCode = async ({ apiKey }: Merchant, { id, object }: Device): Promise<string> =>
  (await asks<Code>(apiKey, 'POST', `${kinds[object as DeviceKind].path}/${id}/pairing-codes`)).body
    .one_time_value!

export const pairWith = (code: string) => asks(code, 'POST', '/v1/device/pair', {})

/** A paired device with its credential. */
export async function newPaired(merchant: Merchant, kind: DeviceKind = 'reader') {
  const device = await newDevice(merchant, kind)
  const { body } = await pairWith(await newCode(merchant, device))
  return { ...body, credential: body.one_time_value! }
}

/** A status and the error or the status of the device: `200 paired`, `409 device_disabled`. */
export const answer = ({ status, body }: { status: number; body: Device | Code }) =>
  `${status} ${body.error?.code ?? (body as Device).status}`

/** Another code that begins like this one: each `at` below 10 gives another. */
export const wrongOf = (code: string, at: number) =>
  `${code.slice(0, 5)}${code[5] === 'Z' ? 'Y' : 'Z'}${code.slice(6, 8)}${at % 10}`

const digestsOf = (text: string) => ({
  1: createHmac('sha256', (JSON.parse(stack.sandbox.apiKeyPeppers) as Record<string, string>)['1']!)
    .update(text)
    .digest('hex'),
})

export const kidOf = (credential: string) => credential.split('_')[2]!.slice(1)

/** What the Worker tells the database of them. */
export const asDevice = (credential: string) => ({
  kind: 'device',
  kid: kidOf(credential),
  digests: digestsOf(credential),
})
export const asPairing = (code: string) => ({
  kind: 'pairing',
  prefix: code.slice(0, 4),
  digests: digestsOf(code),
})
