import type Stripe from 'stripe'
import type { MethodState, MethodStates } from '../../../drizzle/schema/processors.ts'
import type { Method } from '../../kernel/payment-methods.ts'
import { isStripeKey } from '../../kernel/stripe-keys.ts'
import { connect, readTimeoutMs, type StripeAccount, verdictOf } from './client.ts'

/** What an account may do. */
export interface AccountFacts {
  /** Stripe's id of the account. */
  readonly accountRef: string
  /** Whether its key moves money. */
  readonly livemode: boolean
  /** Two letters; null where Stripe does not say. */
  readonly country: string | null
  readonly chargesEnabled: boolean
  /**
   * `off`: its owner has switched it off in the Dashboard. `inactive`: Stripe does not allow it. Null: Stripe does not
   * say, since the account never asked for it. Terms of cards are not here: Stripe tells them for one card and amount.
   */
  readonly methods: MethodStates
}

/** https://docs.stripe.com/connect/account-capabilities */
const needed = {
  card: ['card_payments', 'card'],
  oxxo: ['oxxo_payments', 'oxxo'],
  spei: ['mx_bank_transfer_payments', 'customer_balance'],
} as const satisfies Partial<
  Record<Method, readonly [keyof Stripe.Account.Capabilities, keyof Stripe.PaymentMethodConfiguration]>
>

/**
 * What these keys open. `refused`: Stripe does not know the key. A restricted key needs the right to read the account;
 * without the one to read payment method configurations no method is `off`.
 * @throws when Stripe does not answer
 */
export async function accountFacts(account: StripeAccount): Promise<AccountFacts | 'refused'> {
  const stripe = connect(account)
  try {
    const [read, switches] = await Promise.all([
      stripe.accounts.retrieveCurrent({}, { timeout: readTimeoutMs }),
      switchesOf(stripe),
    ])
    const stateOf = (method: keyof typeof needed) => methodState(read, switches, method)
    return {
      accountRef: read.id,
      livemode: switches?.livemode ?? !isStripeKey(account.secretKey, 'secret', 'sandbox'),
      country: read.country ?? null,
      chargesEnabled: read.charges_enabled,
      methods: { card: stateOf('card'), oxxo: stateOf('oxxo'), spei: stateOf('spei') },
    }
  } catch (error) {
    if (verdictOf(error) === 'not_authorized') return 'refused'
    throw error
  }
}

function methodState(
  { capabilities = {} }: Stripe.Account,
  switches: Stripe.PaymentMethodConfiguration | null,
  method: keyof typeof needed,
): MethodState | null {
  const [capability, name] = needed[method]
  // The library's type has room for every text.
  const state: string | undefined = capabilities[capability]
  const shown = switches?.[name]
  if (state === 'pending' || state === 'inactive') return state
  if (shown?.display_preference.value === 'off') return 'off'
  return state === 'active' || shown?.available ? 'active' : null
}

/** The switches in the Dashboard; null where the key may not read them. */
async function switchesOf(stripe: Stripe): Promise<Stripe.PaymentMethodConfiguration | null> {
  const pages = stripe.paymentMethodConfigurations.list({ limit: 100 }, { timeout: readTimeoutMs })
  try {
    for await (const each of pages) if (each.is_default && each.application === null) return each
    return null
  } catch (error) {
    if (verdictOf(error) === 'not_authorized') return null
    throw error
  }
}
