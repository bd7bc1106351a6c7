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
