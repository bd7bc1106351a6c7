import { refunds } from '../../../drizzle/schema/refunds.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { change, type Plan, post } from '../../../src/kernel/plan.ts'
import { firstWatch, nextPoll, pollAgain, watchAgain } from '../../../src/kernel/poll-schedule.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import type { BankFailure, BankState, RefundFailure, RefundState } from '../../../src/processors/port.ts'
import { refundLifecycle } from './lifecycle.ts'
import { madeMail } from './plan-mails.ts'
import { about, type SourceRow, voidOrRefund } from './plan-source.ts'
import { presentRefund } from './present.ts'
import type { RefundRow } from './store.ts'

/** What a processor or a bank reports of a refund. */
export type RefundAnswer =
  | { readonly state: 'processing'; readonly processorRef: string | null }
  | {
      readonly state: 'succeeded'
      readonly amountMinor: bigint
      readonly currency: string
      readonly processorRef: string | null
      readonly claveRastreo: string | null
    }
  | { readonly state: 'kept'; readonly processorRef: string }
  | { readonly state: 'failed'; readonly code: RefundFailure | BankFailure }
  | { readonly state: 'not_found' }
  | { readonly state: 'unknown' }

type Paid = Extract<RefundAnswer, { state: 'succeeded' }>

export const fromProcessor = (state: RefundState): RefundAnswer =>
  state.state === 'succeeded' ? { ...state, claveRastreo: null } : state

/** A bank pays exactly the ordered amount, or nothing. */
export function fromBank(state: BankState, { amountMinor, currency }: RefundRow): RefundAnswer {
  switch (state.state) {
    case 'paid':
      return {
        state: 'succeeded',
        amountMinor,
        currency,
        processorRef: null,
        claveRastreo: state.claveRastreo,
      }
    case 'processing':
      return { state: 'processing', processorRef: null }
    case 'failed':
    case 'returned':
      return { state: 'failed', code: state.code }
    case 'canceled':
      return { state: 'failed', code: 'processing_error' }
    default:
      return state
  }
}

/**
 * The changes for an answer; null when there are none. Numbers come from our own row, and only when the processor's
 * agree; contradicting ones book nothing and go to review.
 */
export function planOutcome(
  refund: RefundRow,
  source: SourceRow,
  answer: RefundAnswer,
  clock: Clock,
): Plan<object> | null {
  const current = refund.status
  if (answer.state === 'succeeded' && canMove(refundLifecycle, current, 'succeed')) {
    const agrees = answer.amountMinor === refund.amountMinor && answer.currency === refund.currency
    return agrees ? planSucceed(refund, answer, clock) : planMismatch(refund, answer, clock)
  }
  if (answer.state === 'kept' && (current === 'processing' || current === 'succeeded'))
    return planKeep(refund, answer, clock)
  if (answer.state === 'failed' && refund.method !== 'recorded_offline') {
    if (canMove(refundLifecycle, current, 'fail'))
      return planFail(refund, source, answer.code, 'refund_reversed', clock)
    if (canMove(refundLifecycle, current, 'return'))
      return planFail(refund, source, answer.code, 'refund_returned', clock)
  }
  return null
}

export function planSucceed(
  refund: RefundRow,
  answer: Pick<Paid, 'processorRef' | 'claveRastreo'>,
  clock: Clock,
): Plan<object> {
  const { now, newId } = clock
  const set = {
    status: 'succeeded' as const,
    processorRef: answer.processorRef,
    claveRastreo: answer.claveRastreo,
    failureCode: null,
    nextCheckAt: firstWatch(now),
    checksCount: 0,
    resolvedAt: now,
    updatedAt: now,
  }
  const object = presentRefund({ ...refund, ...set })
  return {
    writes: [
      change(refunds, refund, set),
      post(movementJournal('refund.refund_paid', refund, refund.amountMinor, clock)),
      ...madeMail(refund, clock),
    ],
    events: [event(newId(), 'refund.succeeded', about(refund), object, presentRefund(refund))],
    reply: {},
  }
}

/** It has left the merchant's books for good (at once where it was paid), and the buyer has not got it yet. */
function planKeep(refund: RefundRow, { processorRef }: { processorRef: string }, clock: Clock): Plan<object> {
  const { now, newId } = clock
  const set = {
    status: 'kept' as const,
    processorRef,
    failureCode: null,
    nextCheckAt: null,
    resolvedAt: now,
    updatedAt: now,
  }
  const object = presentRefund({ ...refund, ...set })
  return {
    writes: [
      change(refunds, refund, set),
      ...(refund.status === 'succeeded'
        ? []
        : [post(movementJournal('refund.refund_paid', refund, refund.amountMinor, clock))]),
    ],
    events: [event(newId(), 'refund.kept', about(refund), object, presentRefund(refund))],
    reply: {},
  }
}

export function planFail(
  refund: RefundRow,
  source: SourceRow,
  failureCode: NonNullable<RefundRow['failureCode']>,
  kind: 'refund_reversed' | 'refund_returned',
  clock: Clock,
): Plan<object> {
  const { now, newId } = clock
  const set = { status: 'failed' as const, failureCode, nextCheckAt: null, resolvedAt: now, updatedAt: now }
  const object = presentRefund({ ...refund, ...set })
  const given = voidOrRefund(refund, source, kind, clock)
  return {
    writes: [change(refunds, refund, set), ...given.writes],
    events: [event(newId(), 'refund.failed', about(refund), object, presentRefund(refund)), ...given.events],
    reply: {},
  }
}

/**
 * It stays in flight: the reconciler asks at growing intervals until the numbers agree or the merchant decides
 * (plan-review.ts).
 */
function planMismatch(refund: RefundRow, answer: Paid, { now, newId }: Clock): Plan<object> | null {
  if (refund.failureCode === 'amount_mismatch') return null
  const set = {
    failureCode: 'amount_mismatch' as const,
    contradiction: { amount: toMinorString(answer.amountMinor), currency: answer.currency },
    processorRef: answer.processorRef,
    nextCheckAt: nextPoll(0, now),
    checksCount: 1,
    updatedAt: now,
  }
  const object = presentRefund({ ...refund, ...set })
  return {
    writes: [change(refunds, refund, set)],
    events: [event(newId(), 'refund.amount_mismatch', about(refund), object, presentRefund(refund))],
    reply: {},
  }
}

/** Still open or no answer: poll again at growing intervals. What a bank paid is watched for some days. */
export function planNextPoll(refund: RefundRow, answer: RefundAnswer, now: Date): Plan<object> | null {
  if (!['processing', 'succeeded', 'amount_mismatch'].includes(refund.status) || refund.nextCheckAt === null)
    return null
  const processorRef = answer.state === 'processing' ? answer.processorRef : refund.processorRef
  const polls =
    refund.status === 'succeeded'
      ? watchAgain(refund, answer.state !== 'unknown', now)
      : pollAgain(refund, now)
  const set = { processorRef, ...polls }
  return { writes: [change(refunds, refund, set)], events: [], reply: {} }
}
