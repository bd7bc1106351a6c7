import { refunds } from '../../../drizzle/schema/refunds.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { change, type Plan, type Refusal, refuse } from '../../../src/kernel/plan.ts'
import { planBook, planDrop, unheldFor } from './plan-external.ts'
import { planFail, planSucceed } from './plan-outcome.ts'
import type { SourceRow } from './plan-source.ts'
import { presentRefund, type RefundReply } from './present.ts'
import type { RefundRow } from './store.ts'

/** The merchant's decision about a refund of which the processor reports other numbers. */
export type Decision = 'recheck' | 'succeeded' | 'failed'
type Refused = 'refund_not_under_review' | 'refund_exceeds_captured' | 'refund_currency_mismatch'

/** Whatever is decided, the books follow our own amount. */
export function planResolve(
  refund: RefundRow,
  source: SourceRow,
  decision: Decision,
  clock: Clock,
): Plan<RefundReply> | Refusal<Refused> {
  const { now } = clock
  const isUnbooked = refund.status === 'amount_mismatch'
  if (!isUnbooked && (refund.status !== 'processing' || refund.failureCode !== 'amount_mismatch'))
    return refuse('refund_not_under_review')
  if (decision === 'recheck') {
    const set = { nextCheckAt: now, checksCount: 0, updatedAt: now }
    const reply = presentRefund({ ...refund, ...set })
    return { writes: [change(refunds, refund, set)], events: [], reply, subjectId: refund.id }
  }
  if (isUnbooked) return decideMade(refund, source, decision, clock)
  const ended =
    decision === 'succeeded'
      ? planSucceed(refund, refund, clock)
      : planFail(refund, source, 'amount_mismatch', 'refund_reversed', clock)
  const failureCode = decision === 'succeeded' ? null : refund.failureCode
  const reply = presentRefund({ ...refund, status: decision, failureCode, resolvedAt: now, updatedAt: now })
  return { ...ended, reply, subjectId: refund.id }
}

/** Nothing is booked yet of a refund made at the processor: now it is, if the payment covers it, or never. */
function decideMade(
  refund: RefundRow,
  source: SourceRow,
  decision: 'succeeded' | 'failed',
  clock: Clock,
): Plan<RefundReply> | Refusal<Refused> {
  if (source.kind !== 'payment') return refuse('refund_not_under_review')
  if (decision === 'failed') return planDrop(refund, 'amount_mismatch', clock)
  if (refund.currency !== source.payment.currency)
    return refuse('refund_currency_mismatch', { param: 'decision' })
  const known = { payment: source.payment, refund, holdings: [] }
  const moved = { ...refund, state: decision }
  const unheld = unheldFor(known, moved)
  return unheld ? planBook(refund, known, moved, unheld, clock) : refuse('refund_exceeds_captured')
}
