import { unappliedFunds } from '../../drizzle/schema/cash.ts'
import { payments } from '../../drizzle/schema/payments.ts'
import { refunds } from '../../drizzle/schema/refunds.ts'
import { event } from '../../src/kernel/events.ts'
import { callLeaseMs } from '../../src/kernel/looks.ts'
import {
  adjust,
  change,
  type EventDraft,
  expect,
  insert,
  type Plan,
  post,
  type Refusal,
  refuse,
  type Write,
} from '../../src/kernel/plan.ts'
import { refundJournal } from '../../src/ledger/journals.ts'
import {
  about,
  type Clock,
  countRefunded,
  giveBack,
  isTaken,
  journalAbout,
  refundableMinor,
  type SourceRow,
} from './plan-source.ts'
import { presentRefund, type RefundReply } from './present.ts'
import type { AccountRow, RefundablePayment, RefundRow } from './store.ts'

/** How often a refund looks whether the balance covers it by now. */
export const waitMs = 10 * 60_000

export interface Destination {
  readonly clabe: string
  readonly holder: string
}

/** A wish to refund, as the contract lets it in. */
export interface RefundRequest {
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly reason: string
  readonly method: 'original' | 'recorded_offline'
  readonly destination?: Destination | undefined
  readonly line_items?: readonly { readonly id: string; readonly quantity: number }[] | undefined
  readonly metadata: Record<string, string>
}

/** What the processor of the payment offers. */
export interface Offers {
  readonly processor: string
  readonly original: boolean
  readonly spei: boolean
}

/** What the merchant has here, and how far below zero a refund may bring it. */
export interface Cover {
  readonly accounts: readonly AccountRow[]
  readonly overdraftMinor: bigint
}

/** A refund with the plan that records it: whoever publishes it goes on with the row. */
export interface Recorded {
  readonly refund: RefundRow
  readonly plan: Plan<RefundReply>
}

type CreateRefusal =
  | 'payment_not_refundable'
  | 'refund_currency_mismatch'
  | 'refund_amount_not_positive'
  | 'refund_exceeds_captured'
  | 'refund_blocked_by_dispute'
  | 'refund_destination_not_accepted'
  | 'refund_unavailable'
  | 'refund_card_not_offline'
type Method = 'original' | 'spei_out' | 'recorded_offline'

/**
 * A refund of a payment. What the plan saw may be old when it is published: the payment's row is locked by the `adjust`,
 * whose CHECK keeps all refunds and disputes within what was captured, and only then looked at.
 */
export function planCreate(
  payment: RefundablePayment,
  request: RefundRequest,
  offers: Offers,
  cover: Cover,
  clock: Clock,
): Recorded | Refusal<CreateRefusal> {
  const refused = refuseCreate(payment, request)
  if (refused) return refused
  const method = methodOf(payment, request)
  if (
    (method === 'original' && (!offers.original || payment.attemptId === null)) ||
    (method === 'spei_out' && !offers.spei)
  )
    return refuse('refund_unavailable', { param: 'payment_id' })
  const { destination } = request
  if (destination && method !== 'spei_out')
    return refuse('refund_destination_not_accepted', { param: 'destination' })
  const amountMinor = request.amount === undefined ? refundableMinor(payment) : BigInt(request.amount)
  const refund = newRefund(
    { paymentId: payment.id, currency: payment.currency, amountMinor, processor: offers.processor },
    request,
    method,
    beginning(method, destination, amountMinor, payment.currency, cover),
    clock,
  )
  const moved = countRefunded(payment, amountMinor, clock, { openDisputesCount: 0 })
  return recorded(refund, moved, 'merchant_available', clock)
}

function refuseCreate(payment: RefundablePayment, request: RefundRequest): Refusal<CreateRefusal> | null {
  const { amount, currency } = request
  if (currency !== undefined && currency !== payment.currency)
    return refuse('refund_currency_mismatch', { param: 'currency' })
  if (amount !== undefined && BigInt(amount) <= 0n)
    return refuse('refund_amount_not_positive', { param: 'amount' })
  if (payment.amountCapturedMinor === 0n) return refuse('payment_not_refundable', { param: 'payment_id' })
  // A bank would not know of it: it could claim the same money again, and nothing of ours would answer for it.
  if (request.method === 'recorded_offline' && payment.method === 'card')
    return refuse('refund_card_not_offline', { param: 'method' })
  if (payment.openDisputesCount > 0) return refuse('refund_blocked_by_dispute', { param: 'payment_id' })
  const left = refundableMinor(payment)
  if (left === 0n || (amount !== undefined && BigInt(amount) > left))
    return refuse('refund_exceeds_captured', { param: 'amount' })
  return null
}

const methodOf = (payment: RefundablePayment, { method }: RefundRequest): Method => {
  if (method === 'recorded_offline') return method
  return payment.method === 'card' ? 'original' : 'spei_out'
}

interface Beginning {
  readonly status: 'requires_destination' | 'pending' | 'processing' | 'succeeded'
  readonly pendingReason: 'insufficient_funds' | null
}

function beginning(
  method: Method,
  destination: Destination | undefined,
  amountMinor: bigint,
  currency: string,
  cover: Cover,
): Beginning {
  if (method === 'recorded_offline') return { status: 'succeeded', pendingReason: null }
  if (method === 'spei_out' && !destination) return { status: 'requires_destination', pendingReason: null }
  return covers(cover, currency, amountMinor)
    ? { status: 'processing', pendingReason: null }
    : { status: 'pending', pendingReason: 'insufficient_funds' }
}

/** Whether all that the merchant has here, now or soon, bears this refund but for the overdraft. */
export function covers({ accounts, overdraftMinor }: Cover, currency: string, amountMinor: bigint): boolean {
  const counted = ['merchant_available', 'merchant_pending', 'merchant_reserve']
  const here = accounts
    .filter((account) => account.currency === currency && counted.includes(account.code))
    .reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n)
  return here - amountMinor >= -overdraftMinor
}

interface Source {
  readonly paymentId?: string
  readonly unappliedFundsId?: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly processor: string
}

function newRefund(
  source: Source,
  request: Pick<RefundRequest, 'reason' | 'destination' | 'line_items' | 'metadata'>,
  method: Method,
  { status, pendingReason }: Beginning,
  { now, newId }: Clock,
): RefundRow {
  return {
    tenantId: '',
    id: newId(),
    paymentId: source.paymentId ?? null,
    unappliedFundsId: source.unappliedFundsId ?? null,
    status,
    method,
    amountMinor: source.amountMinor,
    currency: source.currency,
    reason: request.reason,
    destinationClabe: request.destination?.clabe ?? null,
    destinationHolder: request.destination?.holder.trim() ?? null,
    processor: method === 'recorded_offline' ? null : source.processor,
    processorRef: null,
    claveRastreo: null,
    pendingReason,
    failureCode: null,
    lineItems: request.line_items ?? null,
    metadata: request.metadata,
    nextCheckAt: nextLook(status, now),
    checksCount: 0,
    resolvedAt: status === 'succeeded' ? now : null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** When the janitor looks at a refund that has just come to this status. */
function nextLook(status: string, now: Date): Date | null {
  if (status === 'processing') return new Date(now.getTime() + callLeaseMs)
  return status === 'pending' ? new Date(now.getTime() + waitMs) : null
}

function recorded(
  refund: RefundRow,
  source: { readonly writes: readonly Write[]; readonly events: readonly EventDraft[] },
  from: 'merchant_available' | 'unapplied_funds',
  clock: Clock,
): Recorded {
  const { tenantId: _, ...fields } = refund
  const object = presentRefund(refund)
  const events = [event(clock.newId(), 'refund.created', about(refund), object)]
  if (refund.status === 'succeeded')
    events.push(event(clock.newId(), 'refund.succeeded', about(refund), object))
  return {
    refund,
    plan: {
      writes: [
        ...source.writes,
        insert(refunds, fields),
        ...(isTaken(refund)
          ? [post(refundJournal(journalAbout(refund, clock), refund.amountMinor, from))]
          : []),
      ],
      events: [...events, ...source.events],
      reply: object,
      subjectId: refund.id,
    },
  }
}

/** Nothing was sent yet: what was set apart is given back. */
export function planCancel(
  refund: RefundRow,
  source: SourceRow,
  clock: Clock,
): Plan<RefundReply> | Refusal<'refund_not_cancelable'> {
  if (refund.status !== 'requires_destination' && refund.status !== 'pending')
    return refuse('refund_not_cancelable')
  const { now, newId } = clock
  const given = giveBack(refund, source, 'refund_reversed', clock)
  const set = { status: 'canceled', pendingReason: null, nextCheckAt: null, resolvedAt: now, updatedAt: now }
  const canceled = presentRefund({ ...refund, ...set })
  return {
    writes: [change(refunds, refund, set), ...given.writes],
    events: [
      event(newId(), 'refund.canceled', about(refund), canceled, { status: refund.status }),
      ...given.events,
    ],
    reply: canceled,
    subjectId: refund.id,
  }
}

/** The buyer told where the money goes: it is sent, or waits for the balance. */
export function planDestination(
  refund: RefundRow,
  destination: Destination,
  cover: Cover,
  clock: Clock,
): Recorded | Refusal<'refund_destination_not_awaited'> {
  if (refund.status !== 'requires_destination') return refuse('refund_destination_not_awaited')
  const holder = destination.holder.trim()
  const set = { destinationClabe: destination.clabe, destinationHolder: holder }
  return planSend(refund, cover, clock, set)
}

/** Sends what has waited, if the balance covers it now; otherwise it waits on. */
export function planSend(
  refund: RefundRow,
  cover: Cover,
  clock: Clock,
  destination: Partial<Pick<RefundRow, 'destinationClabe' | 'destinationHolder'>> = {},
): Recorded {
  const { now, newId } = clock
  // Unapplied funds were set apart when the refund was made.
  const covered = refund.paymentId === null || covers(cover, refund.currency, refund.amountMinor)
  const status = covered ? 'processing' : 'pending'
  const set = {
    ...destination,
    status,
    pendingReason: covered ? null : 'insufficient_funds',
    nextCheckAt: nextLook(status, now),
    updatedAt: now,
  }
  const sent: RefundRow = { ...refund, ...set, version: refund.version + 1 }
  const taken = covered && refund.paymentId !== null
  // What a bank claims goes back by the dispute: nothing that waited is sent beside it.
  const undisputed =
    taken && refund.method === 'original'
      ? [expect(payments, refund.paymentId!, { openDisputesCount: 0 })]
      : []
  const object = presentRefund(sent)
  const moved = status !== refund.status
  return {
    refund: sent,
    plan: {
      writes: [
        change(refunds, refund, set),
        ...undisputed,
        ...(taken
          ? [post(refundJournal(journalAbout(sent, clock), sent.amountMinor, 'merchant_available'))]
          : []),
      ],
      events: moved
        ? [event(newId(), `refund.${status}`, about(refund), object, { status: refund.status })]
        : [],
      reply: object,
      subjectId: refund.id,
    },
  }
}

/** Money that is here and belongs to no payment, of which some goes back. */
export interface RefundableFunds {
  readonly id: string
  readonly currency: string
  readonly amountMinor: bigint
}

/**
 * A refund of unapplied funds: sent to the CLABE at once, or waiting for one. The amount is set apart from the funds
 * by an `adjust`, whose CHECK refuses more than is there.
 */
export function planFundsRefund(
  funds: RefundableFunds,
  request: Pick<RefundRequest, 'reason' | 'destination' | 'metadata'>,
  processor: string,
  clock: Clock,
): Recorded {
  const { destination } = request
  const { id, currency, amountMinor } = funds
  const status = destination ? 'processing' : 'requires_destination'
  const source = { unappliedFundsId: id, currency, amountMinor, processor }
  const refund = newRefund(source, request, 'spei_out', { status, pendingReason: null }, clock)
  const setApart = adjust(unappliedFunds, id, { remainingMinor: -amountMinor })
  return recorded(refund, { writes: [setApart], events: [] }, 'unapplied_funds', clock)
}
