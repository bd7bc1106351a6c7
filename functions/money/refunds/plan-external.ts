import { refunds } from '../../../drizzle/schema/refunds.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { change, type EventDraft, insert, type Plan, post, type Write } from '../../../src/kernel/plan.ts'
import { firstWatch, nextPoll as nextReview } from '../../../src/kernel/poll-schedule.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import type { RefundFacts } from '../../../src/processors/port.ts'
import { nextPoll } from './plan.ts'
import { madeMail } from './plan-mails.ts'
import { planOutcome, type RefundAnswer } from './plan-outcome.ts'
import { about, countRefunded, refundableMinor, saleOf } from './plan-source.ts'
import { presentRefund, type RefundReply } from './present.ts'
import type { RefundablePayment, RefundRow } from './store.ts'

/** A refund that was made at the processor, or null, with its payment and what disputes took of it. */
export interface ExternalRefundContext {
  readonly payment: RefundablePayment
  readonly refund: RefundRow | null
  /** In the order in which they give way. */
  readonly holdings: readonly Holding[]
}

/** What a dispute holds or has taken of a payment, and the plan that reduces it. */
export interface Holding {
  readonly heldMinor: bigint
  readonly reduce: (byMinor: bigint, clock: Clock) => { writes: Write[]; events: EventDraft[] }
}

/** A refund that moved money, as it is booked. */
type BookableFacts = Pick<RefundFacts, 'amountMinor' | 'currency'> & {
  readonly state: 'processing' | 'succeeded' | 'kept'
}

/**
 * The changes for the processor's facts, in whatever order and however often they arrive; null when there are none. A
 * refund that had failed before its first report is ignored: nothing of it was booked.
 */
export function planExternalRefund(
  processor: string,
  known: ExternalRefundContext,
  facts: RefundFacts,
  clock: Clock,
): Plan<object> | null {
  const { payment, refund } = known
  if (refund && refund.status !== 'amount_mismatch')
    return planOutcome(refund, { kind: 'payment', payment }, answerOf(facts), clock)
  if (facts.state === 'failed') return refund && planDrop(refund, facts.code ?? 'processing_error', clock)
  const moved = { ...facts, state: facts.state }
  const unheld = unheldFor(known, moved)
  if (unheld && refund) return planBook(refund, known, moved, unheld, clock)
  const made = madeRow(processor, payment, facts, clock)
  if (unheld) return planBook(made, { ...known, refund: null }, moved, unheld, clock)
  return refund ? null : planContradict(made, payment, clock)
}

/** The same facts, as an answer about a refund in the books. */
export function answerOf({
  refundRef: processorRef,
  state,
  code,
  amountMinor,
  currency,
}: RefundFacts): RefundAnswer {
  if (state === 'processing' || state === 'kept') return { state, processorRef }
  if (state === 'failed') return { state, code: code ?? 'processing_error' }
  return { state, amountMinor, currency, processorRef, claveRastreo: null }
}

/** Whether the refund exceeds what is left. Unsent refunds and money held by disputes may then give way. */
export const exceeds = (payment: RefundablePayment, amountMinor: bigint): boolean =>
  amountMinor > refundableMinor(payment)

interface Unheld {
  readonly holding: Holding
  readonly byMinor: bigint
}

/**
 * How much less the disputes take, so that the payment covers the refund: the buyer has it whatever a bank decides, and
 * disputes take from the rest, as if the refund had been reported first. Null where the payment still does not cover
 * it, or the numbers contradict ours.
 */
export function unheldFor(
  { payment, refund, holdings }: ExternalRefundContext,
  moved: BookableFacts,
): Unheld[] | null {
  const { amountMinor, currency } = moved
  const isSame = !refund || (refund.amountMinor === amountMinor && refund.currency === currency)
  if (currency !== payment.currency || !isSame) return null
  let lackingMinor = amountMinor - refundableMinor(payment)
  const unheld: Unheld[] = []
  for (const holding of holdings) {
    if (lackingMinor <= 0n) break
    const byMinor = lesser(holding.heldMinor, lackingMinor)
    if (byMinor > 0n) unheld.push({ holding, byMinor })
    lackingMinor -= byMinor
  }
  return lackingMinor > 0n ? null : unheld
}

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/**
 * Books a refund made at the processor, whatever the balance: the money has gone. `refund`: its row in the books; null
 * for a new one.
 */
export function planBook(
  row: RefundRow,
  { payment, refund }: Pick<ExternalRefundContext, 'payment' | 'refund'>,
  { state: status }: BookableFacts,
  unheld: readonly Unheld[],
  clock: Clock,
): Plan<RefundReply> {
  const { now, newId } = clock
  const set = {
    status,
    failureCode: null,
    nextCheckAt: status === 'kept' ? null : status === 'succeeded' ? firstWatch(now) : nextPoll(status, now),
    checksCount: 0,
    resolvedAt: status === 'processing' ? null : now,
    updatedAt: now,
  }
  const booked: RefundRow = { ...row, ...set }
  const { amountMinor } = row
  const unheldMinor = unheld.reduce((sum, { byMinor }) => sum + byMinor, 0n)
  const counted = countRefunded(payment, amountMinor, clock, {}, unheldMinor)
  const reduced = unheld.map(({ holding, byMinor }) => holding.reduce(byMinor, clock))
  const journals = [
    movementJournal('refund.refund', row, amountMinor, clock, 'merchant_available'),
    ...(status === 'processing' ? [] : [movementJournal('refund.refund_paid', row, amountMinor, clock)]),
  ]
  const object = presentRefund(booked)
  const announced = refund
    ? [event(newId(), `refund.${status}`, about(row), object, presentRefund(refund))]
    : [
        event(newId(), 'refund.created', about(row), object),
        ...(status === 'processing' ? [] : [event(newId(), `refund.${status}` as const, about(row), object)]),
      ]
  return {
    writes: [
      ...counted.writes,
      ...reduced.flatMap(({ writes }) => writes),
      refund ? change(refunds, refund, set) : insert(refunds, booked),
      ...journals.map(post),
      ...(status === 'succeeded' ? madeMail(booked, clock) : []),
    ],
    events: [...announced, ...reduced.flatMap(({ events }) => events), ...counted.events],
    reply: object,
    subjectId: row.id,
  }
}

function madeRow(
  processor: string,
  payment: RefundablePayment,
  { refundRef, amountMinor, currency }: RefundFacts,
  { now, newId }: Clock,
): RefundRow {
  return {
    id: newId(),
    paymentId: payment.id,
    unappliedFundsId: null,
    customerId: payment.customerId,
    ...saleOf(payment),
    origin: 'processor',
    status: 'amount_mismatch',
    method: 'original',
    amountMinor,
    currency,
    reason: 'other',
    destinationClabe: null,
    destinationHolder: null,
    processor,
    processorRef: refundRef,
    claveRastreo: null,
    pendingReason: null,
    failureCode: 'amount_mismatch',
    contradiction: null,
    approvedByUserId: null,
    approvedAt: null,
    lineItems: null,
    metadata: {},
    nextCheckAt: nextReview(0, now),
    checksCount: 1,
    resolvedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Keeps and publishes a refund that our books cannot cover, unbooked; the reconciler asks again until the payment covers
 * it.
 */
function planContradict(made: RefundRow, payment: RefundablePayment, { newId }: Clock): Plan<RefundReply> {
  const ours = { amount: toMinorString(refundableMinor(payment)), currency: payment.currency }
  const theirs = { amount: toMinorString(made.amountMinor), currency: made.currency }
  const refund: RefundRow = { ...made, contradiction: { ...theirs, ours } }
  const object = presentRefund(refund)
  return {
    writes: [insert(refunds, refund)],
    events: [
      event(newId(), 'refund.created', about(refund), object),
      event(newId(), 'refund.amount_mismatch', about(refund), object),
    ],
    reply: object,
    subjectId: refund.id,
  }
}

/** It failed at the processor, or the merchant has resolved it there: nothing was booked, nothing is. */
export function planDrop(
  refund: RefundRow,
  failureCode: NonNullable<RefundRow['failureCode']>,
  { now, newId }: Clock,
): Plan<RefundReply> {
  const set = { status: 'failed' as const, failureCode, nextCheckAt: null, resolvedAt: now, updatedAt: now }
  const object = presentRefund({ ...refund, ...set })
  return {
    writes: [change(refunds, refund, set)],
    events: [event(newId(), 'refund.failed', about(refund), object, presentRefund(refund))],
    reply: object,
    subjectId: refund.id,
  }
}
