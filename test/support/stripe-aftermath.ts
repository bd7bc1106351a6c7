import type Stripe from 'stripe'
import { laterSeconds, nowSeconds } from './stripe-answers.ts'
import { entryOf, transactionIdOf } from './stripe-charges.ts'

/** A refund. `email`: one of a bank transfer, whose receiver Stripe asks for the account by e-mail. */
export function refundOf(
  id: string,
  amount: number,
  intent: string | null,
  metadata: Record<string, string>,
  status: string,
  { email, customer }: { readonly email?: string; readonly customer?: string } = {},
): Stripe.Refund {
  const isOver = status === 'failed' || status === 'canceled'
  return {
    id,
    object: 'refund',
    amount,
    balance_transaction: transactionIdOf(id),
    charge: intent === null ? null : `ch_${intent.slice(3)}`,
    created: nowSeconds(),
    currency: 'mxn',
    customer: customer ?? null,
    customer_account: null,
    destination_details:
      customer === undefined
        ? { type: 'card', card: { type: 'refund', reference_status: 'pending' } }
        : { type: 'mx_bank_transfer', mx_bank_transfer: { reference: null, reference_status: null } },
    ...(email === undefined ? {} : { instructions_email: email }),
    metadata,
    ...(status === 'requires_action' && email !== undefined
      ? {
          next_action: {
            type: 'display_details',
            display_details: {
              email_sent: { email_sent_at: nowSeconds(), email_sent_to: email },
              expires_at: nowSeconds() + 45 * 86_400,
            },
          },
        }
      : {}),
    payment_intent: intent,
    payment_method: null,
    ...(status === 'pending' ? { pending_reason: 'processing' as const } : {}),
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
    ...(isOver ? { failure_balance_transaction: transactionIdOf(`${id}_back`) } : {}),
    ...(status === 'failed' ? { failure_reason: 'declined' } : {}),
  }
}

/** After a change of its status: what belongs to the old one goes. */
export const refundMoved = (refund: Stripe.Refund, status: string): Stripe.Refund => ({
  ...refundOf(
    refund.id,
    refund.amount,
    refund.payment_intent as string | null,
    refund.metadata ?? {},
    status,
    {
      ...(refund.instructions_email === undefined ? {} : { email: refund.instructions_email }),
      ...(refund.customer === null ? {} : { customer: refund.customer as string }),
    },
  ),
  created: refund.created,
})

/** A dispute moves money; an inquiry (`warning_…`) and one that was prevented do not. */
const movesMoney = (status: Stripe.Dispute.Status) => !status.startsWith('warning') && status !== 'prevented'

/** What Stripe takes for a dispute in Mexico, its tax, and gives back once it is won. */
export const disputeFees = { fee: 15_000, tax: 2_400 }

export function disputeOf(
  id: string,
  intent: Stripe.PaymentIntent,
  status: Stripe.Dispute.Status,
  disputed = intent.amount_received || intent.amount,
): Stripe.Dispute {
  const created = nowSeconds()
  const { currency } = intent
  const feesBy = (sign: 1 | -1) => [
    { amount: sign * disputeFees.fee, description: 'Dispute fee', type: 'stripe_fee' },
    { amount: sign * disputeFees.tax, description: 'IVA', type: 'tax' },
  ]
  const taken = entryOf(id, 'adjustment', -disputed, { created, fees: feesBy(1) })
  const back = {
    ...entryOf(`${id}_back`, 'adjustment', disputed, { created, fees: feesBy(-1) }),
    source: id,
  }
  const isInquiry = status.startsWith('warning')
  return {
    id,
    object: 'dispute',
    amount: disputed,
    balance_transactions: movesMoney(status) ? (status === 'won' ? [taken, back] : [taken]) : [],
    charge: `ch_${intent.id.slice(3)}`,
    created,
    currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: laterSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: intent.livemode,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: intent.id,
    payment_method_details: {
      type: 'card',
      card: {
        brand: 'visa',
        case_type: isInquiry ? 'inquiry' : 'chargeback',
        network: 'visa',
        network_reason_code: '10.4',
      },
    },
    reason: 'fraudulent',
    status,
  }
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}
