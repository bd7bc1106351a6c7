import type Stripe from 'stripe'
import type { Sale, TokenFacts } from '../port.ts'
import { isMissing, readTimeoutMs } from './client.ts'
import { toStripeAmount } from './money.ts'
import { cardOf, factsOf } from './states.ts'

const reading = { timeout: readTimeoutMs }

/** In one call: the card, and for a sale in installments the terms that Stripe offers it for this amount. */
export async function describe(
  stripe: Stripe,
  token: string,
  sale: Sale,
): Promise<Omit<TokenFacts, 'accountId'> | null> {
  try {
    if (token.startsWith('ctoken_')) {
      const { payment_method_preview: preview } = await stripe.confirmationTokens.retrieve(token, {}, reading)
      return preview?.card ? { card: factsOf(preview.card), installmentMonths: [] } : null
    }
    if (!token.startsWith('pm_')) return null
    if (!sale.installments || sale.currency !== 'mxn') {
      const { card } = await stripe.paymentMethods.retrieve(token, {}, reading)
      return card ? { card: factsOf(card), installmentMonths: [] } : null
    }
    const intent = await stripe.paymentIntents.create(planParams(token, sale), reading)
    const card = cardOf(intent)
    const plans = intent.payment_method_options?.card?.installments?.available_plans ?? []
    const months = plans.flatMap(({ type, count }) => (type === 'fixed_count' && count ? [count] : []))
    return card ? { card, installmentMonths: months } : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
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
