import { onSale } from './checkout.ts'
import { linkOfLines, orderAt, type SoldLink } from './link-lines.ts'
import { call, type Merchant, openLink, pay } from './merchant.ts'

export const many = { usage: 'multi_use' }
export const takesCodes = { ...many, allows_discount_codes: true }

export interface Paid {
  id: string
  status: string
  amount: string
  order: { discounts: { code: string; amount: string }[] }
}
export const paymentsOf = async ({ apiKey }: Merchant, { id }: { id: string }) =>
  (await call<{ data: Paid[] }>('GET', `/v1/payment-operations/payments?origin_id=${id}`, { bearer: apiKey }))
    .body.data

/** Plates at 100.00, of which there are many. */
export async function plates(
  merchant: Merchant,
  fields: object = takesCodes,
  quantity = 1,
): Promise<SoldLink> {
  const [item_id] = await onSale(merchant, 200)
  return linkOfLines(merchant, [{ item_id, quantity }], fields)
}

export const formOf = async (link: SoldLink, chosen: Readonly<Record<string, string>>) =>
  openLink(link.public_id, await orderAt(link, chosen))
export const buy = async (
  link: SoldLink,
  chosen: Readonly<Record<string, string>>,
  token = 'tok_sbx_approve',
) => pay(link.public_id, await formOf(link, chosen), token)
