import { rates } from './carts.ts'
import { asked, newCatalog, newItem } from './digital-catalogs.ts'
import { adjustOrder } from './discounts.ts'
import { call, type Link, type Merchant } from './merchant.ts'

export interface SoldLink extends Link {
  line_items: { item_id: string; amount_total: string; quantity: number }[]
  amount: string
  error?: { code: string; param: string | null }
}

/** A link that sells these items of catalogs. */
export async function linkOfLines(
  { apiKey }: Merchant,
  line_items: readonly object[],
  fields: object = {},
): Promise<SoldLink> {
  const { status, body, text } = await call<SoldLink>('POST', '/v1/payment-links', {
    bearer: apiKey,
    body: { amount_source: 'catalog_line_item', currency: 'mxn', line_items, ...fields },
  })
  if (status !== 201) throw new Error(`no link: ${status} ${text}`)
  return body
}

/** An item at each rate of IVA, with it in the price and not; prices that leave fractions of a cent. */
export async function ofAllRates(merchant: Merchant): Promise<string[]> {
  const catalog = await newCatalog(merchant)
  const items: string[] = []
  for (const [at, rate] of rates.entries())
    for (const included of [true, false]) {
      const price = { amount: String(1_003 + 7 * at + Number(included)) }
      const fields = { kind: 'service', name: `Pieza ${rate} ${included}`, price, iva_rate: rate }
      const { id } = await newItem(merchant, catalog.id, { ...fields, price_includes_tax: included })
      items.push(id)
    }
  await asked(merchant, 'POST', `/${catalog.id}/publish`)
  return items
}

/** The query of a link's address by which a buyer has chosen this on its page. */
export async function orderAt(
  { public_id }: Link,
  chosen: Readonly<Record<string, string>>,
): Promise<string> {
  const { location } = await adjustOrder(public_id, chosen)
  return new URL(location, 'https://pay.example').search
}
