import type Stripe from 'stripe'
import type { Sale, TokenFacts } from '../port.ts'
import {
  connect,
  isMissing,
  mayAskTerms,
  ofMode,
  readTimeoutMs,
  type StripeAccount,
  verdictOf,
} from './client.ts'
import { afresh } from './intents.ts'
import { toStripeAmount } from './money.ts'
import { cardOf, factsOf } from './states.ts'

type Facts = Omit<TokenFacts, 'accountId'>

const reading = { timeout: readTimeoutMs }

/** The card, and for a sale in installments the terms that Stripe offers it for this amount. */
export async function describe(
  stripe: Stripe,
  account: StripeAccount,
  token: string,
  sale: Sale,
): Promise<Facts | null> {
  try {
    if (token.startsWith('ctoken_')) {
      const facts = ofMode(stripe, await stripe.confirmationTokens.retrieve(token, {}, reading))
      const { payment_method_preview: preview } = facts
      return preview?.card ? { ...knownBy(preview.card), installmentMonths: [] } : null
    }
    if (!token.startsWith('pm_')) return null
    const asks = sale.installments && sale.currency === 'mxn'
    const facts = asks && mayAskTerms(account) ? await withTerms(account, token, sale) : 'busy'
    if (facts !== 'busy') return facts
    const { card } = ofMode(stripe, await stripe.paymentMethods.retrieve(token, {}, reading))
    return card ? { ...knownBy(card), installmentMonths: [], ...(asks ? { termsUnknown: true } : {}) } : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

type StripeCard = Parameters<typeof factsOf>[0] & { readonly fingerprint?: string | null }

/** Its facts, and what Stripe gives the same card each time (docs.stripe.com/api/payment_methods/object, `card.fingerprint`). */
const knownBy = (card: StripeCard) => ({
  card: factsOf(card),
  ...(card.fingerprint ? { fingerprint: card.fingerprint } : {}),
})

/**
 * Asks with a PaymentIntent that is never confirmed, and ends it. `busy`: Stripe has no room for the question, which is
 * no reason to refuse the card.
 */
async function withTerms(account: StripeAccount, token: string, sale: Sale): Promise<Facts | null | 'busy'> {
  const stripe = connect(account, { lane: 'terms' })
  try {
    const intent = ofMode(stripe, await stripe.paymentIntents.create(planParams(token, sale), reading))
    const ended = end(stripe, intent.id)
    if (account.background) account.background(ended)
    else await ended
    const card = cardOf(intent)
    const plans = intent.payment_method_options?.card?.installments?.available_plans ?? []
    const months = plans.flatMap(({ type, count }) => (type === 'fixed_count' && count ? [count] : []))
    const method = typeof intent.payment_method === 'object' ? intent.payment_method?.card : null
    return card ? { ...(method && knownBy(method)), card, installmentMonths: months } : null
  } catch (error) {
    if (verdictOf(error) === 'not_sent') return 'busy'
    throw error
  }
}

/** One that stays open harms nothing but the order in the Dashboard. */
async function end(stripe: Stripe, id: string): Promise<void> {
  const params = { cancellation_reason: 'abandoned' } satisfies Stripe.PaymentIntentCancelParams
  await stripe.paymentIntents.cancel(id, params, { ...reading, ...afresh(`${id}:cancel`) }).catch(() => {})
}

/** Stripe shows a card's terms only on a PaymentIntent: this one is never confirmed. */
const planParams = (token: string, { amountMinor, currency }: Sale) =>
  ({
    amount: toStripeAmount(amountMinor),
    currency,
    payment_method: token,
    allowed_payment_method_types: ['card'],
    payment_method_options: { card: { installments: { enabled: true } } },
    metadata: { purpose: 'installment_plans' },
    expand: ['payment_method'],
  }) satisfies Stripe.PaymentIntentCreateParams
