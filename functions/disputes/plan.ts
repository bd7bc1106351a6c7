import { disputes } from '../../drizzle/schema/disputes.ts'
import { payments } from '../../drizzle/schema/payments.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { event } from '../../src/kernel/events.ts'
import { canMove } from '../../src/kernel/lifecycle.ts'
import {
  adjust,
  change,
  type EventDraft,
  expect,
  insert,
  type Journal,
  type Plan,
  post,
  type Refusal,
  refuse,
  type Write,
} from '../../src/kernel/plan.ts'
import {
  disputeHoldJournal,
  disputeLostJournal,
  disputeOverturnedJournal,
  disputeReleaseJournal,
} from '../../src/ledger/journals.ts'
import type { DisputeFacts } from '../../src/processors/port.ts'
import { presentPayment } from '../payments/published-pure.ts'
import { disputeLifecycle } from './lifecycle.ts'
import { type DisputeReply, presentDispute } from './present.ts'
import type { DisputedPayment, DisputeRow } from './store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

type Status = DisputeFacts['state']

/** A dispute, or the lack of one, with the payment that it is of. */
export interface Known {
  readonly payment: DisputedPayment
  readonly dispute: DisputeRow | null
}

const isOpen = (status: string) => status === 'needs_response' || status === 'under_review'
const counts = (status: string) => status !== 'won'

/**
 * What the processor's word changes, however early, late or often it is told; null when it changes nothing. The amounts
 * are decided on the payment as it was read; whoever came in between makes the CHECK of its row refuse.
 */
export function planFacts(
  processor: string,
  { payment, dispute }: Known,
  facts: DisputeFacts,
  clock: Clock,
): Plan<object> | null {
  if (!dispute) return planCreate(processor, payment, facts, clock)
  return planAdvance(payment, dispute, facts, clock)
}

/** What of a claim can still be taken: the rest was refunded, or is held by other disputes. */
const takeable = (payment: DisputedPayment, claimedMinor: bigint): bigint => {
  const left = payment.amountCapturedMinor - payment.amountRefundedMinor - payment.amountDisputedMinor
  return claimedMinor < left ? claimedMinor : left
}

function planCreate(
  processor: string,
  payment: DisputedPayment,
  facts: DisputeFacts,
  clock: Clock,
): Plan<object> {
  const { now, newId } = clock
  const { state: status, amountMinor } = facts
  // Told only after it was won: nothing is held any more.
  const heldMinor = counts(status) ? takeable(payment, amountMinor) : 0n
  const row: DisputeRow = {
    tenantId: '',
    id: newId(),
    paymentId: payment.id,
    attemptId: payment.attemptId,
    status,
    processor,
    processorRef: facts.disputeRef,
    amountMinor,
    heldMinor,
    currency: facts.currency,
    reason: facts.reason,
    evidence: {},
    evidenceDueBy: facts.evidenceDueBy,
    evidenceSubmittedAt: null,
    nextCheckAt: isOpen(status) ? new Date(now.getTime() + hourMs) : null,
    checksCount: 0,
    resolvedAt: isOpen(status) ? null : now,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const { tenantId: _, ...fields } = row
  const moved = countDisputed(payment, { disputedMinor: heldMinor, open: isOpen(status) ? 1 : 0 }, clock)
  const kinds = status === 'needs_response' ? (['created'] as const) : (['created', status] as const)
  const object = presentDispute(row)
  return {
    writes: [...moved.writes, insert(disputes, fields), ...journalsOfCreate(row, clock).map(post)],
    events: [...kinds.map((kind) => event(newId(), `dispute.${kind}`, about(row), object)), ...moved.events],
    reply: {},
  }
}

function journalsOfCreate(row: DisputeRow, clock: Clock): Journal[] {
  const { status, heldMinor } = row
  if (heldMinor === 0n) return []
  const hold = disputeHoldJournal(journalAbout(row, clock), heldMinor)
  return status === 'lost'
    ? [hold, disputeLostJournal(journalAbout(row, clock), heldMinor, heldMinor)]
    : [hold]
}

function planAdvance(
  payment: DisputedPayment,
  dispute: DisputeRow,
  facts: DisputeFacts,
  clock: Clock,
): Plan<object> | null {
  const { now, newId } = clock
  const status = facts.state
  const from = dispute.status as Status
  const move = moves.find(([name, to]) => to === status && canMove(disputeLifecycle, from, name))
  if (!move) return null
  // What a refund had on its way when the bank came, and that failed since, can be lost after all.
  const heldMinor =
    status === 'lost'
      ? dispute.heldMinor + takeable(payment, dispute.amountMinor - dispute.heldMinor)
      : dispute.heldMinor
  const hasEvidence = Object.keys(dispute.evidence).length > 0
  const set = {
    status,
    heldMinor,
    evidenceDueBy: facts.evidenceDueBy,
    evidenceSubmittedAt:
      dispute.evidenceSubmittedAt ?? (hasEvidence && status === 'under_review' ? now : null),
    nextCheckAt: isOpen(status) ? new Date(now.getTime() + hourMs) : null,
    checksCount: 0,
    resolvedAt: isOpen(status) ? null : now,
    updatedAt: now,
  }
  const after: DisputeRow = { ...dispute, ...set }
  const moved = countDisputed(
    payment,
    {
      disputedMinor: (counts(status) ? heldMinor : 0n) - (counts(from) ? dispute.heldMinor : 0n),
      open: (isOpen(status) ? 1 : 0) - (isOpen(from) ? 1 : 0),
    },
    clock,
  )
  const journal = journalOf(dispute, after, clock)
  const told = status === 'needs_response' ? 'reopened' : status
  return {
    writes: [...moved.writes, change(disputes, dispute, set), ...(journal ? [post(journal)] : [])],
    events: [
      event(newId(), `dispute.${told}`, about(dispute), presentDispute(after), { status: from }),
      ...moved.events,
    ],
    reply: {},
  }
}

const moves = [
  ['review', 'under_review'],
  ['ask', 'needs_response'],
  ['win', 'won'],
  ['lose', 'lost'],
  ['overturn', 'won'],
] as const

function journalOf(before: DisputeRow, after: DisputeRow, clock: Clock): Journal | null {
  if (after.heldMinor === 0n) return null
  const at = journalAbout(before, clock)
  if (after.status === 'lost') return disputeLostJournal(at, before.heldMinor, after.heldMinor)
  if (after.status !== 'won') return null
  return before.status === 'lost'
    ? disputeOverturnedJournal(at, before.heldMinor)
    : disputeReleaseJournal(at, before.heldMinor)
}

const about = ({ id }: { readonly id: string }) => ({ type: 'dispute', id })

const journalAbout = ({ id, currency }: DisputeRow, { now, newId }: Clock) => ({
  journalId: newId(),
  sourceId: id,
  currency,
  now,
})

/**
 * Counts what is held, and whether a dispute is open, at its payment: blindly, as refunds do, so that neither waits for
 * the other's version. See countRefunded of the refunds.
 */
function countDisputed(
  payment: DisputedPayment,
  { disputedMinor, open }: { readonly disputedMinor: bigint; readonly open: number },
  { newId }: Clock,
): { writes: Write[]; events: EventDraft[] } {
  if (disputedMinor === 0n)
    return {
      writes: open === 0 ? [] : [adjust(payments, payment.id, { openDisputesCount: open })],
      events: [],
    }
  const { attemptId: _, attemptStatus: __, ...row } = payment
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
            amount_disputed: { column: 'amountDisputedMinor', delta: disputedMinor },
          },
        },
      },
    ],
  }
}

/** Evidence is recorded first: what the processor says to it is recorded by itself. */
export function planEvidence(
  dispute: DisputeRow,
  evidence: Readonly<Record<string, string>>,
  now: Date,
): Plan<DisputeReply> | Refusal<'dispute_evidence_not_awaited' | 'dispute_evidence_overdue'> {
  if (dispute.status !== 'needs_response' || awaitsConfirmation(dispute))
    return refuse('dispute_evidence_not_awaited')
  if (dispute.evidenceDueBy !== null && dispute.evidenceDueBy <= now)
    return refuse('dispute_evidence_overdue')
  const set = {
    evidence: { ...evidence },
    evidenceSubmittedAt: null,
    nextCheckAt: new Date(now.getTime() + minuteMs),
    checksCount: 0,
    updatedAt: now,
  }
  return {
    writes: [change(disputes, dispute, set)],
    events: [],
    reply: presentDispute({ ...dispute, ...set }),
    subjectId: dispute.id,
  }
}

/** Whether evidence was recorded that the processor has not confirmed. */
export const awaitsConfirmation = ({ status, evidence, evidenceSubmittedAt }: DisputeRow): boolean =>
  status === 'needs_response' && evidenceSubmittedAt === null && Object.keys(evidence).length > 0

/** Nothing new: an open dispute is asked about again in an hour, and ever later up to a day; evidence sooner. */
export function planLookLater(dispute: DisputeRow, now: Date): Plan<object> | null {
  if (dispute.nextCheckAt === null) return null
  const [first, longest] = awaitsConfirmation(dispute) ? [minuteMs, hourMs] : [hourMs, dayMs]
  const wait = Math.min(first * 2 ** Math.min(dispute.checksCount, 20), longest)
  const set = {
    checksCount: dispute.checksCount + 1,
    nextCheckAt: new Date(now.getTime() + wait),
    updatedAt: now,
  }
  return { writes: [change(disputes, dispute, set)], events: [], reply: {} }
}
