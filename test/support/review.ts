import { randomUUID } from 'node:crypto'
import { newAuthorized } from './authorized.ts'
import { type Customer, newProof } from './customer.ts'
import { call, type Merchant, newLink, openLink, pay, type Reply } from './merchant.ts'
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
    give_back_failure: string | null
  } | null
  error?: { code: string }
}

type Contradicted = { link: { id: string; public_id: string }; paymentId: string; location: string }

/** A payment of 1,200.00 of which the processor reports one centavo more: captured, or with `manual` authorised. */
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
/** Somebody who may decide, once a member of each workspace. */
function deciderOf(merchant: Merchant): Promise<Customer> {
  const decider = deciders.get(merchant.tenantId) ?? approverOf(merchant)
  deciders.set(merchant.tenantId, decider)
  return decider
}

/** Decides as somebody who may, with a fresh proof; `decision` may be one that nobody knows. */
export async function resolve(
  merchant: Merchant,
  paymentId: string,
  decision: string,
  { key = randomUUID() } = {},
): Promise<Reply<ReviewedAttempt>> {
  const customer = await deciderOf(merchant)
  const proof = await newProof(customer, merchant, {
    action: 'payment.resolve',
    scope: 'refunds:write',
    key,
    params: { payment_id: paymentId, decision },
  })
  return call('POST', `/v1/payment-operations/payments/${paymentId}/resolve`, {
    environment: merchant.environment,
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: merchant.tenantId, decision },
  })
}

export const attemptOf = async (
  { apiKey, environment }: Merchant,
  paymentId: string,
): Promise<ReviewedAttempt> => {
  const path = `/v1/payment-operations/payments/${paymentId}/attempts`
  const { body } = await call<{ data: ReviewedAttempt[] }>('GET', path, { bearer: apiKey, environment })
  return body.data.at(-1)!
}

/** Everything that went back at the simulated processor under this attempt's own reference. */
export const givenBack = (attemptId: string) =>
  adminSql('sandbox')<{ amount_minor: string; state: string }>(
    'select amount_minor, state from simulator.refunds where charge_reference = $1',
    [attemptId],
  )
