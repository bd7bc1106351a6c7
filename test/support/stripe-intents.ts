import type Stripe from 'stripe'
import { laterSeconds, nowSeconds } from './stripe-answers.ts'
import { clabeOf, speiOf } from './stripe-cash.ts'
import { type Method, methodOf } from './stripe-methods.ts'

/** A PaymentIntent as the stand-in keeps it; `intentOf` writes it as Stripe does. */
export interface Intended {
  readonly id: string
  readonly livemode: boolean
  readonly created: number
  readonly amount: number
  readonly currency: string
  readonly status: Stripe.PaymentIntent.Status
  readonly type: Method['type']
  /** The PaymentMethod in use, or the last one; `token` is the name of its test card. */
  readonly method: Method | null
  readonly token: string | null
  readonly capture: 'automatic' | 'manual'
  readonly metadata: Readonly<Record<string, string>>
  readonly description: string | null
  readonly suffix: string | null
  readonly charged: 'no' | 'failed' | 'authorized' | 'paid'
  /** What was captured, or applied from a cash balance. */
  readonly received?: number
  readonly error?: { readonly code: string; readonly decline_code?: string }
  readonly action?: Stripe.PaymentIntent.NextAction
  /** Terms asked for: those that the card has. */
  readonly plans?: readonly number[]
  readonly planMonths?: number
  readonly threeDs?: 'any' | 'automatic'
  readonly authenticated?: boolean
  readonly expiresAfterDays?: number
  readonly customer?: string
  readonly canceledAt?: number
  readonly cancellationReason?: Stripe.PaymentIntent.CancellationReason
  readonly refunded?: number
  readonly disputed?: boolean
}

/** After a change: what no longer holds in the new status goes, what must be there comes. */
export function moved(before: Intended, change: Partial<Intended>): Intended {
  const after = { ...before, ...change }
  const { status } = after
  if (status === 'succeeded')
    return { ...after, charged: 'paid', authenticated: after.authenticated ?? before.action !== undefined }
  if (status === 'requires_capture') return { ...after, charged: 'authorized' }
  if (status === 'canceled' && before.status !== 'canceled')
    return {
      ...after,
      canceledAt: nowSeconds(),
      cancellationReason: change.cancellationReason ?? 'requested_by_customer',
    }
  return { ...after, charged: after.error?.code === 'card_declined' ? 'failed' : after.charged }
}

export const chargeIdOf = ({ id, charged }: Pick<Intended, 'id' | 'charged'>) =>
  charged === 'no' ? null : `ch_${id.slice(3)}`

export const voucherAction = {
  type: 'oxxo_display_details',
  oxxo_display_details: {
    number: '12345678901234567890123456789012',
    expires_after: laterSeconds,
    hosted_voucher_url: 'https://payments.stripe.example/voucher',
  },
} satisfies Stripe.PaymentIntent.NextAction

export const transferAction = (customer: string) =>
  ({
    type: 'display_bank_transfer_instructions',
    display_bank_transfer_instructions: {
      amount_remaining: 0,
      currency: 'mxn',
      hosted_instructions_url: 'https://payments.stripe.example/instructions',
      reference: clabeOf(customer).slice(-7),
      type: 'mx_bank_transfer',
      financial_addresses: [{ type: 'spei', supported_networks: ['spei'], spei: speiOf(customer) }],
    },
  }) satisfies Stripe.PaymentIntent.NextAction

export const challengeAction = (url: string) =>
  ({
    type: 'redirect_to_url',
    redirect_to_url: { url, return_url: 'https://pay.stripe.example/back' },
  }) satisfies Stripe.PaymentIntent.NextAction

/** What the intent holds: captured, or so far applied. */
const receivedOf = ({ status, received, amount }: Intended) =>
  status === 'succeeded' ? (received ?? amount) : status === 'requires_action' ? (received ?? 0) : 0

function actionOf(intended: Intended): Stripe.PaymentIntent.NextAction | null {
  const { action, status, amount } = intended
  if (status !== 'requires_action' || !action) return null
  const transfer = action.display_bank_transfer_instructions
  if (!transfer) return action
  const amount_remaining = amount - receivedOf(intended)
  return { ...action, display_bank_transfer_instructions: { ...transfer, amount_remaining } }
}

function errorOf(intended: Intended): Stripe.PaymentIntent.LastPaymentError | null {
  const { error, method, status } = intended
  if (!error || status === 'succeeded' || status === 'requires_capture') return null
  const charge = error.code === 'card_declined' ? chargeIdOf(intended) : null
  return {
    type: error.code === 'card_declined' ? 'card_error' : 'invalid_request_error',
    message: 'The payment failed',
    ...error,
    ...(charge ? { charge } : {}),
    ...(method ? { payment_method: methodOf(method) } : {}),
  }
}

function optionsOf(intended: Intended): Stripe.PaymentIntent.PaymentMethodOptions {
  const { type, plans, planMonths, threeDs = 'automatic', expiresAfterDays = 3 } = intended
  if (type === 'oxxo') return { oxxo: { expires_after_days: expiresAfterDays } }
  if (type === 'card_present')
    return {
      card_present: {
        request_extended_authorization: false,
        request_incremental_authorization_support: false,
      },
    }
  if (type === 'customer_balance')
    return {
      customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'mx_bank_transfer' } },
    }
  const plan = (count: number) => ({ count, interval: 'month' as const, type: 'fixed_count' as const })
  const installments = plans && {
    available_plans: plans.map(plan),
    enabled: true,
    plan: planMonths === undefined ? null : plan(planMonths),
  }
  return {
    card: {
      installments: installments ?? null,
      mandate_options: null,
      network: null,
      request_three_d_secure: threeDs,
    },
  }
}

/** As Stripe writes it: ids for what is not expanded, and only what belongs to its status. */
export function intentOf(intended: Intended): Stripe.PaymentIntent {
  const { id, amount, currency, status, method, error } = intended
  // A declined method is detached: https://docs.stripe.com/payments/paymentintents/lifecycle
  const inUse = status === 'requires_payment_method' || (status === 'canceled' && error) ? null : method
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: [intended.type],
    amount,
    amount_capturable: status === 'requires_capture' ? amount : 0,
    amount_details: { tip: {} },
    amount_received: receivedOf(intended),
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    canceled_at: intended.canceledAt ?? null,
    cancellation_reason: intended.cancellationReason ?? null,
    capture_method: intended.capture,
    client_secret: `${id}_secret_x`,
    confirmation_method: 'automatic',
    created: intended.created,
    currency,
    customer: intended.customer ?? null,
    customer_account: null,
    description: intended.description,
    excluded_payment_method_types: null,
    last_payment_error: errorOf(intended),
    latest_charge: chargeIdOf(intended),
    livemode: intended.livemode,
    managed_payments: null,
    metadata: { ...intended.metadata },
    next_action: actionOf(intended),
    on_behalf_of: null,
    payment_method: inUse?.id ?? null,
    payment_method_configuration_details: null,
    payment_method_options: optionsOf(intended),
    payment_method_types: [intended.type],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intended.suffix,
    status,
    transfer_data: null,
    transfer_group: null,
  }
}
