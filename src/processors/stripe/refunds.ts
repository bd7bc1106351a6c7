import type Stripe from 'stripe'
import { Fault } from '../../kernel/fault.ts'
import type { RefundFacts, RefundOrder, RefundState } from '../port.ts'
import { isMissing, ofMode, readTimeoutMs, verdictOf } from './client.ts'
import { refundDeclineOf, refundFailureOf } from './declines.ts'
import { logRefusal } from './intents.ts'
import { fromStripeAmount, toStripeAmount } from './money.ts'
import { attemptKey, isOurId } from './params.ts'

/** The refund metadata key of our refund's id. */
export const refundKey = 'refund_id'

export const refundParams = (order: RefundOrder, intent: string) =>
  ({
    payment_intent: intent,
    amount: toStripeAmount(order.amountMinor),
    metadata: { [refundKey]: order.reference, [attemptKey]: order.attemptReference },
  }) satisfies Stripe.RefundCreateParams

/** Sends a refund once: returns the one sent before under this reference, also after Stripe has dropped its key. */
export async function refund(stripe: Stripe, order: RefundOrder): Promise<RefundState> {
  const intent = await intentOf(stripe, order)
  if (intent === null) return { state: 'unknown' }
  const before = await find(stripe, intent, order.reference)
  if (before) return stateOf(before)
  try {
    const options = { idempotencyKey: `${order.reference}:refund` }
    return stateOf(await stripe.refunds.create(refundParams(order, intent), options))
  } catch (error) {
    const verdict = verdictOf(error)
    // Refused before any money moved: already refunded, disputed, not refundable; or by the bank.
    if (verdict === 'refused') return { state: 'failed', code: 'processing_error' }
    if (verdict === 'declined')
      return { state: 'failed', code: refundDeclineOf((error as Stripe.errors.StripeError).decline_code) }
    // A key that was changed says nothing about the refund: it stays open and is asked for again.
    if (verdict === 'not_authorized') logRefusal(order.reference, error)
    throw error
  }
}

/** Stripe finds a refund only through its payment. */
export async function fetchRefund(
  stripe: Stripe,
  reference: string,
  order: RefundOrder | undefined,
): Promise<RefundState> {
  const intent = order ? await intentOf(stripe, order) : null
  if (intent === null) return { state: 'unknown' }
  const found = await find(stripe, intent, reference)
  return found ? stateOf(found) : { state: 'not_found' }
}

async function intentOf(stripe: Stripe, order: RefundOrder): Promise<string | null> {
  if (order.processorRef !== null) return order.processorRef
  const query = `metadata['${attemptKey}']:'${order.attemptReference}'`
  const { data } = await stripe.paymentIntents.search({ query, limit: 10 }, { timeout: readTimeoutMs })
  return data.find(({ status }) => status === 'succeeded')?.id ?? null
}

/**
 * A refund that Stripe made, or a user in its dashboard. Null for ours, which carry the ids of our refund and its
 * attempt in our form, for refunds of payments that are not ours, and for the release of an authorization, which older
 * versions of Stripe called a refund.
 * @throws Error where Stripe has a status that this version does not know
 */
export async function fetchExternalRefund(stripe: Stripe, refundRef: string): Promise<RefundFacts | null> {
  try {
    const params = { expand: ['payment_intent'] } satisfies Stripe.RefundRetrieveParams
    return factsOf(stripe, await stripe.refunds.retrieve(refundRef, params, { timeout: readTimeoutMs }))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function factsOf(stripe: Stripe, refund: Stripe.Refund): RefundFacts | null {
  const { id: refundRef, metadata, payment_intent: intent, reason, amount, currency } = refund
  if (intent !== null && typeof intent === 'object') ofMode(stripe, intent)
  const attemptReference = intent !== null && typeof intent === 'object' ? intent.metadata[attemptKey] : null
  if (!attemptReference || reason === 'expired_uncaptured_charge') return null
  if (isOurId(metadata?.[refundKey]) && metadata?.[attemptKey] === attemptReference) return null
  const facts = stateOf(refund)
  if (facts.state === 'unknown' || facts.state === 'not_found')
    throw new Fault(`a refund is ${refund.status}`)
  return {
    refundRef,
    attemptReference,
    state: facts.state,
    code: facts.state === 'failed' ? facts.code : null,
    amountMinor: fromStripeAmount(amount),
    currency,
  }
}

/** The list of one payment is complete at once, unlike search. */
async function find(stripe: Stripe, intent: string, reference: string): Promise<Stripe.Refund | null> {
  const pages = stripe.refunds.list({ payment_intent: intent, limit: 100 }, { timeout: readTimeoutMs })
  for await (const each of pages) if (each.metadata?.[refundKey] === reference) return each
  return null
}

const isOfTransfer = ({ destination_details: to, instructions_email: email }: Stripe.Refund) =>
  to?.type === 'mx_bank_transfer' || to?.type === 'customer_cash_balance' || typeof email === 'string'

export function stateOf(refund: Stripe.Refund): RefundState {
  const { id: processorRef, currency } = refund
  switch (refund.status) {
    case 'succeeded':
      return { state: 'succeeded', amountMinor: fromStripeAmount(refund.amount), currency, processorRef }
    case 'pending':
    case 'requires_action':
      return { state: 'processing', processorRef }
    // For 45 days Stripe asks the buyer of a transfer for the account to send to. The money of a transfer's refund that
    // ended is back in the customer's cash balance (https://docs.stripe.com/payments/customer-balance/refunding).
    case 'failed':
    case 'canceled':
      if (isOfTransfer(refund)) return { state: 'kept', processorRef }
      return { state: 'failed', code: refundFailureOf(refund.failure_reason) }
    default:
      return { state: 'unknown' }
  }
}
