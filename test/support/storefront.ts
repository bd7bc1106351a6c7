import { asked, type Catalog, type Item, newCatalog, newItem } from './digital-catalogs.ts'
import { type Merchant, newMerchant } from './merchant.ts'
import { stack } from './stack.ts'
import { adjust } from './stock.ts'

export interface Shop {
  readonly merchant: Merchant
  readonly catalog: Catalog
  readonly path: string
}

/** A published catalog of a fresh workspace, or of `merchant`. */
export async function newShop(fields: object = {}, merchant?: Merchant): Promise<Shop> {
  const owner = merchant ?? (await newMerchant({ name: 'Cerámica Azul' }))
  const catalog = await newCatalog(owner, { name: 'Tienda de barro', ...fields })
  await asked(owner, 'POST', `/${catalog.id}/publish`)
  return { merchant: owner, catalog, path: `/k/${catalog.public_id}` }
}

/** An item of it with this price; `onHand`: counted, with so many there. */
export async function put(
  { merchant, catalog }: Shop,
  name: string,
  {
    onHand,
    amount = '10000',
    ...fields
  }: { onHand?: number; amount?: string } & Record<string, unknown> = {},
): Promise<Item> {
  const item = await newItem(merchant, catalog.id, {
    kind: 'physical_count',
    name,
    tracks_stock: onHand !== undefined,
    price: { amount },
    ...fields,
  })
  if (onHand) await adjust(merchant, item.id, onHand)
  return item
}

export interface Shown {
  readonly status: number
  readonly html: string
  readonly location: string | null
  readonly headers: Headers
}

async function shown(response: Response): Promise<Shown> {
  const { status, headers } = response
  return { status, html: await response.text(), location: headers.get('location'), headers }
}

/** A page as a browser gets it. */
export const see = async (path: string, headers: Record<string, string> = {}): Promise<Shown> =>
  shown(
    await fetch(`${stack.sandbox.directUrl}${path}`, {
      headers: { 'accept-language': 'en', ...headers },
      redirect: 'manual',
    }),
  )

let asks = 0

/** The first page at an address that no other test has asked for: it is in no cache. */
export const fresh = (path: string): string => {
  asks++
  return `${path}?after=0.${(asks + Date.now() + 3e9).toString(36)}.ffffffff-ffff-4fff-bfff-ffffffffffff`
}

export const attemptKeyIn = ({ html }: Shown): string =>
  /name="attempt_key" value="([a-z0-9]{32})"/.exec(html)?.[1] ?? ''

/** Choices of a page: `id:price`, by item. */
export const choicesIn = ({ html }: Shown): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/value="([0-9a-f-]{36}):(\d+)"/g)].map(([, id, price]) => [id!, `${id}:${price}`]),
  )

/** Sends a cart as the page's form does: quantities by item. */
export async function order(
  { path }: Pick<Shop, 'path'>,
  page: Shown,
  cart: Record<string, number | string>,
  more: Record<string, string> = {},
): Promise<Shown> {
  const choices = choicesIn(page)
  const body = new URLSearchParams({ attempt_key: attemptKeyIn(page), locale: 'en', ...more })
  for (const [id, quantity] of Object.entries(cart)) {
    body.set(`choice.${id}`, choices[id] ?? `${id}:10000`)
    body.set(`quantity.${id}`, String(quantity))
  }
  const url = `${stack.sandbox.directUrl}${path}/checkout`
  return shown(await fetch(url, { method: 'POST', body, redirect: 'manual' }))
}
