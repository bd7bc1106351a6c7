import { payments } from '../../../drizzle/schema/payments.ts'
import { refunds } from '../../../drizzle/schema/refunds.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { change, expect, type Plan, type Refusal, refuse, type Write } from '../../../src/kernel/plan.ts'
import { refundLifecycle } from './lifecycle.ts'
import {
  type Bounds,
  type Cover,
  covers,
  type Destination,
  nextPoll,
  type Recorded,
  sendingOf,
  take,
} from './plan.ts'
import { about, type SourceRow, voidOrRefund } from './plan-source.ts'
import { presentRefund, type RefundReply } from './present.ts'
import type { RefundRow } from './store.ts'

type DestinationFields = Pick<RefundRow, 'destinationClabe' | 'destinationHolder'>
type Approved = Pick<RefundRow, 'approvedByUserId' | 'approvedAt'>

/** Nothing was sent yet: the amount set apart is given back. */
export function planCancel(
  refund: RefundRow,
  source: SourceRow,
  clock: Clock,
): Plan<RefundReply> | Refusal<'refund_not_cancelable'> {
  if (!canMove(refundLifecycle, refund.status, 'cancel')) return refuse('refund_not_cancelable')
  const { now, newId } = clock
  const given = voidOrRefund(refund, source, 'refund_reversed', clock)
  const set = {
    status: 'canceled' as const,
    pendingReason: null,
    nextCheckAt: null,
    resolvedAt: now,
    updatedAt: now,
  }
  const canceled = presentRefund({ ...refund, ...set })
  return {
    writes: [change(refunds, refund, set), ...given.writes],
    events: [
      event(newId(), 'refund.canceled', about(refund), canceled, presentRefund(refund)),
      ...given.events,
    ],
    reply: canceled,
    subjectId: refund.id,
  }
}

/** The destination is known: the refund is sent, or waits for approval or for the balance. */
export function planDestination(
  refund: RefundRow,
  destination: Destination,
  bounds: Bounds,
  clock: Clock,
): Recorded | Refusal<'refund_destination_not_awaited'> {
  if (refund.status !== 'requires_destination') return refuse('refund_destination_not_awaited')
  const set = { destinationClabe: destination.clabe, destinationHolder: destination.holder.trim() }
  const sending = sendingOf(bounds.spendLimit, refund.currency, refund.amountMinor, clock)
  if (sending.waits) return planAsk(refund, set, clock)
  return planSend(refund, bounds, clock, set, sending.writes)
}

/** Above the key's limit: a user must approve. */
function planAsk(refund: RefundRow, destination: DestinationFields, { now, newId }: Clock): Recorded {
  const set = { ...destination, status: 'pending_approval' as const, updatedAt: now }
  const asked: RefundRow = { ...refund, ...set, version: refund.version + 1 }
  const object = presentRefund(asked)
  return {
    refund: asked,
    plan: {
      writes: [change(refunds, refund, set)],
      events: [event(newId(), 'refund.pending_approval', about(refund), object, presentRefund(refund))],
      reply: object,
      subjectId: refund.id,
    },
  }
}

/** An authorized user approves exactly what they saw: it is sent, or waits for the balance and is sent then. */
export function planApprove(
  refund: RefundRow,
  source: SourceRow,
  seen: { readonly amount: string; readonly currency: string },
  userId: string,
  cover: Cover,
  clock: Clock,
): Recorded | Refusal<'refund_not_pending_approval' | 'refund_terms_mismatch' | 'refund_blocked_by_dispute'> {
  if (refund.status !== 'pending_approval') return refuse('refund_not_pending_approval')
  if (BigInt(seen.amount) !== refund.amountMinor) return refuse('refund_terms_mismatch', { param: 'amount' })
  if (seen.currency !== refund.currency) return refuse('refund_terms_mismatch', { param: 'currency' })
  if (source.kind === 'payment' && source.payment.openDisputesCount > 0)
    return refuse('refund_blocked_by_dispute')
  const set = { approvedByUserId: userId, approvedAt: clock.now }
  const { refund: sent, plan } = planSend(refund, cover, clock, set)
  const approved = event(clock.newId(), 'refund.approved', about(refund), plan.reply, presentRefund(refund))
  return { refund: sent, plan: { ...plan, events: [approved, ...plan.events] } }
}

/** An authorized user rejects it: the amount set apart is given back. */
export const planReject = (
  refund: RefundRow,
  source: SourceRow,
  clock: Clock,
): ReturnType<typeof planCancel> | Refusal<'refund_not_pending_approval'> =>
  refund.status === 'pending_approval'
    ? planCancel(refund, source, clock)
    : refuse('refund_not_pending_approval')

/** Sends a waiting refund if the balance covers it now; otherwise it continues to wait. */
export function planSend(
  refund: RefundRow,
  cover: Cover,
  clock: Clock,
  known: Partial<DestinationFields & Approved> = {},
  counts: readonly Write[] = [],
): Recorded {
  const { now, newId } = clock
  // Unapplied funds were set apart when the refund was made.
  const covered = refund.paymentId === null || covers(cover, refund.currency, refund.amountMinor)
  const status = covered ? 'processing' : 'pending'
  const set: Partial<RefundRow> = {
    ...known,
    status,
    pendingReason: covered ? null : 'insufficient_funds',
    nextCheckAt: nextPoll(status, now),
    updatedAt: now,
  }
  const sent: RefundRow = { ...refund, ...set, version: refund.version + 1 }
  const taken = covered && refund.paymentId !== null
  // Money that a bank claims goes back by the dispute: no waiting refund is sent beside it.
  const undisputed = taken ? [expect(payments, refund.paymentId!, { openDisputesCount: 0 })] : []
  const object = presentRefund(sent)
  const moved = status !== refund.status
  return {
    refund: sent,
    plan: {
      writes: [
        change(refunds, refund, set),
        ...undisputed,
        // After the payment and before the ledger, as when a refund is created: the same lock order avoids deadlocks.
        ...counts,
        ...(taken ? [take(sent, cover, clock)] : []),
      ],
      events: moved ? [event(newId(), `refund.${status}`, about(refund), object, presentRefund(refund))] : [],
      reply: object,
      subjectId: refund.id,
    },
  }
}
