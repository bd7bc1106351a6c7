import { newSession, payByCard } from './checkout.ts'
import { newCatalog, newItem } from './digital-catalogs.ts'
import { call, type Merchant } from './merchant.ts'
import { pageOf } from './pages.ts'
import { trigger } from './stack.ts'

export interface Entitlement {
  id: string
  status: string
  item_id: string
  payment_id: string
  kind: string
  number: number
  code_last4: string | null
  downloads_count: number
  expires_at: string | null
  ready_at: string | null
  redeemed_at: string | null
  revoked_at: string | null
  revoked_because: string | null
  version: number
  error?: { code: string; param: string | null; message: string }
}

/** A request about entitlements, keys and files by the merchant's key. */
export const entitled = <Body = Entitlement>(
  merchant: Merchant,
  method: 'GET' | 'POST' | 'DELETE',
  at: string,
  body?: object,
) =>
  call<Body>(method, `/v1${at.replace(/^\/files/, '/delivered-files')}`, {
    bearer: merchant.apiKey,
    ...(body ? { body: body as never } : {}),
  })

/** An item for sale at 100.00 in a published catalog of its own. */
export async function digital(merchant: Merchant, fields: object): Promise<string> {
  const catalog = await newCatalog(merchant)
  const { id } = await newItem(merchant, catalog.id, { name: 'Guía', price: { amount: '10000' }, ...fields })
  await call('POST', `/v1/digital-catalogs/${catalog.id}/publish`, { bearer: merchant.apiKey })
  return id
}

export const pool = { kind: 'license_key', keys: 'pool' }

export const addKeys = (merchant: Merchant, itemId: string, ...keys: readonly string[]) =>
  entitled<{ added: number; known: number; error?: { code: string } }>(merchant, 'POST', '/license-keys', {
    item_id: itemId,
    keys,
  })

export interface Bought {
  readonly paymentId: string
  /** The path of the receipt. */
  readonly receipt: string
}

/** Buys items by card: each with its quantity. */
export async function buy(
  merchant: Merchant,
  ...lines: readonly (readonly [itemId: string, quantity?: number])[]
): Promise<Bought> {
  const session = await newSession(merchant, {
    line_items: lines.map(([item_id, quantity = 1]) => ({ item_id, quantity })),
  })
  await payByCard(session)
  const { data } = (
    await call<{ data: { id: string; public_id: string }[] }>(
      'GET',
      '/v1/payment-operations/payments?limit=1',
      { bearer: merchant.apiKey },
    )
  ).body
  return { paymentId: data[0]!.id, receipt: `/${session.public_id}/${data[0]!.public_id}` }
}

/** What a payment granted, once what is due was done. */
export async function grantedTo(merchant: Merchant, { paymentId }: Bought): Promise<Entitlement[]> {
  await trigger('sandbox')
  return grantedNow(merchant, paymentId)
}

export const grantedNow = async (merchant: Merchant, paymentId: string): Promise<Entitlement[]> =>
  (
    await entitled<{ data: Entitlement[] }>(
      merchant,
      'GET',
      `/entitlements?payment_id=${paymentId}&limit=100`,
    )
  ).body.data

/** Adds a file of these bytes to an item; answers its id. */
export async function addFile(
  merchant: Merchant,
  itemId: string,
  content = Buffer.from('%PDF-1.7 recetas'),
  name = 'Recetario ñ.pdf',
): Promise<string> {
  const { status, body, text } = await entitled<{ id: string }>(merchant, 'POST', '/files', {
    item_id: itemId,
    name,
    content: content.toString('base64'),
  })
  if (status !== 201) throw new Error(`no file: ${status} ${text}`)
  return body.id
}

export const refundOf = (merchant: Merchant, paymentId: string, amount?: string) =>
  call('POST', '/v1/refunds', {
    bearer: merchant.apiKey,
    body: { payment_id: paymentId, reason: 'requested_by_customer', ...(amount ? { amount } : {}) },
  })

/** The keys and codes that a receipt shows. */
export const codeOn = async (receipt: string) =>
  [...(await pageOf(`${receipt}?lang=en`)).html.matchAll(/<code translate="no">([^<]*)</g)].map(
    ([, code]) => code!,
  )

/** The addresses of the downloads on a receipt. */
export const downloadsOn = async (receipt: string) =>
  [...(await pageOf(`${receipt}?lang=en`)).html.matchAll(/href="(\/downloads\/[^"]+)"/g)].map(
    ([, path]) => path!,
  )
