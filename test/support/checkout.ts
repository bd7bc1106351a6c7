import { newCatalog, newItem } from './digital-catalogs.ts'
import { call, type Merchant, openLink, type PayForm, pay } from './merchant.ts'
import { stack } from './stack.ts'
import { adjust } from './stock.ts'

export interface Session {
  id: string
  public_id: string
  url: string
  status: string
  payment_status: string
  payment_id: string | null
  amount: string
  amount_tax: string | null
  line_items: { name: string; amount_subtotal: string; amount_tax: string; amount_total: string }[]
  version: number
  error?: { code: string; param: string | null; message: string }
}

const path = '/v1/hosted-checkout'

/** A request about checkouts by the merchant's key. */
export const checkout = <Body = Session>(
  { apiKey }: Merchant,
  method: 'GET' | 'POST' | 'PATCH' | 'PUT',
  at: string,
  body?: object,
) => call<Body>(method, path + at, { bearer: apiKey, ...(body ? { body: body as never } : {}) })

export const cup = { name: 'Taza azul', unit_amount: '58000', quantity: 2 }

export async function newSession(
  merchant: Merchant,
  fields: object = { line_items: [cup] },
): Promise<Session> {
  const { status, body, text } = await checkout(merchant, 'POST', '/sessions', fields)
  if (status !== 201) throw new Error(`no session: ${status} ${text}`)
  return body
}

export const sessionNow = async (merchant: Merchant, { id }: Session): Promise<Session> =>
  (await checkout(merchant, 'GET', `/sessions/${id}`)).body

/** `complete/paid`: status and payment status. */
export const stateOf = async (merchant: Merchant, session: Session): Promise<string> => {
  const { status, payment_status } = await sessionNow(merchant, session)
  return `${status}/${payment_status}`
}

/** Items on sale in one published catalog, at 100.00 with their IVA, with this many in stock each. */
export async function onSale(merchant: Merchant, ...onHand: readonly number[]): Promise<string[]> {
  const catalog = await newCatalog(merchant)
  const items: string[] = []
  for (const [at, quantity] of onHand.entries()) {
    const { id } = await newItem(merchant, catalog.id, {
      kind: 'physical_count',
      name: `Plato ${'abcdefgh'[at]}`,
      price: { amount: '10000' },
    })
    if (quantity > 0) await adjust(merchant, id, quantity)
    items.push(id)
  }
  await call('POST', `/v1/digital-catalogs/${catalog.id}/publish`, { bearer: merchant.apiKey })
  return items
}

/** Pays a session by card, as a buyer's browser does. */
export const payByCard = async ({ public_id }: Session, token = 'tok_sbx_approve') =>
  pay(public_id, await openLink(public_id), token)

/** Sends the one button of the page of a session that costs nothing. */
export async function completeFree(publicId: string, form: PayForm, more: Record<string, string> = {}) {
  const reply = await fetch(`${stack.sandbox.directUrl}/${publicId}/complete`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...form, locale: 'en', ...more }),
  })
  return {
    status: reply.status,
    location: reply.headers.get('location') ?? '',
    cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '',
    html: await reply.text(),
  }
}
