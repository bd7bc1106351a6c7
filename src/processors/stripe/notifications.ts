import type Stripe from 'stripe'
import type { Notification } from '../port.ts'
import { depositRefOf, isRead } from './deposits.ts'
import { ownedRef } from './owned-ref.ts'
import { attemptKey, isOurId } from './params.ts'
import { askedBy } from './questions.ts'
import { presentedOf } from './readers.ts'
import { refundKey } from './refunds.ts'

/** A notification: whether an endpoint's secret signed it, and what it refers to. */
export type VerifiedEvent =
  | { readonly signed: false }
  | {
      readonly signed: true
      readonly eventId: string
      readonly kind: string
      /** The account that sent it; null: the environment's own. */
      readonly accountId: string | null
      readonly hint: Notification | null
    }

/** Where an account posts its events, and the secret that it signs them with. */
export interface Endpoint {
  readonly accountId: string | null
  readonly webhookSecret: string
  /** Whether it is for money, which it is unless it says otherwise; events of the other mode say nothing here. */
  readonly livemode?: boolean
}

/** Kinds whose reference is Stripe's id. */
const theirs: ReadonlySet<Notification['kind']> = new Set([
  'dispute',
  'fraud_warning',
  'deposit',
  'processor_refund',
  'payout',
  'presented',
])

/** @param endpoint the one whose secret signed it */
export function verifiedEventOf(
  event: Stripe.Event,
  endpoint: Omit<Endpoint, 'webhookSecret'>,
): VerifiedEvent {
  const { accountId } = endpoint
  return { signed: true, eventId: event.id, kind: event.type, accountId, hint: hintOf(event, endpoint) }
}

/** Of Stripe's form and ours, also two with a slash. The owner of an account can sign what Stripe never sent. */
const isId = (id: unknown) => typeof id === 'string' && /^[\w/-]{1,255}$/.test(id)

/** What an event of an account refers to; null where it changes nothing here, as one of the other mode does not. */
export function hintOf(
  event: Stripe.Event,
  { accountId, livemode = true }: Omit<Endpoint, 'webhookSecret'>,
): Notification | null {
  // A thin event has no object.
  const read = event.livemode === livemode && event.data?.object ? notificationOf(event) : null
  const hint = read && isId(read.eventId) && isId(read.reference) ? read : null
  // What the environment's own account is paid is its operator's.
  if (hint?.kind === 'payout' && accountId === null) return null
  return hint && theirs.has(hint.kind) ? { ...hint, reference: ownedRef(hint.reference, accountId) } : hint
}

/**
 * The types to list, at most twenty at once: those that `notificationOf` knows, but of payouts only what begins, what comes
 * after the end, and what tells the entries. The rest of a payout is asked for while it is on its way.
 */
export const notifyingTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.amount_capturable_updated',
  'payment_intent.partially_funded',
  'payment_intent.requires_action',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'radar.early_fraud_warning.created',
  'radar.early_fraud_warning.updated',
  'customer_cash_balance_transaction.created',
  'payout.created',
  'payout.failed',
  'payout.reconciliation_completed',
] as const satisfies readonly Stripe.Event['type'][]

/**
 * What a Stripe event refers to: ids to read at Stripe, never amounts. Null for events that change nothing here.
 * https://docs.stripe.com/api/events/types
 */
export function notificationOf(event: Stripe.Event): Notification | null {
  const about = (kind: Notification['kind'], reference: string) => ({ eventId: event.id, kind, reference })
  const ours = (kind: Notification['kind'], id: string | undefined) => (isOurId(id) ? about(kind, id) : null)
  // Our refunds carry both ids; any other was made at Stripe, whatever its metadata holds.
  const ofRefund = ({ id, metadata }: Stripe.Refund) =>
    (ours('attempt', metadata?.[attemptKey]) && ours('refund', metadata?.[refundKey])) ??
    about('processor_refund', id)
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.partially_funded':
    case 'payment_intent.requires_action':
      return ours('attempt', event.data.object.metadata[attemptKey])
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return ofRefund(event.data.object)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return about('dispute', event.data.object.id)
    case 'radar.early_fraud_warning.created':
    case 'radar.early_fraud_warning.updated':
      return about('fraud_warning', event.data.object.id)
    case 'payout.created':
    case 'payout.updated':
    case 'payout.paid':
    case 'payout.failed':
    case 'payout.canceled':
    case 'payout.reconciliation_completed':
      return about('payout', event.data.object.id)
    // Read by the poll of the attempt where it was missed: Stripe lists twenty types at once.
    case 'terminal.reader.action_succeeded':
    case 'terminal.reader.action_failed': {
      const reader = event.data.object
      if (reader.action?.type === 'collect_inputs') return ours('asked', askedBy(reader))
      const presented = presentedOf(reader)
      return presented === null ? null : about('presented', presented)
    }
    case 'customer_cash_balance_transaction.created': {
      const { type, customer, id } = event.data.object
      if (!isRead(type)) return null
      return about('deposit', depositRefOf(typeof customer === 'string' ? customer : customer.id, id))
    }
    default:
      return null
  }
}
