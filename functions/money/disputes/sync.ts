import { onFreshRows, Stale } from '../../../src/http/publishing.ts'
import { eachDue, repeatUnconfirmed } from '../../../src/http/scheduled.ts'
import {
  type BackgroundWork,
  isRefusedBy,
  type JobRun,
  type SystemCall,
  systemCall,
} from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { log, logFailure } from '../../../src/platform/log.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import type { DisputeFacts, DisputeRail, FileRefs } from '../../../src/processors/claims.ts'
import { type Offering, offers } from '../../../src/processors/offering.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { processorsOf, scheduleOf, takerOf, tenantOfAttempt } from '../payments/api.ts'
import { disputeFeeOf, isClosed } from '../payments/api-pure.ts'
import { cancelWaitingRefunds } from '../refunds/api.ts'
import * as contracts from './contract.ts'
import { type DisputeContext, planFacts, planNextPoll } from './plan.ts'
import { planOtherAmount } from './plan-amount.ts'
import { planTold } from './plan-answer.ts'
import type { DisputeReply } from './present.ts'
import { asks, counts, isOpen } from './standing.ts'
import { type DisputeRow, disputeById, disputeByRef, disputedPayment } from './store.ts'
import { refsOfFiles } from './sync-files.ts'

/** Each concurrent refund costs a plan; once recorded, an open dispute stops them all. */
const plansMax = 50

type Rail = Offering<'disputes'>

/** The processor's facts, and the version of our row read before they were fetched: null where none was read. */
interface FetchedFacts {
  readonly facts: DisputeFacts
  readonly version: number | null
}

/** The processor notified us about a dispute. The notification is only a hint: read the dispute there. */
export async function handleDisputeNotification(
  work: BackgroundWork,
  processor: Processor,
  disputeRef: string,
): Promise<void> {
  if (!offers(processor, 'disputes')) return
  const facts = await fetchFacts(processor, disputeRef)
  if (!facts) return
  const tenantId = await tenantOfAttempt(work.services, facts.attemptReference)
  if (!tenantId) throw new Fault('a dispute of no workspace')
  await applyFacts(systemCall(work, tenantId), processor, { facts, version: null })
}

async function fetchFacts({ disputes }: Rail, disputeRef: string): Promise<DisputeFacts | null> {
  const facts = await disputes.fetchDispute(disputeRef)
  if (facts === 'unknown') throw new OutcomeUnknown('the processor did not answer about a dispute')
  return facts
}

/** Records the processor's facts, then confirms them to the processor. True when they were new. */
async function applyFacts(call: SystemCall, rail: Rail, fetched: FetchedFacts): Promise<boolean> {
  const { isNews, facts } = await record(call, rail, fetched)
  await rail.disputes.confirm?.(facts.disputeRef, facts.state)
  return isNews
}

/** Scheduled: repeats notifications that a crashed Worker may not have recorded. */
export const syncDisputes = (run: JobRun): Promise<boolean> =>
  repeatUnconfirmed(run, 'dispute_notifications', processorsOf(run.services), {
    railOf: ({ disputes }) => disputes,
    handle: (processor, disputeRef) => handleDisputeNotification(run, processor, disputeRef),
  })

/**
 * Records a dispute's state on fresh rows. Only facts fetched after the row was read may change it, and only from that
 * version: of two concurrent notifications, the one that asked earlier asks again. So the processor's latest answer
 * wins, however slow a Worker is.
 * @throws when its numbers contradict ours, or its payment has not been captured here: then nothing is booked
 */
const record = (
  call: SystemCall,
  rail: Rail,
  { facts, version }: FetchedFacts,
): Promise<{ isNews: boolean; facts: DisputeFacts }> => {
  let isNews = false
  return onFreshRows(
    plansMax,
    async () => {
      const found = await load(call, rail.name, facts)
      const { dispute, payment } = found
      if (!planNews(rail.name, found, facts, clockOf(new Date()))) return { isNews, facts }
      if (dispute && dispute.version !== version) {
        facts = (await fetchFacts(rail, facts.disputeRef)) ?? forgotten()
        version = dispute.version
      }
      requireMatch(found, facts)
      // Unsent refunds are canceled, since the dispute takes that money: then read again.
      if (takesMoney(dispute, facts) && (await cancelWaitingRefunds(call, payment.id)) > 0) throw new Stale()
      const clock = clockOf(new Date())
      const plan = planNews(rail.name, found, facts, clock)
      if (!plan) return { isNews, facts }
      const reply = await call.publish(contracts.outcome, plan, clock)
      isNews = true
      // The other amount was recorded alone: read again.
      if (dispute && dispute.amountMinor !== facts.amountMinor) throw new Stale()
      warnUncovered(call, reply)
      warnDear(call, reply, facts)
      return { isNews, facts }
    },
    cameBetween,
  )
}

const planNews: typeof planFacts = (processor, found, facts, clock) =>
  planOtherAmount(found, facts, clock) ?? planFacts(processor, found, facts, clock)

function forgotten(): never {
  throw new Fault('the processor no longer knows a dispute')
}

/** Whether the bank makes a new claim. */
const takesMoney = (dispute: DisputeRow | null, { state }: DisputeFacts): boolean =>
  counts(state) && state !== dispute?.status && (!dispute || !isOpen(dispute.status))

/** The bank may have taken more than our books can cover: an operator has to recover the rest from the bank. */
function warnUncovered({ requestId }: SystemCall, { id, status, amount_uncovered }: DisputeReply): void {
  if (status !== 'lost' || amount_uncovered === '0') return
  const what = 'a dispute was lost beyond what was left'
  log('warn', { place: 'dispute_notifications', requestId, id, what })
}

/** The processor takes more for it than the merchant pays, or kept its fee though the merchant won. */
function warnDear(
  { requestId }: SystemCall,
  { id, amount_fee }: DisputeReply,
  { costMinor }: DisputeFacts,
): void {
  const paidMinor = BigInt(amount_fee)
  if (costMinor === undefined || costMinor <= paidMinor) return
  const what = `a dispute costs ${costMinor} at the processor, and the merchant pays ${paidMinor}`
  log('warn', { place: 'dispute_cost', requestId, id, what })
}

function requireMatch({ payment, dispute }: DisputeContext, { currency }: DisputeFacts): void {
  if (payment.currency !== currency) throw new Fault('a dispute in another currency than its payment')
  // An attempt with contradicting numbers was never captured here, and never will be once its review is closed.
  const { attemptStatus, attemptResolution } = payment
  if (!dispute && !['captured', 'amount_mismatch'].includes(attemptStatus) && !isClosed(attemptResolution))
    throw new Fault('a dispute before its capture')
}

/** A concurrent change: rows moved, or a refund took what this plan wanted to hold. */
const cameBetween = (error: unknown): boolean =>
  error instanceof Stale || isRefusedBy('payments_amounts_ordered', error)

async function load(
  { read, services }: SystemCall,
  processor: string,
  { disputeRef: processorRef, attemptReference: attemptId }: DisputeFacts,
): Promise<DisputeContext> {
  const [[dispute = null], [payment]] = await read(
    contracts.outcome,
    disputeByRef({ processor, processorRef }),
    disputedPayment({ attemptId }),
  )
  if (!payment) throw new Fault('a dispute of no payment')
  return { payment, dispute, fee: disputeFeeOf(scheduleOf(services.settings, payment.feeScheduleVersion)) }
}

/**
 * Tells the processor what was recorded on this version of the row. Errors are logged and left to the reconciler, since no
 * caller waits. One call of the processor and one publish, and as many more as there are files that it does not have.
 */
export async function tellProcessor(
  work: BackgroundWork,
  tenantId: string,
  dispute: DisputeRow,
): Promise<void> {
  const rail = takerOf(work.services, dispute)
  if (offers(rail, 'disputes'))
    await tell(systemCall(work, tenantId), rail, dispute).catch(logFailure('tell_dispute', work, dispute.id))
}

async function tell(call: SystemCall, rail: Rail, dispute: DisputeRow): Promise<boolean> {
  const files = dispute.pendingAction === 'accept' ? {} : await refsOfFiles(call, rail.disputes, dispute)
  const answer = typeof files === 'string' ? files : await asked(rail.disputes, dispute, files)
  if (answer === 'unknown' || answer === null) return false
  const isRefused = answer === 'too_long' || answer === 'file_refused' || answer === 'refused'
  if (isRefused || (dispute.pendingAction === 'draft' && asks(answer.state))) {
    const clock = clockOf(new Date())
    await call.publish(contracts.outcome, planTold(dispute, isRefused ? answer : null, clock), clock)
    return true
  }
  return applyFacts(call, rail, { facts: answer, version: dispute.version })
}

function asked(rail: DisputeRail, { processorRef, evidence, pendingAction }: DisputeRow, files: FileRefs) {
  if (pendingAction === 'accept') return rail.acceptDispute(processorRef)
  return pendingAction === 'draft'
    ? rail.draftEvidence(processorRef, evidence, files)
    : rail.submitEvidence(processorRef, evidence, files)
}

/** Scheduled: asks about every dispute that is open or may reopen, and tells again what is unconfirmed. */
export const resolveDisputes = (run: JobRun): Promise<void> =>
  eachDue(run, 'disputes', async (call, id) => {
    const [[dispute]] = await call.read(contracts.outcome, disputeById({ id }))
    if (!dispute) return
    const rail = takerOf(call.services, dispute)
    if (!offers(rail, 'disputes')) return
    const facts = await rail.disputes.fetchDispute(dispute.processorRef)
    if (facts !== 'unknown' && facts) {
      const waits = asks(facts.state) && dispute.pendingAction !== null
      const isNews = waits
        ? await tell(call, rail, dispute)
        : await applyFacts(call, rail, { facts, version: dispute.version })
      if (isNews) return
    }
    const clock = clockOf(new Date())
    const plan = planNextPoll(dispute, clock.now)
    if (plan) await call.publish(contracts.outcome, plan, clock)
  })
