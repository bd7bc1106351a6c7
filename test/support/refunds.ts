import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { paymentsOf } from './books.ts'
import { type Customer, newProof } from './customer.ts'
import { call, type Merchant, newLink, openLink, pay, type Reply } from './merchant.ts'
import { adminSql, trigger } from './stack.ts'

export type Refund = {
  id: string
  payment_id: string | null
  origin: string
  status: string
  method: string
  amount: string
  currency: string
  approved_at: string | null
  destination: { clabe: string; holder: string } | null
  pending_reason: string | null
  failure_code: string | null
  clave_rastreo: string | null
  review: { ours: object; theirs: object } | null
}

export type Payment = {
  id: string
  amount_captured: string
  amount_refunded: string
  amount_disputed: string
}

/** A payment by card, captured. Answers its id. */
export async function paidByCard(
  merchant: Merchant,
  {
    amount = 10_000,
    token = 'tok_sbx_approve',
    months,
    fields = {},
  }: { amount?: number; token?: string; months?: number; fields?: Record<string, unknown> } = {},
): Promise<string> {
  const link = await newLink(merchant, { manual_amount: amount, ...fields })
  const { status, html } = await pay(link.public_id, await openLink(link.public_id), token, months)
  expect(status, html).toBe(303)
  const payments = await paymentsOf(merchant.tenantId)
  const [{ id }] = (await adminSql('sandbox')<{ id: string }>(
    'select id from payments where tenant_id = $1 and origin_id = $2',
    [merchant.tenantId, link.id],
  )) as [{ id: string }]
  expect(payments.some((payment) => payment.id === id)).toBe(true)
  return id
}

/**
 * A payment that refunds handle as cash: the processor cannot send it back where it came from.
 * How cash is paid in is tested elsewhere.
 */
export async function paidInCash(merchant: Merchant, amount = 10_000): Promise<string> {
  const id = await paidByCard(merchant, { amount })
  await adminSql('sandbox')(`update payments set method = 'oxxo' where id = $1`, [id])
  return id
}

export const refund = (
  merchant: Merchant,
  body: Record<string, unknown>,
  headers?: Record<string, string>,
): Promise<Reply<Refund>> =>
  call<Refund>('POST', '/v1/refunds', {
    bearer: merchant.apiKey,
    body: { reason: 'requested_by_customer', ...body },
    ...(headers ? { headers } : {}),
  })

/** A refund in the processor's dashboard: of all that is left, or of `amount`. */
export const refundAtProcessor = (
  merchant: Merchant,
  paymentId: string,
  amount?: string,
  headers?: Record<string, string>,
): Promise<Reply<Refund>> =>
  call<Refund>('POST', '/v1/sandbox/refunds', {
    bearer: merchant.apiKey,
    body: { payment_id: paymentId, ...(amount === undefined ? {} : { amount }) },
    ...(headers ? { headers } : {}),
  })

/** The same, without a notification to us yet. Returns the processor's id of it. */
export async function unseenExternalRefunds(
  paymentId: string,
  amount: number,
  state: 'processing' | 'succeeded' | 'failed' = 'succeeded',
): Promise<string> {
  const [{ made_ref }] = (await adminSql('sandbox')<{ made_ref: string }>(
    `insert into simulator.refunds (reference, charge_reference, state, amount_minor, currency, made_ref)
     select gen_random_uuid(), a.id, $3, $2, a.currency, 'sbx_re_' || replace(gen_random_uuid()::text, '-', '')
     from payment_attempts a where a.payment_id = $1 and a.method = 'card' order by a.number desc limit 1
     returning made_ref`,
    [paymentId, amount, state],
  )) as [{ made_ref: string }]
  return made_ref
}

/** The processor's record of what was made there. */
export const madeIs = (refundRef: string, set: string) =>
  adminSql('sandbox')(`update simulator.refunds set ${set} where made_ref = $1`, [refundRef])

export const refundOf = async (merchant: Merchant, id: string): Promise<Refund> =>
  (await call<Refund>('GET', `/v1/refunds/${id}`, { bearer: merchant.apiKey })).body

export const paymentOf = async (merchant: Merchant, id: string): Promise<Payment> =>
  (await call<Payment>('GET', `/v1/payment-operations/payments/${id}`, { bearer: merchant.apiKey })).body

export const refundsOf = (tenantId: string) =>
  adminSql('sandbox')<{ id: string; status: string; amount_minor: string; failure_code: string | null }>(
    'select id, status, amount_minor, failure_code from refunds where tenant_id = $1 order by created_at, id',
    [tenantId],
  )

/** The orders sent after a reply end within a moment. */
export const ends = (merchant: Merchant, id: string, status: string): Promise<void> =>
  expect.poll(async () => (await refundOf(merchant, id)).status).toBe(status)

/** Runs the reconciler until every refund of the merchant is over or waits for a person, as the coming minutes would. */
export async function settleRefunds(tenantId: string, rounds = 20): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const waiting = await adminSql('sandbox')(
      `update refunds set next_check_at = now() - interval '1 second'
       where tenant_id = $1 and next_check_at is not null
         and status <> 'succeeded' and (status <> 'processing' or failure_code is null) returning id`,
      [tenantId],
    )
    if (waiting.length === 0) return
    await trigger('sandbox')
  }
}

/** What the simulated processor refunded of a merchant's payments. */
export const refundedAtProcessor = async (tenantId: string): Promise<bigint> => {
  const [row] = await adminSql('sandbox')<{ sum: string }>(
    `select coalesce(sum(amount_minor), 0)::text as sum from (
       select amount_minor from simulator.refunds where state = 'succeeded'
         and charge_reference in (select id from payment_attempts where tenant_id = $1)
       union all select amount_minor from simulator.bank_orders where state = 'paid'
         and reference in (select id from refunds where tenant_id = $1)) each`,
    [tenantId],
  )
  return BigInt(row!.sum)
}

export const eventsOf = async (tenantId: string, resourceId: string) =>
  adminSql('sandbox')<{ type: string; object: Record<string, unknown>; previous_attributes: object }>(
    'select type, object, previous_attributes from events where tenant_id = $1 and resource_id = $2 order by sequence',
    [tenantId, resourceId],
  )

/** The merchant's key has sent its day's limit to CLABEs: what it refunds there now waits for approval. */
export const refundsWait = ({ tenantId, keyId }: Merchant) =>
  adminSql('sandbox')(
    `insert into daily_spend (tenant_id, id, kid, kind, currency, day, sum_minor, limit_minor, updated_at)
     select tenant_id, gen_random_uuid(), kid, 'refunds', 'mxn', (now() at time zone 'America/Mexico_City')::date,
       2000000, 1000000000, now() from api_keys where tenant_id = $1 and id = $2`,
    [tenantId, keyId],
  )

export type SeenRefund = { id: string; amount: string; currency: string }

type Approved = Reply<Refund & { error?: { code: string; param: string | null } }>

/** An approval of the refund as seen, ready to be sent, with a fresh proof of exactly that, or of `proved`. */
export async function approvalOf(
  customer: Customer,
  merchant: Merchant,
  { id, amount, currency }: SeenRefund,
  proved: Record<string, string> = {},
): Promise<() => Promise<Approved>> {
  const key = randomUUID()
  const proof = await newProof(customer, merchant, {
    action: 'refund.approve',
    scope: 'refunds:write',
    key,
    params: { refund_id: id, amount, currency, ...proved },
  })
  return () =>
    call('POST', `/v1/refunds/${id}/approve`, {
      bearer: customer.token,
      headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
      body: { tenant_id: merchant.tenantId, amount, currency },
    })
}

export const approveRefund = async (...approval: Parameters<typeof approvalOf>): Promise<Approved> =>
  (await approvalOf(...approval))()

export const rejectRefund = (customer: Customer, merchant: Merchant, id: string): Promise<Reply<Refund>> =>
  call('POST', `/v1/refunds/${id}/reject`, {
    bearer: customer.token,
    body: { tenant_id: merchant.tenantId },
  })

/** Moves the available balance by a journal without a source. */
export async function moveBalance(tenantId: string, amountMinor: bigint): Promise<void> {
  await adminSql('sandbox')(
    `with journal as (insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at)
       values ($1, gen_random_uuid(), 'incoming_transfer', gen_random_uuid(), 'incoming', 'mxn', now()) returning id)
     insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
     select $1, id, line, 'mxn', account, amount::bigint from journal,
       (values (1, 'merchant_available', $2), (2, 'processor_clearing', $3)) as lines(line, account, amount)`,
    [tenantId, amountMinor.toString(), (-amountMinor).toString()],
  )
}
