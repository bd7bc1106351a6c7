import { call, type Link, type Merchant, newLink, openLink, pay, type Reply } from './merchant.ts'
import { adminSql } from './stack.ts'

export type PaymentBody = {
  id: string
  status: string
  amount_authorized: string
  amount_captured: string
  capture_before: string | null
  amount_fee: string
  fee_details: { processing: string; installments: string; iva: string }
  amount_net: string
  error?: { code: string; param: string | null }
}

export type Authorized = { link: Link; paymentId: string; location: string }

/** A payment on a link with manual capture: authorized, unless the token makes it ask for more. */
export async function newAuthorized(
  merchant: Merchant,
  {
    token = 'tok_sbx_approve',
    months,
    ...fields
  }: { token?: string; months?: number } & Record<string, unknown> = {},
): Promise<Authorized> {
  const link = await newLink(merchant, { capture_method: 'manual', ...fields })
  const { location } = await pay(link.public_id, await openLink(link.public_id), token, months)
  const [payment] = await adminSql('sandbox')<{ id: string }>(
    'select id from payments where tenant_id = $1 and origin_id = $2 order by created_at desc',
    [merchant.tenantId, link.id],
  )
  return { link, paymentId: payment!.id, location: location! }
}

export const capture = (
  { apiKey }: { apiKey: string },
  paymentId: string,
  { amount, key }: { amount?: unknown; key?: string } = {},
): Promise<Reply<PaymentBody>> =>
  call('POST', `/v1/payments/${paymentId}/capture`, {
    bearer: apiKey,
    body: amount === undefined ? {} : { amount },
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })

export const cancel = (
  { apiKey }: { apiKey: string },
  paymentId: string,
  { key }: { key?: string } = {},
): Promise<Reply<PaymentBody>> =>
  call('POST', `/v1/payments/${paymentId}/cancel`, {
    bearer: apiKey,
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })

/** How many replies there were of each kind: the status of a payment, or the code of an error. */
export function tally(replies: readonly Reply<PaymentBody>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of replies) {
    const told = `${status} ${body.error?.code ?? body.status}`
    counts[told] = (counts[told] ?? 0) + 1
  }
  return counts
}
