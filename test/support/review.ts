import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { newAuthorized } from './authorized.ts'
import { type Customer, newProof } from './customer.ts'
import { call, type Merchant, newLink, openLink, pay, type Reply } from './merchant.ts'
import { paidByCard, type Refund, refund, settleRefunds } from './refunds.ts'
import { adminSql } from './stack.ts'
import { approverOf } from './transfers.ts'

export type ReviewedAttempt = {
  id: string
  status: string
  resolved_at: string | null
  review: {
    status: string
    resolution: string | null
    ours: { amount: string; currency: string }
    theirs: { state: string; amount: string; currency: string } | null
    void_or_refund_failure: string | null
  } | null
  error?: { code: string }
}

type Contradicted = { link: { id: string; public_id: string }; paymentId: string; location: string }

/** A payment of 1,200.00 of which the processor reports one centavo more: captured, or with `manual` authorized. */
export async function newContradicted(
  merchant: Merchant,
  { token = 'tok_sbx_amount_mismatch', manual = false } = {},
): Promise<Contradicted> {
  if (manual) return newAuthorized(merchant, { token })
  const link = await newLink(merchant)
  const { location } = await pay(link.public_id, await openLink(link.public_id), token)
  const [payment] = await adminSql('sandbox')<{ id: string }>(
    'select id from payments where tenant_id = $1 and origin_id = $2',
    [merchant.tenantId, link.id],
  )
  return { link, paymentId: payment!.id, location: location! }
}

const deciders = new Map<string, Promise<Customer>>()
/** A person with the right to decide, made a member of each workspace once. A drill asks for it before it sets a fault. */
export function deciderOf(merchant: Merchant): Promise<Customer> {
  const decider = deciders.get(merchant.tenantId) ?? approverOf(merchant)
  deciders.set(merchant.tenantId, decider)
  return decider
}

async function decide<Body>(
  merchant: Merchant,
  path: string,
  { action, about, decision, key }: { action: string; about: object; decision: string; key: string },
): Promise<Reply<Body>> {
  const customer = await deciderOf(merchant)
  const params = { ...about, decision }
  const proof = await newProof(customer, merchant, { action, scope: 'refunds:write', key, params })
  return call('POST', path, {
    environment: merchant.environment,
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: merchant.tenantId, decision },
  })
}

/** Decides about a payment, as such a person and with a fresh proof. */
export const resolve = (
  merchant: Merchant,
  paymentId: string,
  decision: string,
  { key = randomUUID() } = {},
): Promise<Reply<ReviewedAttempt>> =>
  decide(merchant, `/v1/payment-operations/payments/${paymentId}/resolve`, {
    action: 'payment.resolve',
    about: { payment_id: paymentId },
    decision,
    key,
  })

export type ReviewedRefund = Refund & {
  review: { ours: { amount: string }; theirs: { amount: string } } | null
  error?: { code: string }
}

/** The same about a refund. */
export const resolveRefund = (
  merchant: Merchant,
  refundId: string,
  decision: string,
  { key = randomUUID() } = {},
): Promise<Reply<ReviewedRefund>> =>
  decide(merchant, `/v1/refunds/${refundId}/resolve`, {
    action: 'refund.resolve',
    about: { refund_id: refundId },
    decision,
    key,
  })

/** A refund of all of 100.00 of which the processor reports a centavo less. Answers its id. */
export async function newContradictedRefund(merchant: Merchant): Promise<string> {
  const payment = await paidByCard(merchant, { token: 'tok_sbx_refund_timeout' })
  const { body } = await refund(merchant, { payment_id: payment })
  const sent = () => adminSql('sandbox')('select 1 from simulator.refunds where reference = $1', [body.id])
  await expect.poll(sent).toHaveLength(1)
  await reports(body.id, 9_999)
  await settleRefunds(merchant.tenantId)
  return body.id
}

/** What the simulated processor reports of a refund from now on. */
export const reports = (refundId: string, amountMinor: number) =>
  adminSql('sandbox')('update simulator.refunds set amount_minor = $2 where reference = $1', [
    refundId,
    amountMinor,
  ])

export const attemptOf = async (
  { apiKey, environment }: Merchant,
  paymentId: string,
): Promise<ReviewedAttempt> => {
  const path = `/v1/payment-operations/payments/${paymentId}/attempts`
  const { body } = await call<{ data: ReviewedAttempt[] }>('GET', path, { bearer: apiKey, environment })
  return body.data.at(-1)!
}

/** Everything returned at the simulated processor under this attempt's own reference. */
export const reversalsOf = (attemptId: string) =>
  adminSql('sandbox')<{ amount_minor: string; state: string }>(
    'select amount_minor, state from simulator.refunds where charge_reference = $1',
    [attemptId],
  )
