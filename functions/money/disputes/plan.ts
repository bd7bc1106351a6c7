import { disputes } from '../../../drizzle/schema/disputes.ts'
import { payments } from '../../../drizzle/schema/payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import {
  adjust,
  change,
  type EventDraft,
  expect,
  insert,
  type Journal,
  type Plan,
  post,
  type Write,
} from '../../../src/kernel/plan.ts'
import { disputeLostJournal, movementJournal } from '../../../src/ledger/journals.ts'
import type { DisputeFacts } from '../../../src/processors/claims.ts'
import { type DisputeFee, presentPayment } from '../payments/api-pure.ts'
import { feesIn, journalsOfFee } from './plan-fee.ts'
import { type DisputeReply, presentDispute } from './present.ts'
import { asks, counts, isInquiry, isOpen, isOver, isReviewed, kindsOf } from './standing.ts'
import type { DisputedPayment, DisputeRow } from './store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

type Status = DisputeFacts['state']

/** A dispute or null, with its payment. */
export interface DisputeContext {
  readonly payment: DisputedPayment
  readonly dispute: DisputeRow | null
  /** What the payment's schedule takes for a dispute; absent: nothing. */
  readonly fee?: DisputeFee
}

const isGiven = ({ evidence, evidenceFiles }: Pick<DisputeRow, 'evidence' | 'evidenceFiles'>) =>
  Object.keys({ ...evidence, ...evidenceFiles }).length > 0

/**
 * The changes for the processor's facts, in whatever order and however often they arrive; null when there are none.
 * Amounts come from the payment as read; if it has changed since, the CHECK of its row refuses.
 */
export function planFacts(
  processor: string,
  known: DisputeContext,
  facts: DisputeFacts,
  clock: Clock,
): Plan<DisputeReply> | null {
  const { dispute } = known
  if (dispute) return planAdvance({ ...known, dispute }, toldOf(dispute, facts), clock)
  return facts.isPrevented ? null : planCreate(processor, known, facts, clock)
}

/**
 * An inquiry whose dispute was prevented is over; a dispute that the processor reports as prevented is won.
 */
const toldOf = ({ status }: DisputeRow, facts: DisputeFacts): DisputeFacts =>
  facts.isPrevented && isInquiry(status) ? { ...facts, state: 'inquiry_closed' } : facts

/**
 * The part of a claim that can still be taken: the rest was refunded, or is held by other disputes. What the payment
 * captured by another attempt is none of this one's.
 */
const takeable = (payment: DisputedPayment, claimedMinor: bigint): bigint => {
  if (payment.attemptStatus !== 'captured') return 0n
  const left = payment.amountCapturedMinor - payment.amountRefundedMinor - payment.amountDisputedMinor
  return claimedMinor < left ? claimedMinor : left
}

function planCreate(
  processor: string,
  { payment, fee }: DisputeContext,
  facts: DisputeFacts,
  clock: Clock,
): Plan<DisputeReply> {
  const { now, newId } = clock
  const { state: status, amountMinor } = facts
  // First reported after it was won: nothing is held.
  const heldMinor = counts(status) ? takeable(payment, amountMinor) : 0n
  const row: DisputeRow = {
    id: newId(),
    paymentId: payment.id,
    attemptId: payment.attemptId,
    customerId: payment.customerId,
    status,
    processor,
    processorRef: facts.disputeRef,
    amountMinor,
    heldMinor,
    ...feesIn(status, null, fee),
    currency: facts.currency,
    reason: facts.reason,
    evidence: {},
    evidenceFiles: {},
    evidenceDueBy: facts.evidenceDueBy,
    evidenceSubmittedAt: null,
    pendingAction: null,
    evidenceFailure: null,
    round: 1,
    ...nextPoll(status, now),
    resolvedAt: isOver(status) ? now : null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const moved = countDisputed(payment, { disputedMinor: heldMinor, open: isOpen(status) ? 1 : 0 }, clock)
  const object = presentDispute(row)
  return {
    writes: [
      ...moved.writes,
      insert(disputes, row),
      ...[...journalsOfClaim(row, clock), ...journalsOfFee(null, row, clock)].map(post),
    ],
    events: [
      ...kindsOf(null, status).map((kind) => event(newId(), `dispute.${kind}`, about(row), object)),
      ...moved.events,
    ],
    reply: object,
  }
}

/** Books a claim that nothing is held for yet: a hold, and at once the loss if the bank has already decided. */
function journalsOfClaim(row: DisputeRow, clock: Clock): Journal[] {
  const { status, heldMinor } = row
  if (heldMinor === 0n) return []
  const hold = movementJournal('dispute.hold', row, heldMinor, clock)
  return status === 'lost' ? [hold, disputeLostJournal(row, heldMinor, heldMinor, clock)] : [hold]
}

function planAdvance(
  { payment, dispute, fee }: DisputeContext & { readonly dispute: DisputeRow },
  facts: DisputeFacts,
  clock: Clock,
): Plan<DisputeReply> | null {
  const { now, newId } = clock
  const status = facts.state
  const from = dispute.status
  if (status === from)
    return planOtherDeadline(dispute, facts, clock) ?? planTakeMore(payment, dispute, clock)
  // The processor's answer from before the inquiry became a dispute.
  if (isInquiry(status) && !isInquiry(from)) return null
  const wasSent = dispute.pendingAction === 'submit'
  const isReopened = isOver(from) && !isOver(status)
  // What the bank never had answered another question. A draft for an inquiry may serve in its dispute.
  const isDropped = isReopened || (wasSent && isInquiry(from) !== isInquiry(status))
  const given =
    isDropped && dispute.evidenceSubmittedAt === null
      ? { evidence: {}, evidenceFiles: {} }
      : { evidence: dispute.evidence, evidenceFiles: dispute.evidenceFiles }
  const before = counts(from) ? dispute.heldMinor : 0n
  // After `won` or an inquiry, it claims from what is left now. When lost, it also takes the amounts of refunds that were
  // in flight when the dispute opened and have failed since.
  const takesMore = counts(status) && (!counts(from) || status === 'lost')
  const heldMinor = takesMore ? before + takeable(payment, dispute.amountMinor - before) : dispute.heldMinor
  const set = {
    status,
    heldMinor,
    ...feesIn(status, dispute, fee),
    round: dispute.round + (beginsAgain(from, status) ? 1 : 0),
    ...given,
    evidenceDueBy: facts.evidenceDueBy,
    evidenceSubmittedAt:
      dispute.evidenceSubmittedAt ?? (isGiven(given) && wasSent && isReviewed(status) ? now : null),
    pendingAction: null,
    evidenceFailure: null,
    ...nextPoll(status, now),
    resolvedAt: isOver(status) ? now : null,
    updatedAt: now,
  }
  const after: DisputeRow = { ...dispute, ...set }
  const moved = countDisputed(
    payment,
    {
      disputedMinor: (counts(status) ? heldMinor : 0n) - before,
      open: (isOpen(status) ? 1 : 0) - (isOpen(from) ? 1 : 0),
    },
    clock,
  )
  const object = presentDispute(after)
  return {
    writes: [
      ...moved.writes,
      change(disputes, dispute, set),
      ...[...journalsOf(dispute, after, clock), ...journalsOfFee(dispute, after, clock)].map(post),
    ],
    events: [
      ...kindsOf(from, status).map((kind) =>
        event(newId(), `dispute.${kind}`, about(dispute), object, presentDispute(dispute)),
      ),
      ...moved.events,
    ],
    reply: object,
  }
}

/**
 * The bank still asks, and has moved the deadline. A later one for a dispute that had its evidence means that the bank has
 * looked at that and asks again.
 */
function planOtherDeadline(
  dispute: DisputeRow,
  { evidenceDueBy }: DisputeFacts,
  { now, newId }: Clock,
): Plan<DisputeReply> | null {
  const { status, evidenceDueBy: known, evidenceSubmittedAt, round } = dispute
  if (!asks(status) || known?.getTime() === evidenceDueBy?.getTime()) return null
  const isLater = known !== null && evidenceDueBy !== null && evidenceDueBy > known
  const kinds = isLater && evidenceSubmittedAt !== null ? kindsOf(status, status) : (['updated'] as const)
  const set = { evidenceDueBy, round: kinds[0] === 'updated' ? round : round + 1, updatedAt: now }
  const object = presentDispute({ ...dispute, ...set })
  return {
    writes: [change(disputes, dispute, set)],
    events: kinds.map((kind) =>
      event(newId(), `dispute.${kind}`, about(dispute), object, presentDispute(dispute)),
    ),
    reply: object,
  }
}

/**
 * Nothing moved at the bank, but money that was missing is now there, since a refund failed or another dispute released
 * it: it is held, and booked as lost if the dispute is lost. A round of its own, so that it is booked once.
 */
function planTakeMore(
  payment: DisputedPayment,
  dispute: DisputeRow,
  clock: Clock,
): Plan<DisputeReply> | null {
  const moreMinor = counts(dispute.status) ? takeable(payment, dispute.amountMinor - dispute.heldMinor) : 0n
  if (moreMinor === 0n) return null
  const set = { heldMinor: dispute.heldMinor + moreMinor, round: dispute.round + 1, updatedAt: clock.now }
  const after: DisputeRow = { ...dispute, ...set }
  const moved = countDisputed(payment, { disputedMinor: moreMinor, open: 0 }, clock)
  const object = presentDispute(after)
  const increased = event(
    clock.newId(),
    'dispute.hold_increased',
    about(dispute),
    object,
    presentDispute(dispute),
  )
  const journals = journalsOfClaim({ ...after, heldMinor: moreMinor }, clock)
  return {
    writes: [...moved.writes, change(disputes, dispute, set), ...journals.map(post)],
    events: [increased, ...moved.events],
    reply: object,
  }
}

/** Whether the bank reopens the dispute: asks again, or reviews its decision. */
const beginsAgain = (from: Status, to: Status): boolean =>
  asks(to) || from === 'won' || (from === 'lost' && to !== 'won')

export const nextPoll = (status: Status, now: Date) => ({
  nextCheckAt: new Date(now.getTime() + (isOver(status) ? dayMs : hourMs)),
  checksCount: 0,
})

function journalsOf(before: DisputeRow, after: DisputeRow, clock: Clock): Journal[] {
  const { heldMinor } = before
  if (!counts(before.status)) return counts(after.status) ? journalsOfClaim(after, clock) : []
  if (after.heldMinor === 0n) return []
  const move = (kind: 'overturned' | 'reopened' | 'release') => [
    movementJournal(`dispute.${kind}`, after, heldMinor, clock),
  ]
  if (before.status === 'lost') return move(after.status === 'won' ? 'overturned' : 'reopened')
  if (after.status === 'lost') return [disputeLostJournal(after, heldMinor, after.heldMinor, clock)]
  return after.status === 'won' ? move('release') : []
}

const about = ({ id }: { readonly id: string }) => ({ type: 'dispute', id })

/**
 * Counts the held amount and open disputes at the payment without a version check, as refunds do, so that neither waits
 * for the other's version. See countRefunded of the refunds.
 */
export function countDisputed(
  payment: DisputedPayment,
  { disputedMinor, open }: { readonly disputedMinor: bigint; readonly open: number },
  { newId }: Clock,
): { writes: Write[]; events: EventDraft[] } {
  if (disputedMinor === 0n)
    return {
      writes: open === 0 ? [] : [adjust(payments, payment.id, { openDisputesCount: open })],
      events: [],
    }
  const { attemptId: _, attemptStatus: __, attemptResolution: ___, ...row } = payment
  const type = disputedMinor > 0n ? 'payment.disputed' : 'payment.dispute_released'
  return {
    writes: [
      adjust(payments, payment.id, {
        amountDisputedMinor: disputedMinor,
        ...(open === 0 ? {} : { openDisputesCount: open }),
      }),
      expect(payments, payment.id, { version: payment.version }),
    ],
    events: [
      {
        ...event(newId(), type, { type: 'payment', id: payment.id }, presentPayment(row)),
        counted: {
          table: payments,
          id: payment.id,
          fields: {
            amount_refunded: { column: 'amountRefundedMinor', delta: 0n },
            refund_status: { column: 'amountRefundedMinor', whole: 'amountCapturedMinor', delta: 0n },
            amount_disputed: { column: 'amountDisputedMinor', delta: disputedMinor },
          },
        },
      },
    ],
  }
}

/**
 * Fifteen looks at intervals growing to a week cover thirteen weeks: longer than card schemes let a bank reopen a
 * dispute. A loss that is not fully covered gets a look a day for as long (91): refunds that were in its way may still
 * fail.
 */
const looks = { over: 15, uncovered: 91 }

/**
 * No change: an open dispute is asked about again in an hour, then at growing intervals up to a day; unconfirmed
 * evidence sooner. A closed one is looked at for three months, since the notification that the bank reopened it may be
 * lost.
 */
export function planNextPoll(dispute: DisputeRow, now: Date): Plan<object> | null {
  const { status, checksCount, nextCheckAt } = dispute
  if (nextCheckAt === null) return null
  const isUncovered = status === 'lost' && dispute.heldMinor < dispute.amountMinor
  const [first, longest] = isUncovered
    ? [dayMs, dayMs]
    : isOver(status)
      ? [2 * dayMs, 7 * dayMs]
      : dispute.pendingAction
        ? [minuteMs, hourMs]
        : [hourMs, dayMs]
  const wait = Math.min(first * 2 ** Math.min(checksCount, 20), longest)
  const isLast = isOver(status) && checksCount + 1 >= (isUncovered ? looks.uncovered : looks.over)
  const set = {
    checksCount: checksCount + 1,
    nextCheckAt: isLast ? null : new Date(now.getTime() + wait),
  }
  return { writes: [change(disputes, dispute, set)], events: [], reply: {} }
}
