import type Stripe from 'stripe'

// Stripe's replies, by the types of its library.

export interface Intended {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly status: Stripe.PaymentIntent.Status
  readonly type: string
  readonly token: string | null
  readonly capture: string
  readonly metadata: Readonly<Record<string, string>>
  readonly received?: number
  readonly error?: { readonly code: string; readonly decline_code?: string }
  readonly action?: Stripe.PaymentIntent.NextAction
  readonly plans?: readonly number[]
  readonly customer?: string
}

/** Test cards by PaymentMethod id: what they are and how their payments end. */
export const cards: Readonly<
  Record<string, { brand: string; last4: string; funding: string; plans?: readonly number[] }>
> = {
  pm_approve: { brand: 'visa', last4: '4242', funding: 'credit' },
  pm_msi: { brand: 'mastercard', last4: '0008', funding: 'credit', plans: [3, 6, 9, 12] },
  pm_challenge: { brand: 'visa', last4: '3220', funding: 'credit' },
  pm_funds: { brand: 'visa', last4: '9995', funding: 'debit' },
  pm_stolen: { brand: 'visa', last4: '9979', funding: 'credit' },
}

export const clabe = '646180111805034237'

export function cardOf(token: string) {
  const card = cards[token]
  return card ? { ...card, iin: null } : null
}

export function methodOf(token: string): Stripe.PaymentMethod {
  const card = cardOf(token)
  return { id: token, object: 'payment_method', type: 'card', card } as unknown as Stripe.PaymentMethod
}

/** A moment well after any test begins: 2030-01-02 05:59:59 UTC is the end of a day in Mexico City. */
export const laterSeconds = Date.UTC(2030, 0, 2, 5, 59, 59) / 1000

export const voucherAction = {
  type: 'oxxo_display_details',
  oxxo_display_details: {
    number: '12345678901234567890123456789012',
    expires_after: laterSeconds,
    hosted_voucher_url: 'https://payments.stripe.example/voucher',
  },
} satisfies Stripe.PaymentIntent.NextAction

export const transferAction = (amount: number) =>
  ({
    type: 'display_bank_transfer_instructions',
    display_bank_transfer_instructions: {
      amount_remaining: amount,
      currency: 'mxn',
      hosted_instructions_url: null,
      reference: 'REF',
      type: 'mx_bank_transfer',
      financial_addresses: [{ type: 'spei', supported_networks: ['spei'], spei: speiAddress }],
    },
  }) satisfies Stripe.PaymentIntent.NextAction

const address = { city: null, country: 'MX', line1: null, line2: null, postal_code: null, state: null }

const speiAddress = {
  account_holder_address: address,
  account_holder_name: 'Stripe Payments Mexico',
  bank_address: address,
  bank_code: '646',
  bank_name: 'STP',
  clabe,
} satisfies Stripe.PaymentIntent.NextAction.DisplayBankTransferInstructions.FinancialAddress.Spei

export const fundingInstructions: Stripe.FundingInstructions = {
  object: 'funding_instructions',
  currency: 'mxn',
  funding_type: 'bank_transfer',
  livemode: true,
  bank_transfer: {
    country: 'MX',
    type: 'mx_bank_transfer',
    financial_addresses: [{ type: 'spei', spei: speiAddress }],
  },
}

export const challengeAction = (url: string) =>
  ({
    type: 'redirect_to_url',
    redirect_to_url: { url, return_url: null },
  }) satisfies Stripe.PaymentIntent.NextAction

/** Only fields that Stripe always returns, and those that differ between tests. */
export function intentOf(intended: Intended): Stripe.PaymentIntent {
  const { id, amount, currency, status, token } = intended
  const received = status === 'succeeded' ? (intended.received ?? amount) : 0
  const paid = status === 'succeeded' || status === 'requires_capture'
  const card = token === null ? null : cardOf(token)
  const charge = {
    id: `ch_${id.slice(3)}`,
    object: 'charge',
    payment_method_details: {
      type: 'card',
      card: { ...card, ...(status === 'requires_capture' ? { capture_before: laterSeconds } : {}) },
    },
  } as unknown as Stripe.Charge
  const error = intended.error && {
    ...intended.error,
    type: 'card_error' as const,
    message: 'refused',
    ...(token ? { payment_method: methodOf(token) } : {}),
  }
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: [intended.type],
    amount,
    amount_capturable: status === 'requires_capture' ? amount : 0,
    amount_received: received,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: intended.capture,
    client_secret: `${id}_secret_x`,
    confirmation_method: 'automatic',
    created: Math.floor(Date.now() / 1000),
    currency,
    customer: intended.customer ?? null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: error ?? null,
    latest_charge: paid && card ? charge : null,
    livemode: true,
    managed_payments: null,
    metadata: { ...intended.metadata },
    next_action: intended.action ?? null,
    on_behalf_of: null,
    payment_method: token ? methodOf(token) : null,
    payment_method_configuration_details: null,
    payment_method_options: intended.plans ? { card: planOptions(intended) } : null,
    payment_method_types: [intended.type],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_group: null,
  }
}

function planOptions({ plans = [] }: Intended): Stripe.PaymentIntent.PaymentMethodOptions.Card {
  const available_plans = plans.map((count) => ({
    count,
    interval: 'month' as const,
    type: 'fixed_count' as const,
  }))
  return {
    installments: { available_plans, enabled: true, plan: null },
  } as unknown as Stripe.PaymentIntent.PaymentMethodOptions.Card
}

export const refundOf = (
  id: string,
  amount: number,
  intent: string,
  metadata: Record<string, string>,
  status: string,
): Stripe.Refund => ({
  id,
  object: 'refund',
  amount,
  balance_transaction: null,
  charge: null,
  created: Math.floor(Date.now() / 1000),
  currency: 'mxn',
  customer: null,
  customer_account: null,
  metadata,
  payment_intent: intent,
  payment_method: null,
  reason: null,
  receipt_number: null,
  source_transfer_reversal: null,
  status,
  transfer_reversal: null,
  ...(status === 'failed' ? { failure_reason: 'declined' } : {}),
})

export const depositOf = (
  customer: string,
  id: string,
  amount: number,
  created = Math.floor(Date.now() / 1000),
): Stripe.CustomerCashBalanceTransaction => ({
  id,
  object: 'customer_cash_balance_transaction',
  created,
  currency: 'mxn',
  customer,
  customer_account: null,
  ending_balance: amount,
  livemode: true,
  net_amount: amount,
  type: 'funded',
  funded: { bank_transfer: { reference: 'R1', type: 'mx_bank_transfer' } },
})

export const disputeOf = (
  id: string,
  intent: Stripe.PaymentIntent,
  status: Stripe.Dispute.Status,
): Stripe.Dispute =>
  ({
    id,
    object: 'dispute',
    amount: intent.amount,
    currency: intent.currency,
    payment_intent: intent,
    reason: 'fraudulent',
    status,
    evidence_details: { due_by: laterSeconds, has_evidence: false, past_due: false, submission_count: 0 },
  }) as unknown as Stripe.Dispute

/** A status with its body. */
export interface Answer {
  readonly status: number
  readonly body: object
}

export const noKey: Answer = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } },
}
export const missing = (what: string): Answer =>
  refusal(404, 'invalid_request_error', 'resource_missing', what)
export const refusal = (
  status: number,
  type: string,
  code: string,
  message: string,
  more: object = {},
): Answer => ({
  status,
  body: { error: { type, code, message, ...more } },
})
export const failure = refusal(500, 'api_error', 'api_error', 'no')
