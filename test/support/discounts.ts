import { checkout } from './checkout.ts'
import type { Merchant } from './merchant.ts'
import { stack } from './stack.ts'

export interface Discount {
  id: string
  code: string
  active: boolean
  uses_count: number
  version: number
  error?: { code: string; param: string | null; message: string }
}

export const codes = (merchant: Merchant, method: 'GET' | 'POST' | 'PATCH', at: string, body?: object) =>
  checkout<Discount>(merchant, method, `/discounts${at}`, body)

export async function newDiscount(merchant: Merchant, fields: object = {}): Promise<Discount> {
  const made = await codes(merchant, 'POST', '', { code: 'BUENFIN', percent_off_bps: 1_000, ...fields })
  if (made.status !== 201) throw new Error(`no discount: ${made.status} ${made.text}`)
  return made.body
}

export const usesOf = async (merchant: Merchant, { id }: Discount): Promise<number> =>
  (await codes(merchant, 'GET', `/${id}`)).body.uses_count

/** Sends the form by which a buyer changes the order; answers where they are sent. */
export async function adjustOrder(publicId: string, fields: Readonly<Record<string, string>>) {
  const reply = await fetch(`${stack.sandbox.directUrl}/${publicId}/order?method=card`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ locale: 'en', ...fields }),
  })
  return { status: reply.status, location: reply.headers.get('location') ?? '' }
}
