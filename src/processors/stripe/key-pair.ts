import type Stripe from 'stripe'
import { connect, readTimeoutMs, type StripeAccount, verdictOf } from './client.ts'
import { afresh } from './intents.ts'

/** `secret_refused`, `publishable_refused`: Stripe does not know the key, or it lacks the right to make PaymentIntents. */
export type KeyPair = 'one_account' | 'two_accounts' | 'secret_refused' | 'publishable_refused'

const asking = { timeout: readTimeoutMs }

/**
 * Whether a publishable key opens the same account as the secret key. Stripe names no account of a publishable key; but
 * it shows a PaymentIntent to its account's publishable key alone, by the client secret
 * (https://docs.stripe.com/api/payment_intents/retrieve). The one made for that is never confirmed, and canceled.
 * @throws when Stripe does not answer
 */
export async function keyPair(account: StripeAccount, publishableKey: string): Promise<KeyPair> {
  const stripe = connect(account)
  const made = await answered(stripe.paymentIntents.create(params, { ...asking, ...afresh('key_check') }))
  if (made === 'refused') return 'secret_refused'
  const page = connect({ ...account, secretKey: publishableKey })
  const secret = { client_secret: made.client_secret! }
  try {
    const seen = await answered(page.paymentIntents.retrieve(made.id, secret, asking))
    return seen === 'refused' ? 'publishable_refused' : 'one_account'
  } catch (error) {
    if (verdictOf(error) === 'refused') return 'two_accounts'
    throw error
  } finally {
    const options = { ...asking, ...afresh(made.id) }
    await stripe.paymentIntents.cancel(made.id, ending, options).catch(() => {})
  }
}

/** Stripe's minimum. */
const params = {
  amount: 1000,
  currency: 'mxn',
  metadata: { purpose: 'key_check' },
} satisfies Stripe.PaymentIntentCreateParams

const ending = { cancellation_reason: 'abandoned' } satisfies Stripe.PaymentIntentCancelParams

const answered = <T>(call: Promise<T>): Promise<T | 'refused'> =>
  call.catch((error: unknown) => {
    if (verdictOf(error) === 'not_authorized') return 'refused' as const
    throw error
  })
