import { refunds } from '../../../drizzle/schema/refunds.ts'
import { type IsoDate, mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { hasFlow, isPush, paymentMethods } from '../../../src/kernel/payment-methods.ts'
import {
  type EventDraft,
  insert,
  type Plan,
  post,
  type Refusal,
  refuse,
  type Write,
} from '../../../src/kernel/plan.ts'
import { callLeaseMs } from '../../../src/kernel/poll-schedule.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import { count, type SpendLimit, withinLimit } from '../bank-orders/api-pure.ts'
import { takeFunds } from '../payments/api-pure.ts'
import { madeMail } from './plan-mails.ts'
import { about, countRefunded, isTaken, refundableMinor, saleOf } from './plan-source.ts'
import { presentRefund, type RefundReply } from './present.ts'
import type { AccountRow, FundsRow, RefundablePayment, RefundRow } from './store.ts'

/** How often a pending refund checks whether the balance covers it. */
export const waitMs = 10 * 60_000

export interface Destination {
  readonly clabe: string
  readonly holder: string
}

/** A refund request, as validated by the contract. */
export interface RefundRequest {
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly reason: RefundRow['reason']
  readonly method: 'original' | 'recorded_offline'
  readonly destination?: Destination | undefined
  readonly line_items?: readonly { readonly id: string; readonly quantity: number }[] | undefined
  readonly metadata: Readonly<Record<string, Json>>
}

/** How the payment's processor can send money back. */
export interface RefundRoutes {
  readonly processor: string
  readonly original: boolean
  /** Whether it gives transfers back too. */
  readonly transfers: boolean
  readonly spei: boolean
}

/** The merchant's balances here, and how far below zero a refund may bring them. */
export interface Cover {
  readonly accounts: readonly AccountRow[]
  readonly overdraftMinor: bigint
}

/** The same, with the calling key's limit for CLABEs. */
export interface Bounds extends Cover {
  readonly spendLimit: SpendLimit
}

/** The same, with the last day in Mexico City on which the payment can be refunded; null: it always can. */
export interface CreateBounds extends Bounds {
  readonly lastDay: IsoDate | null
}

/** A refund with the plan that records it: the publisher continues with the row. */
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
  | 'refund_window_closed'
type Method = 'original' | 'spei_out' | 'recorded_offline'

/**
 * A refund of a payment. The plan's reads may be stale at publish: `adjust` locks the payment's row first, its CHECK
 * keeps all refunds and disputes within what was captured, and only then is the row compared.
 */
export function planCreate(
  payment: RefundablePayment,
  request: RefundRequest,
  routes: RefundRoutes,
  bounds: CreateBounds,
  clock: Clock,
): Recorded | Refusal<CreateRefusal> {
  const refused = refuseCreate(payment, request) ?? refuseLate(bounds.lastDay, clock.now)
  if (refused) return refused
  const method = methodOf(payment, request, routes)
  if (
    (method === 'original' && (!routes.original || payment.attemptId === null)) ||
    (method === 'spei_out' && !routes.spei)
  )
    return refuse('refund_unavailable', { param: 'payment_id' })
  const { destination } = request
  if (destination && method !== 'spei_out')
    return refuse('refund_destination_not_accepted', { param: 'destination' })
  const { currency } = payment
  const amountMinor = request.amount === undefined ? refundableMinor(payment) : BigInt(request.amount)
  const sending = destination ? sendingOf(bounds.spendLimit, currency, amountMinor, clock) : unlimited
  const refund = newRefund(
    {
      paymentId: payment.id,
      customerId: payment.customerId,
      ...saleOf(payment),
      currency,
      amountMinor,
      processor: routes.processor,
    },
    request,
    method,
    beginning(method, destination, amountMinor, currency, sending.waits, bounds),
    clock,
  )
  const moved = countRefunded(payment, amountMinor, clock, { openDisputesCount: 0 })
  const from = { ...moved, writes: [...moved.writes, ...sending.writes] }
  return recorded(refund, from, isTaken(refund) ? [take(refund, bounds, clock)] : [], clock)
}

function refuseCreate(payment: RefundablePayment, request: RefundRequest): Refusal<CreateRefusal> | null {
  const { amount, currency } = request
  if (currency !== undefined && currency !== payment.currency)
    return refuse('refund_currency_mismatch', { param: 'currency' })
  if (amount !== undefined && BigInt(amount) <= 0n)
    return refuse('refund_amount_not_positive', { param: 'amount' })
  if (payment.amountCapturedMinor === 0n) return refuse('payment_not_refundable', { param: 'payment_id' })
  // The card's bank would not know of it: it could claim the same money again, and nothing held here would cover that.
  if (request.method === 'recorded_offline' && !isPush(payment))
    return refuse('refund_card_not_offline', { param: 'method' })
  if (payment.openDisputesCount > 0) return refuse('refund_blocked_by_dispute', { param: 'payment_id' })
  const left = refundableMinor(payment)
  if (left === 0n || (amount !== undefined && BigInt(amount) > left))
    return refuse('refund_exceeds_captured', { param: 'amount' })
  return null
}

function refuseLate(lastDay: IsoDate | null, now: Date): Refusal<CreateRefusal> | null {
  if (lastDay === null || mexicoCityDate(now) <= lastDay) return null
  const message = `This payment could be refunded until the end of ${lastDay} in Mexico City.`
  return refuse('refund_window_closed', { param: 'payment_id', message })
}

const methodOf = (
  payment: RefundablePayment,
  { method }: RefundRequest,
  { transfers }: RefundRoutes,
): Method => {
  if (method === 'recorded_offline') return method
  if (transfers && hasFlow(payment.method, 'bank_transfer')) return 'original'
  return paymentMethods[payment.method].refund
}

/** Whether a sending to a CLABE waits for approval; if not, the writes that count it towards the key's day. */
export interface Sending {
  readonly waits: boolean
  readonly writes: readonly Write[]
}

export const sendingOf = (
  spendLimit: SpendLimit,
  currency: string,
  amountMinor: bigint,
  clock: Clock,
): Sending =>
  withinLimit(spendLimit, currency, amountMinor, clock.now)
    ? { waits: false, writes: [count(spendLimit, currency, amountMinor, clock)] }
    : { waits: true, writes: [] }

/** Refunds to their source, and unsent ones, are not limited. */
const unlimited: Sending = { waits: false, writes: [] }

interface Beginning {
  readonly status: 'requires_destination' | 'pending_approval' | 'pending' | 'processing' | 'succeeded'
  readonly pendingReason: 'insufficient_funds' | null
}

function beginning(
  method: Method,
  destination: Destination | undefined,
  amountMinor: bigint,
  currency: string,
  waits: boolean,
  cover: Cover,
): Beginning {
  if (method === 'recorded_offline') return { status: 'succeeded', pendingReason: null }
  if (method === 'spei_out' && !destination) return { status: 'requires_destination', pendingReason: null }
  if (waits) return { status: 'pending_approval', pendingReason: null }
  return covers(cover, currency, amountMinor)
    ? { status: 'processing', pendingReason: null }
    : { status: 'pending', pendingReason: 'insufficient_funds' }
}

/**
 * The merchant's accounts here. Journals move money out of pending and reserve only into an account of this list, so a
 * transaction that has locked the available account knows a lower bound of their sum.
 */
const drawnOn: readonly string[] = ['merchant_available', 'merchant_pending', 'merchant_reserve']

/** Whether these accounts cover this refund, overdraft included. The answer may be stale when used: see `take`. */
export function covers({ accounts, overdraftMinor }: Cover, currency: string, amountMinor: bigint): boolean {
  const here = accounts
    .filter((account) => account.currency === currency && drawnOn.includes(account.code))
    .reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n)
  return here - amountMinor >= -overdraftMinor
}

/** Takes the amount if the locked balance still covers it. */
export const take = (refund: RefundRow, { overdraftMinor }: Cover, clock: Clock): Write =>
  post({
    ...movementJournal('refund.refund', refund, refund.amountMinor, clock, 'merchant_available'),
    leaves: { accounts: drawnOn, balanceMinorMin: -overdraftMinor },
  })

interface Source extends Partial<ReturnType<typeof saleOf>> {
  readonly paymentId?: string
  readonly customerId?: string | null
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
    id: newId(),
    paymentId: source.paymentId ?? null,
    unappliedFundsId: source.unappliedFundsId ?? null,
    customerId: source.customerId ?? null,
    clientReferenceId: source.clientReferenceId ?? null,
    checkoutSessionId: source.checkoutSessionId ?? null,
    paymentLinkId: source.paymentLinkId ?? null,
    origin: 'api',
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
    contradiction: null,
    approvedByUserId: null,
    approvedAt: null,
    lineItems: request.line_items ?? null,
    metadata: request.metadata,
    nextCheckAt: nextPoll(status, now),
    checksCount: 0,
    resolvedAt: status === 'succeeded' ? now : null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** When the reconciler looks at a refund that has just come to this status. */
export function nextPoll(status: string, now: Date): Date | null {
  if (status === 'processing') return new Date(now.getTime() + callLeaseMs)
  return status === 'pending' ? new Date(now.getTime() + waitMs) : null
}

function recorded(
  refund: RefundRow,
  source: { readonly writes: readonly Write[]; readonly events: readonly EventDraft[] },
  taken: readonly Write[],
  clock: Clock,
): Recorded {
  const object = presentRefund(refund)
  const events = [event(clock.newId(), 'refund.created', about(refund), object)]
  if (refund.status === 'succeeded')
    events.push(event(clock.newId(), 'refund.succeeded', about(refund), object))
  if (refund.status === 'pending_approval')
    events.push(event(clock.newId(), 'refund.pending_approval', about(refund), object))
  return {
    refund,
    plan: {
      writes: [
        ...source.writes,
        insert(refunds, refund),
        ...taken,
        ...(refund.status === 'succeeded' ? madeMail(refund, clock) : []),
      ],
      events: [...events, ...source.events],
      reply: object,
      subjectId: refund.id,
    },
  }
}

/** Unapplied funds that are refunded in part or in full. */
export interface RefundableFunds {
  readonly funds: FundsRow
  readonly amountMinor: bigint
}

/**
 * A refund of unapplied funds: sent to the CLABE at once, or when a user approves. The funds' CHECK refuses
 * more than is there. `allowance`: null for the CLABE that the money came from.
 */
export function planFundsRefund(
  part: RefundableFunds,
  request: Pick<RefundRequest, 'reason' | 'metadata'> & { readonly destination: Destination },
  processor: string,
  spendLimit: SpendLimit | null,
  clock: Clock,
): Recorded {
  const { amountMinor } = part
  const { id, currency } = part.funds
  const sending = spendLimit ? sendingOf(spendLimit, currency, amountMinor, clock) : unlimited
  const status = sending.waits ? 'pending_approval' : 'processing'
  const source = { unappliedFundsId: id, currency, amountMinor, processor }
  const refund = newRefund(source, request, 'spei_out', { status, pendingReason: null }, clock)
  const adds = { refund_id: refund.id }
  const setApart = takeFunds(part, 'unapplied_funds.refunded', adds, clock)
  const taken = post(movementJournal('refund.refund', refund, amountMinor, clock, 'unapplied_funds'))
  return recorded(
    refund,
    { writes: [...setApart.writes, ...sending.writes], events: setApart.events },
    [taken],
    clock,
  )
}
