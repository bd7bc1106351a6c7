import type Stripe from 'stripe'
import { Fault } from '../../kernel/fault.ts'
import type { DisputeFacts, EvidenceFailure, FileRefs } from '../claims.ts'
import { isMissing, ofMode, readTimeoutMs, verdictOf } from './client.ts'
import { afresh } from './intents.ts'
import { fromStripeAmount } from './money.ts'
import { attemptKey } from './params.ts'

const expand = ['payment_intent']

/**
 * A dispute's state; `warning_…` is a bank's inquiry. What was prevented has taken no money.
 * https://docs.stripe.com/disputes/how-disputes-work,
 * https://docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute
 */
const states: Readonly<Record<string, DisputeFacts['state']>> = {
  needs_response: 'needs_response',
  appeal_needs_response: 'needs_response',
  under_review: 'under_review',
  appeal_under_review: 'under_review',
  won: 'won',
  prevented: 'won',
  lost: 'lost',
  warning_needs_response: 'inquiry_needs_response',
  warning_under_review: 'inquiry_under_review',
  warning_closed: 'inquiry_closed',
}

/** @throws Error where Stripe has a status that this version does not know */
export async function fetchDispute(stripe: Stripe, disputeRef: string): Promise<DisputeFacts | null> {
  const dispute = await retrieve(stripe, disputeRef)
  return dispute && factsOf(dispute)
}

async function retrieve(stripe: Stripe, disputeRef: string): Promise<Stripe.Dispute | null> {
  try {
    return ofMode(stripe, await stripe.disputes.retrieve(disputeRef, { expand }, { timeout: readTimeoutMs }))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/**
 * Sends evidence, which the bank takes once each time that it asks, or keeps it as a draft (`submit: false`). Where Stripe
 * refuses we read: a dispute that does not ask has it already.
 * https://docs.stripe.com/changelog/endive/2026-09-30/page-limit-validation-for-dispute-evidence
 */
export async function sendEvidence(
  stripe: Stripe,
  disputeRef: string,
  evidence: Readonly<Record<string, string>>,
  { submit, files }: { readonly submit: boolean; readonly files: FileRefs },
): Promise<DisputeFacts | EvidenceFailure | null> {
  const params = {
    evidence: { ...evidenceOf(evidence), ...files },
    submit,
    expand,
  } satisfies Stripe.DisputeUpdateParams
  try {
    return factsOf(await stripe.disputes.update(disputeRef, params, afresh(`${disputeRef}:evidence`)))
  } catch (error) {
    if (verdictOf(error) !== 'refused') throw error
    if ((error as Stripe.errors.StripeError).code === 'dispute_evidence_page_limit_exceeded')
      return 'too_long'
    const facts = await fetchDispute(stripe, disputeRef)
    return facts?.state === 'needs_response' || facts?.state === 'inquiry_needs_response' ? 'refused' : facts
  }
}

/** https://docs.stripe.com/api/disputes/close. Where Stripe refuses, the dispute is read. */
export async function acceptDispute(stripe: Stripe, disputeRef: string): Promise<DisputeFacts | null> {
  try {
    const params = { expand } satisfies Stripe.DisputeCloseParams
    return factsOf(await stripe.disputes.close(disputeRef, params, afresh(`${disputeRef}:close`)))
  } catch (error) {
    if (verdictOf(error) === 'refused') return fetchDispute(stripe, disputeRef)
    throw error
  }
}

function factsOf(dispute: Stripe.Dispute): DisputeFacts | null {
  const state = states[dispute.status]
  const { payment_intent: intent, evidence_details: details } = dispute
  const attemptReference = intent !== null && typeof intent === 'object' ? intent.metadata[attemptKey] : null
  if (!attemptReference) return null
  if (!state) throw new Fault(`a dispute is ${dispute.status}`)
  return {
    disputeRef: dispute.id,
    attemptReference,
    state,
    ...(dispute.status === 'prevented' ? { isPrevented: true } : {}),
    amountMinor: fromStripeAmount(dispute.amount),
    currency: dispute.currency,
    reason: dispute.reason,
    ...costOf(dispute),
    // 0: the bank takes no response.
    evidenceDueBy: details.due_by ? new Date(details.due_by * 1000) : null,
  }
}

/** The fees of what was withdrawn, and below zero of what came back: https://docs.stripe.com/api/disputes/object */
function costOf({ balance_transactions: moved, currency }: Stripe.Dispute): { readonly costMinor?: bigint } {
  if (moved.length === 0 || moved.some((each) => each.currency !== currency)) return {}
  return { costMinor: moved.reduce((sum, { fee }) => sum + fromStripeAmount(fee), 0n) }
}

/** Stripe's text fields. Evidence without a field of its own goes into `uncategorized_text`. */
const textFields = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
] as const satisfies readonly (keyof Stripe.DisputeUpdateParams.Evidence)[]

/** Fields that Stripe names differently. */
const renamed: Readonly<Record<string, string>> = { tracking_number: 'shipping_tracking_number' }

function evidenceOf(evidence: Readonly<Record<string, string>>): Stripe.DisputeUpdateParams.Evidence {
  const entries = Object.entries(evidence).map(([name, value]) => [renamed[name] ?? name, value] as const)
  const isField = (name: string) => (textFields as readonly string[]).includes(name)
  const rest = entries.filter(([name]) => !isField(name)).map(([name, value]) => `${name}: ${value}`)
  return {
    ...Object.fromEntries(entries.filter(([name]) => isField(name))),
    ...(rest.length > 0 ? { uncategorized_text: rest.join('\n') } : {}),
  }
}
