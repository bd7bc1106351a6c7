import type { DisputedPayment, DisputeRow } from '../../../functions/money/disputes/store.ts'
import type { Plan } from '../../../src/kernel/plan.ts'
import type { DisputeFacts } from '../../../src/processors/claims.ts'
import { idOf, now, submission } from '../payments/samples.ts'

export type Status = DisputeFacts['state']
export const statuses = ['needs_response', 'under_review', 'won', 'lost'] as const
export const inquiryStatuses = ['inquiry_needs_response', 'inquiry_under_review', 'inquiry_closed'] as const

export const paid = (changes: Partial<DisputedPayment> = {}): DisputedPayment => {
  const { payment, attempt } = submission({ status: 'captured' }, { status: 'succeeded' })
  const amounts = { amountMinor: 10_000n, amountAuthorizedMinor: 10_000n, amountCapturedMinor: 10_000n }
  return {
    tenantId: 'tn_a',
    ...payment,
    ...amounts,
    attemptId: attempt.id,
    attemptStatus: 'captured',
    attemptResolution: null,
    ...changes,
  }
}

export const facts = (state: Status, changes: Partial<DisputeFacts> = {}): DisputeFacts => ({
  disputeRef: 'dp_1',
  attemptReference: idOf(2),
  state,
  amountMinor: 10_000n,
  currency: 'mxn',
  reason: 'fraudulent',
  evidenceDueBy: new Date('2026-06-19T18:00:00.000Z'),
  ...changes,
})

/** An inquiry about the whole payment as recorded, and its payment. */
export function inquired(status: Status, changes: Partial<DisputeRow> = {}) {
  const { dispute } = disputed('needs_response', { status, heldMinor: 0n, ...changes })
  return { payment: paid(), dispute }
}

/** A dispute of the whole payment as recorded, and its payment with the dispute counted. */
export function disputed(status: Status, changes: Partial<DisputeRow> = {}) {
  const payment = paid({
    amountDisputedMinor: status === 'won' ? 0n : 10_000n,
    openDisputesCount: status === 'won' || status === 'lost' ? 0 : 1,
  })
  const dispute: DisputeRow = {
    id: idOf(9),
    paymentId: payment.id,
    attemptId: payment.attemptId,
    customerId: payment.customerId,
    status,
    processor: 'simulator',
    processorRef: 'dp_1',
    amountMinor: 10_000n,
    heldMinor: 10_000n,
    feeMinor: 0n,
    feeIvaMinor: 0n,
    currency: 'mxn',
    reason: 'fraudulent',
    round: 1,
    evidence: {},
    evidenceFiles: {},
    evidenceDueBy: new Date('2026-06-19T18:00:00.000Z'),
    evidenceSubmittedAt: null,
    pendingAction: null,
    evidenceFailure: null,
    nextCheckAt: new Date('2026-06-12T19:00:00.000Z'),
    checksCount: 0,
    resolvedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...changes,
  }
  return { payment, dispute }
}

/** What a plan writes on the dispute. */
export const changed = (plan: Plan<object>): object =>
  plan.writes.flatMap((write) => (write.kind === 'change' ? [write.set] : []))[0]!
