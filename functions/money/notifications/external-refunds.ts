import { onFreshRows, Stale } from '../../../src/http/publishing.ts'
import { repeatUnconfirmed } from '../../../src/http/scheduled.ts'
import {
  type BackgroundWork,
  isRefusedBy,
  type JobRun,
  type SystemCall,
  systemCall,
} from '../../../src/http/system-call.ts'
import { type Clock, clockOf } from '../../../src/kernel/clock.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import { type Offering, offers } from '../../../src/processors/offering.ts'
import type { Processor, RefundFacts } from '../../../src/processors/port.ts'
import { takingDisputesOf } from '../disputes/api.ts'
import { planHoldDecreased } from '../disputes/api-pure.ts'
import { processorsOf, takerOf, tenantOfAttempt } from '../payments/api.ts'
import { isClosed } from '../payments/api-pure.ts'
import {
  cancelWaitingRefunds,
  paymentOfAttempt,
  type RefundRow,
  refundByRef,
  resolveRefunds,
  type TakenPayment,
} from '../refunds/api.ts'
import {
  answerOf,
  type ExternalRefundContext,
  exceeds,
  outcome,
  planExternalRefund,
  planNextPoll,
} from '../refunds/api-pure.ts'

/** Each refund made here meanwhile may cost a plan. */
const plansMax = 50

type Rail = Offering<'refunds'>

/** The processor notified us about a refund that it made. The notification is only a hint: read the refund there. */
export async function handleExternalRefund(
  work: BackgroundWork,
  processor: Processor,
  refundRef: string,
): Promise<void> {
  if (!offers(processor, 'refunds')) return
  const facts = await processor.refunds.fetchExternalRefund(refundRef)
  if (facts === 'unknown') throw new OutcomeUnknown('the processor did not answer about a refund')
  if (!facts) return
  const tenantId = await tenantOfAttempt(work.services, facts.attemptReference)
  if (!tenantId) throw new Fault('a refund of no workspace')
  await applyFacts(systemCall(work, tenantId), processor, facts)
}

/** Scheduled: repeats notifications that a crashed Worker may not have recorded. */
export const syncExternalRefunds = (run: JobRun): Promise<boolean> =>
  repeatUnconfirmed(run, 'refund_notifications', processorsOf(run.services), {
    railOf: ({ refunds }) => refunds,
    handle: (processor, refundRef) => handleExternalRefund(run, processor, refundRef),
  })

/** Scheduled: sends refunds that waited for the balance, and asks about every refund that is not over. */
export const reconcileRefunds = (run: JobRun): Promise<void> => resolveRefunds(run, reconcileExternalRefund)

/** Asks about an open one: it is never sent, and found only by the processor's reference. */
async function reconcileExternalRefund(call: SystemCall, refund: RefundRow): Promise<void> {
  const { processor } = refund
  const rail = processor === null ? null : takerOf(call.services, { processor })
  const facts = (await rail?.refunds?.fetchExternalRefund(refund.processorRef ?? '')) ?? 'unknown'
  const isTold = rail !== null && facts !== 'unknown' && offers(rail, 'refunds')
  if (isTold && (await applyFacts(call, rail, facts))) return
  const now = new Date()
  const plan = planNextPoll(refund, facts === 'unknown' ? { state: facts } : answerOf(facts), now)
  if (plan) await call.publish(outcome, plan, { now })
}

/** Records the processor's facts, then confirms them to the processor. True when they were new. */
async function applyFacts(call: SystemCall, { name, refunds }: Rail, facts: RefundFacts): Promise<boolean> {
  const isNews = await record(call, name, facts)
  await refunds.confirm?.(facts.refundRef, facts.state)
  return isNews
}

/**
 * Records its state on fresh rows. False when that is already recorded.
 * @throws Error when its payment has not been captured here yet: nothing is booked, and the notification is repeated
 */
const record = (call: SystemCall, processor: string, facts: RefundFacts): Promise<boolean> =>
  onFreshRows(
    plansMax,
    async () => {
      const found = await load(call, processor, facts)
      if (!isBooked(found.payment)) return false
      // Refunds not yet sent from here are canceled, since this money has gone: then read again.
      if (needsRoom(found, facts) && (await cancelWaitingRefunds(call, found.payment.id)) > 0)
        throw new Stale()
      const clock = clockOf(new Date())
      const plan = planExternalRefund(processor, found, facts, clock)
      if (plan) await call.publish(outcome, plan, clock)
      return plan !== null
    },
    cameBetween,
  )

/** Whether the refunded money is in the books. Money of a closed review never was. */
function isBooked({ attemptStatus, attemptResolution }: TakenPayment): boolean {
  if (attemptStatus === 'captured') return true
  if (isClosed(attemptResolution)) return false
  throw new Fault('a refund before its capture')
}

/** Whether it is not booked yet and exceeds what is left of the payment. */
const needsRoom = (
  { payment, refund }: ExternalRefundContext,
  { amountMinor, state }: RefundFacts,
): boolean =>
  (refund === null || refund.status === 'amount_mismatch') &&
  state !== 'failed' &&
  exceeds(payment, amountMinor)

/** A concurrent change: rows moved, or a refund or a dispute took what this plan wanted to count. */
const cameBetween = (error: unknown): boolean =>
  error instanceof Stale || isRefusedBy('payments_amounts_ordered', error)

async function load(
  { read }: SystemCall,
  processor: string,
  { refundRef: processorRef, attemptReference: attemptId }: RefundFacts,
): Promise<ExternalRefundContext & { readonly payment: TakenPayment }> {
  const [[refund = null], [payment], disputes] = await read(
    outcome,
    refundByRef({ processor, processorRef }),
    paymentOfAttempt({ attemptId }),
    takingDisputesOf({ attemptId }),
  )
  if (!payment) throw new Fault('a refund of no payment')
  const holdings = disputes.map((dispute) => ({
    heldMinor: dispute.heldMinor,
    reduce: (byMinor: bigint, clock: Clock) => planHoldDecreased(dispute, byMinor, clock),
  }))
  return { payment, refund, holdings }
}
