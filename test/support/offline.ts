import { newConfiguration } from './configurations.ts'
import { asks, newCode, newDevice } from './devices.ts'
import { call, type Merchant, newMerchant } from './merchant.ts'
import { adminSql } from './stack.ts'

export interface Allowance {
  id: string
  amount_max: string
  stored_amount_max: string
  stored_hours_max: number
}

export interface Stored {
  id: string
  allowance_id: string
  sequence: number
  amount: string
  amount_tip: string
  currency: string
  taken_at: string
  card: { token: string; presented_as: string; answer?: string }
  signature: string
}

export interface Batch {
  results: { id: string; status: string; refusal_code: string | null; offline_payment_id: string | null }[]
  offline_allowance: Allowance | null
  error?: { code: string; param: string | null }
}

const base64Url = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')

/** A reader's key, and the public part of it as the reader says it when it is paired. */
export async function newSigningKey() {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const publicKey = base64Url(await crypto.subtle.exportKey('raw', pair.publicKey))
  return { privateKey: pair.privateKey, publicKey }
}
type SigningKey = Awaited<ReturnType<typeof newSigningKey>>

export const pairSigning = (code: string, { publicKey }: Pick<SigningKey, 'publicKey'>) =>
  asks(code, 'POST', '/v1/device/pair', { signing_key: publicKey })

interface Told {
  offline_allowance: Allowance | null
}
/** What a reader may store now. */
export const allowanceOf = async ({ credential }: { credential: string }) =>
  (await asks<Told>(credential, 'GET', '/v1/device/next-action')).body.offline_allowance

/** A reader that may store payments: at most 500.00 each and 2,000.00 in all, where `fields` says nothing else. */
export async function newOfflineCounter(merchant?: Merchant, fields: object = {}) {
  const owner = merchant ?? (await newMerchant())
  const device = await newDevice(owner)
  const configuration = await newConfiguration(owner, fields)
  const at = `/v1/terminal/readers/${device.id}`
  await asks(owner.apiKey, 'PATCH', at, { terminal_configuration_id: configuration.id })
  const key = await newSigningKey()
  const { body } = await pairSigning(await newCode(owner, device), key)
  const reader = { ...body, credential: body.one_time_value! }
  return { merchant: owner, reader, configuration, key, allowance: (await allowanceOf(reader))! }
}
export type OfflineCounter = Awaited<ReturnType<typeof newOfflineCounter>>

/** What the reader signs. Each text as it is sent. */
const signedText = ({ card, ...stored }: Omit<Stored, 'signature'>) =>
  [
    'spindle-offline-1',
    stored.id,
    stored.allowance_id,
    stored.sequence,
    stored.amount,
    stored.amount_tip,
    stored.currency,
    stored.taken_at,
    card.token,
    card.presented_as,
  ].join('\n')

export async function signs(
  { privateKey }: Pick<SigningKey, 'privateKey'>,
  stored: Omit<Stored, 'signature'>,
) {
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const bytes = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(signedText(stored)))
  return { ...stored, signature: base64Url(bytes) }
}

let sequence = 0

/** A payment that the reader takes while it has no network: 120.00, where `fields` says nothing else. */
export const stores = (
  { key, allowance }: Pick<OfflineCounter, 'key' | 'allowance'>,
  fields: Partial<Stored> & { token?: string; answer?: string } = {},
): Promise<Stored> => {
  const { token = 'tok_sbx_approve', answer, ...more } = fields
  return signs(key, {
    id: crypto.randomUUID(),
    allowance_id: allowance.id,
    sequence: ++sequence,
    amount: '12000',
    amount_tip: '0',
    currency: 'mxn',
    taken_at: new Date().toISOString(),
    card: { token, presented_as: 'tap', ...(answer ? { answer } : {}) },
    ...more,
  })
}

export const forwards = (
  { reader }: { reader: { credential: string } },
  payments: readonly object[],
  more: object = {},
) => asks<Batch>(reader.credential, 'POST', '/v1/device/offline-payments', { payments, ...more })

/** `succeeded`, `refused signature_invalid`, in the order that was sent. */
export const outcomes = ({ body }: { body: Batch }) =>
  body.results.map(({ status, refusal_code }) => (refusal_code ? `${status} ${refusal_code}` : status))

export interface OfflinePayment {
  id: string
  status: string
  refusal_code: string | null
  in_person_payment_id: string | null
  payment_id: string | null
  taken_at: string
  loss: { reason: string; amount: string } | null
}

export const listOffline = async ({ apiKey }: Pick<Merchant, 'apiKey'>, query = '') =>
  (await call<{ data: OfflinePayment[] }>('GET', `/v1/terminal/offline-payments${query}`, { bearer: apiKey }))
    .body.data

/** What was charged, what is in the books, and what is lost, of one workspace: counts, and sums in minor units. */
export async function offlineBooks({ tenantId }: Pick<Merchant, 'tenantId'>) {
  const [books] = await adminSql('sandbox')<Record<string, string>>(
    `select (select count(*) from payments where tenant_id = $1)::int payments,
       (select coalesce(sum(amount_captured_minor), 0) from payments where tenant_id = $1)::text captured,
       (select coalesce(sum(c.amount_minor), 0) from simulator.charges c join payment_attempts a on a.id = c.reference
          where a.tenant_id = $1 and c.state = 'captured')::text charged,
       (select count(*) from offline_losses where tenant_id = $1)::int losses,
       (select coalesce(sum(amount_minor), 0) from offline_losses where tenant_id = $1)::text lost`,
    [tenantId],
  )
  return books
}
