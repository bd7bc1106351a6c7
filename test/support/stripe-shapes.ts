import type Stripe from 'stripe'
import { fileFields } from './stripe-files.ts'

// What we may send to Stripe, by its library's own types: a field that a version of the library no longer has does not
// compile here, and a field that we send but is missing here fails the test.

const card = {
  amount: 1,
  currency: 'mxn',
  confirm: true,
  description: 'x',
  metadata: { attempt_id: 'x' },
  expand: ['x'],
  allowed_payment_method_types: ['card'],
  payment_method: 'pm_x',
  confirmation_token: 'ctoken_x',
  capture_method: 'manual',
  return_url: 'https://x.example',
  statement_descriptor_suffix: 'x',
  payment_method_options: {
    card: {
      installments: { enabled: true, plan: { type: 'fixed_count', interval: 'month', count: 3 } },
      request_three_d_secure: 'any',
    },
  },
} satisfies Stripe.PaymentIntentCreateParams

const oxxo = {
  payment_method_data: { type: 'oxxo', billing_details: { name: 'x', email: 'x' } },
  payment_method_options: { oxxo: { expires_after_days: 1 } },
} satisfies Partial<Stripe.PaymentIntentCreateParams>

const spei = {
  customer: 'cus_x',
  metadata: { attempt_id: 'x', expires_at: 'x', closed: 'x', purpose: 'x' },
  payment_method_data: { type: 'customer_balance' },
  payment_method_options: {
    customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'mx_bank_transfer' } },
  },
} satisfies Partial<Stripe.PaymentIntentCreateParams>

const capture = { amount_to_capture: 1, expand: ['x'] } satisfies Stripe.PaymentIntentCaptureParams
const cancel = { cancellation_reason: 'abandoned', expand: ['x'] } satisfies Stripe.PaymentIntentCancelParams
const search = { query: 'x', limit: 1 } satisfies Stripe.PaymentIntentSearchParams
const shown = { client_secret: 'x' } satisfies Stripe.PaymentIntentRetrieveParams
const retrieve = { expand: ['x'] } satisfies Stripe.PaymentIntentRetrieveParams
const refund = {
  payment_intent: 'pi_x',
  amount: 1,
  metadata: { refund_id: 'x', attempt_id: 'x' },
  instructions_email: 'x',
} satisfies Stripe.RefundCreateParams
const refunds = { payment_intent: 'pi_x', limit: 1, starting_after: 'x' } satisfies Stripe.RefundListParams
const customer = {
  name: 'x',
  email: 'x',
  metadata: { attempt_id: 'x' },
  cash_balance: { settings: { reconciliation_mode: 'automatic' } },
} satisfies Stripe.CustomerCreateParams
const funding = {
  currency: 'mxn',
  funding_type: 'bank_transfer',
  bank_transfer: { type: 'mx_bank_transfer' },
} satisfies Stripe.CustomerCreateFundingInstructionsParams
const events = {
  types: ['x'],
  limit: 1,
  ending_before: 'x',
  starting_after: 'x',
  delivery_success: false,
  created: { gte: 1 },
} satisfies Stripe.EventListParams
const evidence = {
  evidence: {
    product_description: 'x',
    uncategorized_text: 'x',
    customer_name: 'x',
    service_date: 'x',
    access_activity_log: 'x',
    ...Object.fromEntries(fileFields.map((field) => [field, 'x'])),
  },
  submit: true,
  expand: ['x'],
} satisfies Stripe.DisputeUpdateParams
const presented = {
  allowed_payment_method_types: ['card_present'],
  metadata: { reader: 'x' },
} satisfies Partial<Stripe.PaymentIntentCreateParams>
const place = {
  display_name: 'x',
  address: { line1: 'x', line2: 'x', city: 'x', state: 'x', postal_code: 'x', country: 'x' },
  metadata: { location_id: 'x' },
} satisfies Stripe.Terminal.LocationCreateParams
const reader = {
  registration_code: 'x',
  label: 'x',
  location: 'x',
  metadata: { registration: 'x' },
} satisfies Stripe.Terminal.ReaderCreateParams
const readers = { location: 'x', limit: 1, starting_after: 'x' } satisfies Stripe.Terminal.ReaderListParams
const handed = {
  payment_intent: 'x',
  process_config: { skip_tipping: true },
} satisfies Stripe.Terminal.ReaderProcessPaymentIntentParams
const screen = {
  type: 'cart',
  cart: { currency: 'x', line_items: [{ amount: 1, description: 'x', quantity: 1 }], total: 1 },
} satisfies Stripe.Terminal.ReaderSetReaderDisplayParams
const question = {
  inputs: [
    {
      type: 'selection',
      required: true,
      custom_text: { title: 'x', description: 'x' },
      selection: { choices: [{ id: 'x', text: 'x' }] },
    },
  ],
  metadata: { action_id: 'x' },
} satisfies Stripe.Terminal.ReaderCollectInputsParams
const file = {
  purpose: 'dispute_evidence',
  file: { name: 'x', type: 'x', data: 'x' },
} satisfies Stripe.FileCreateParams

const entries = {
  payout: 'po_x',
  limit: 1,
  starting_after: 'x',
  expand: ['x'],
} satisfies Stripe.BalanceTransactionListParams

/** Field paths of a request, as form encoding names them; every number in brackets is `[]`. */
export function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => pathsOf(each, `${path}[]`))
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, each]) => pathsOf(each, path === '' ? key : `${path}[${key}]`))
}

interface Allowed {
  readonly pattern: RegExp
  readonly method: 'GET' | 'POST'
  readonly fields: ReadonlySet<string>
  /** Whether the request must carry an Idempotency-Key: everything that moves money or makes something. */
  readonly keyed: boolean
}

const allow = (method: 'GET' | 'POST', pattern: RegExp, keyed: boolean, ...shapes: object[]): Allowed => ({
  method,
  pattern,
  keyed,
  fields: new Set(shapes.flatMap((shape) => pathsOf(shape))),
})

export const allowed: readonly Allowed[] = [
  allow('GET', /^\/v1\/account$/, false),
  allow('GET', /^\/v1\/events$/, false, events),
  allow('GET', /^\/v1\/payment_method_configurations$/, false, { limit: 1 }),
  allow('POST', /^\/v1\/payment_intents$/, true, card, oxxo, spei, presented),
  allow('GET', /^\/v1\/payment_intents\/search$/, false, search),
  allow('GET', /^\/v1\/payment_intents\/pi_\w+$/, false, retrieve, shown),
  allow('POST', /^\/v1\/payment_intents\/pi_\w+\/capture$/, true, capture),
  allow('POST', /^\/v1\/payment_intents\/pi_\w+\/cancel$/, true, cancel),
  allow('GET', /^\/v1\/payment_methods\/pm_\w+$/, false),
  allow('GET', /^\/v1\/confirmation_tokens\/ctoken_\w+$/, false),
  allow('POST', /^\/v1\/customers$/, true, customer),
  allow('POST', /^\/v1\/customers\/cus_\w+\/funding_instructions$/, false, funding),
  allow('GET', /^\/v1\/customers\/cus_\w+\/cash_balance_transactions\/ccsbtxn_\w+$/, false, retrieve),
  allow('GET', /^\/v1\/customers\/cus_\w+\/cash_balance_transactions$/, false, { limit: 1 }),
  allow('POST', /^\/v1\/refunds$/, true, refund),
  allow('GET', /^\/v1\/refunds$/, false, refunds),
  allow('GET', /^\/v1\/refunds\/re_\w+$/, false, retrieve),
  allow('GET', /^\/v1\/payouts\/po_\w+$/, false, retrieve),
  allow('GET', /^\/v1\/balance_transactions$/, false, entries),
  allow('POST', /^\/v1\/terminal\/locations$/, true, place),
  allow('POST', /^\/v1\/terminal\/readers$/, true, reader),
  allow('GET', /^\/v1\/terminal\/readers$/, false, readers),
  allow('GET', /^\/v1\/terminal\/readers\/tmr_\w+$/, false),
  allow('POST', /^\/v1\/terminal\/readers\/tmr_\w+\/process_payment_intent$/, true, handed),
  allow('POST', /^\/v1\/terminal\/readers\/tmr_\w+\/set_reader_display$/, true, screen),
  allow('POST', /^\/v1\/terminal\/readers\/tmr_\w+\/collect_inputs$/, true, question),
  allow('POST', /^\/v1\/terminal\/readers\/tmr_\w+\/cancel_action$/, true),
  allow('POST', /^\/v1\/terminal\/connection_tokens$/, true, { location: 'x' }),
  allow('POST', /^\/v1\/files$/, true, file),
  allow('GET', /^\/v1\/disputes\/dp_\w+$/, false, retrieve),
  allow('POST', /^\/v1\/disputes\/dp_\w+$/, true, evidence),
  allow('POST', /^\/v1\/disputes\/dp_\w+\/close$/, true, retrieve),
  allow('GET', /^\/v1\/radar\/early_fraud_warnings\/issfr_\w+$/, false, retrieve),
]
