import { type Link, type Merchant, newLink, newNetwork, openLink, type PayForm } from './merchant.ts'
import { adminSql, stack } from './stack.ts'

export type Buyer = { name: string; email: string }

export const buyer: Buyer = { name: 'Ana López', email: 'ana@example.com' }

/** Sends the form of a link's page for cash. Answers where the buyer is sent. */
export async function payInCash(
  publicId: string,
  form: PayForm,
  method: 'oxxo' | 'spei',
  who: Buyer = buyer,
  network: string = newNetwork(),
): Promise<{ status: number; location: string | null; html: string }> {
  const body = new URLSearchParams({ ...form, ...who, method, locale: 'en' })
  const url = `${stack.sandbox.directUrl}/${publicId}/attempts`
  const response = await fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { 'cf-connecting-ip': network },
  })
  return { status: response.status, location: response.headers.get('location'), html: await response.text() }
}

export type VoucherRecord = {
  id: string
  reference: string
  status: string
  payment_id: string
  attempt_id: string
}

export const vouchersOf = (tenantId: string): Promise<VoucherRecord[]> =>
  adminSql('sandbox')<VoucherRecord>(
    `select id, reference, status, payment_id, attempt_id from vouchers where tenant_id = $1
     order by created_at, id`,
    [tenantId],
  )

export type VoucherInHand = { link: Link; location: string; reference: string }

/** A link that a buyer has taken a voucher on. */
export async function newVoucher(
  merchant: Merchant,
  fields: Record<string, unknown> = {},
  who: Buyer = buyer,
): Promise<VoucherInHand> {
  const link = await newLink(merchant, { payment_method_types: ['card', 'oxxo'], ...fields })
  const { location } = await payInCash(link.public_id, await openLink(link.public_id), 'oxxo', who)
  if (!location) throw new Error('the buyer got no voucher')
  const reference = (await vouchersOf(merchant.tenantId)).at(-1)?.reference
  return { link, location: location.replace(/\?.*/, ''), reference: reference ?? '' }
}
