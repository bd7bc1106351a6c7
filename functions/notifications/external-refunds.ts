import { Problem } from '../../src/http/problems.ts'
import { onFreshRows, publishPlan, Stale } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import type { SystemCredential } from '../../src/http/system-call.ts'
import { type Clock, clockOf } from '../../src/kernel/clock.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { log } from '../../src/platform/log.ts'
import { OutcomeUnknown } from '../../src/platform/postgres.ts'
import type { RefundFacts, RefundRail } from '../../src/processors/port.ts'
import { takingDisputesOf } from '../disputes/api.ts'
import { planHoldDecreased } from '../disputes/api-pure.ts'
import { processorOf, tenantOfAttempt } from '../payments/api.ts'
import { isClosed } from '../payments/api-pure.ts'
import { giveWay, paymentOfAttempt, type RefundRow, refundByRef, type TakenPayment } from '../refunds/api.ts'
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
const repeatedMax = 100

interface Rail {
  readonly name: string
  readonly refunds: RefundRail
}

function railOf(services: Services): Rail | null {
  const processor = processorOf(services)
  return processor?.refunds ? { name: processor.name, refunds: processor.refunds } : null
}

/** The processor notified us about a refund that it made. The notification is only a hint: read the refund there. */
export async function handleExternalRefund(
  services: Services,
  refundRef: string,
  requestId: string,
): Promise<void> {
  const rail = railOf(services)
  if (!rail) return
  const facts = await rail.refunds.fetchExternalRefund(refundRef)
  if (facts === 'unknown') throw new OutcomeUnknown('the processor does not tell of a refund')
  if (!facts) return
  const tenantId = await tenantOfAttempt(services, facts.attemptReference)
  if (!tenantId) throw new Fault('a refund of no workspace')
  await learn(services, rail, { kind: 'system', tenantId }, facts, requestId)
}

/** Scheduled: repeats notifications that a crashed Worker may not have recorded. */
export async function syncExternalRefunds(services: Services, requestId: string): Promise<void> {
  const rail = railOf(services)
  for (const refundRef of (await rail?.refunds.unconfirmed?.(repeatedMax)) ?? []) {
    try {
      await handleExternalRefund(services, refundRef, requestId)
    } catch (error) {
      log('error', { place: 'refund_news', requestId, id: refundRef }, error)
    }
  }
}

/** Asks about an open one: it is never sent, and found only by the processor's reference. */
export async function reconcileExternalRefunds(
  services: Services,
  credential: SystemCredential,
  refund: RefundRow,
  requestId: string,
): Promise<void> {
  const rail = railOf(services)
  const facts = (await rail?.refunds.fetchExternalRefund(refund.processorRef ?? '')) ?? 'unknown'
  if (rail && facts !== 'unknown' && (await learn(services, rail, credential, facts, requestId))) return
  const now = new Date()
  const plan = planNextPoll(refund, facts === 'unknown' ? { state: facts } : answerOf(facts), now)
  if (plan) await publishPlan(services, { operation: outcome.id, credential, requestId, now }, plan)
}

/** Records the processor's facts, then confirms them to the processor. True when they were new. */
async function learn(
  services: Services,
  { name, refunds }: Rail,
  credential: SystemCredential,
  facts: RefundFacts,
  requestId: string,
): Promise<boolean> {
  const isNews = await record(services, credential, name, facts, requestId)
  await refunds.confirm?.(facts.refundRef, facts.state)
  return isNews
}

/**
 * Records its state on fresh rows. False when that is already recorded.
 * @throws Error when its payment has not been captured here yet: nothing is booked, and the notification is repeated
 */
async function record(
  services: Services,
  credential: SystemCredential,
  processor: string,
  facts: RefundFacts,
  requestId: string,
): Promise<boolean> {
  const heard = async () => {
    const known = await load(services, credential, processor, facts)
    if (!isBooked(known.payment)) return false
    // Refunds not yet sent from here give way to money that has gone.
    if (await madeWay(services, credential, known, facts, requestId)) throw new Stale()
    const now = new Date()
    const plan = planExternalRefund(processor, known, facts, clockOf(now))
    if (!plan) return false
    await publishPlan(services, { operation: outcome.id, credential, requestId, now }, plan)
    return true
  }
  return onFreshRows(plansMax, heard, cameBetween)
}

/** Whether the refunded money is in the books. Money of a closed review never was. */
function isBooked({ attemptStatus, attemptResolution }: TakenPayment): boolean {
  if (attemptStatus === 'captured') return true
  if (isClosed(attemptResolution)) return false
  throw new Fault('a refund before its capture')
}

async function madeWay(
  services: Services,
  credential: SystemCredential,
  { payment, refund }: ExternalRefundContext,
  { amountMinor, state }: RefundFacts,
  requestId: string,
): Promise<boolean> {
  const isBooked = refund !== null && refund.status !== 'amount_mismatch'
  if (isBooked || state === 'failed' || !exceeds(payment, amountMinor)) return false
  return (await giveWay(services, credential, payment.id, requestId)) > 0
}

/** A concurrent change: rows moved, or a refund or a dispute took what this plan wanted to count. */
const cameBetween = (error: unknown): boolean =>
  error instanceof Stale || (error instanceof Problem && error.code === 'refund_exceeds_captured')

async function load(
  services: Services,
  credential: SystemCredential,
  processor: string,
  { refundRef: processorRef, attemptReference: attemptId }: RefundFacts,
): Promise<ExternalRefundContext & { readonly payment: TakenPayment }> {
  const { rows } = await services.db.read(outcome.id, credential, [
    refundByRef({ processor, processorRef }),
    paymentOfAttempt({ attemptId }),
    takingDisputesOf({ attemptId }),
  ])
  const [[refund = null], [payment], disputes] = rows
  if (!payment) throw new Fault('a refund of no payment')
  const holdings = disputes.map((dispute) => ({
    heldMinor: dispute.heldMinor,
    reduce: (byMinor: bigint, clock: Clock) => planHoldDecreased(dispute, byMinor, clock),
  }))
  return { payment, refund, holdings }
}
