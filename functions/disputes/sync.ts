import { Problem } from '../../src/http/problems.ts'
import { onFreshRows, publishPlan, Stale } from '../../src/http/publishing.ts'
import { eachDue } from '../../src/http/scheduled.ts'
import type { Services } from '../../src/http/services.ts'
import type { JobRun, SystemCredential } from '../../src/http/system-call.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { log } from '../../src/platform/log.ts'
import { type Credential, OutcomeUnknown } from '../../src/platform/postgres.ts'
import type { DisputeFacts, DisputeRail, Processor } from '../../src/processors/port.ts'
import { processorOf, tenantOfAttempt } from '../payments/api.ts'
import { giveWay } from '../refunds/api.ts'
import * as contracts from './contract.ts'
import { awaitsConfirmation, isOpen, type Known, planFacts, planNextPoll } from './plan.ts'
import type { DisputeReply } from './present.ts'
import { type DisputeRow, disputeById, disputeByRef, disputedPayment } from './store.ts'

/** Each concurrent refund costs a plan; once recorded, an open dispute stops them all. */
const plansMax = 50
const repeatedMax = 100

interface Rail {
  readonly name: string
  readonly disputes: DisputeRail
}

function railOf(services: Services): Rail | null {
  const processor: Processor | null = processorOf(services)
  return processor?.disputes ? { name: processor.name, disputes: processor.disputes } : null
}

/** The processor's facts, and the version of our row read before it was asked: null where none was read. */
interface Told {
  readonly facts: DisputeFacts
  readonly version: number | null
}

/** The processor notified us about a dispute. The notification is only a hint: read the dispute there. */
export async function handleDisputeNotification(
  services: Services,
  disputeRef: string,
  requestId: string,
): Promise<void> {
  const rail = railOf(services)
  if (!rail) return
  const facts = await ask(rail, disputeRef)
  if (!facts) return
  const tenantId = await tenantOfAttempt(services, facts.attemptReference)
  if (!tenantId) throw new Fault('a dispute of no workspace')
  await learn(services, rail, { kind: 'system', tenantId }, { facts, version: null }, requestId)
}

async function ask({ disputes }: Rail, disputeRef: string): Promise<DisputeFacts | null> {
  const facts = await disputes.fetchDispute(disputeRef)
  if (facts === 'unknown') throw new OutcomeUnknown('the processor does not tell of a dispute')
  return facts
}

/** Records the processor's facts, then confirms them to the processor. True when they were new. */
async function learn(
  services: Services,
  rail: Rail,
  credential: SystemCredential,
  told: Told,
  requestId: string,
): Promise<boolean> {
  const { isNews, facts } = await record(services, credential, rail, told, requestId)
  await rail.disputes.confirm?.(facts.disputeRef, facts.state)
  return isNews
}

/** Scheduled: repeats notifications that a crashed Worker may not have recorded. */
export async function syncDisputes(services: Services, requestId: string): Promise<void> {
  const rail = railOf(services)
  for (const disputeRef of (await rail?.disputes.unconfirmed?.(repeatedMax)) ?? []) {
    try {
      await handleDisputeNotification(services, disputeRef, requestId)
    } catch (error) {
      log('error', { place: 'dispute_news', requestId, id: disputeRef }, error)
    }
  }
}

/**
 * Records a dispute's state on fresh rows. Only facts fetched after the row was read may change it, and only from that
 * version: of two concurrent notifications, the one that asked earlier asks again. So the processor's latest answer
 * wins, however slow a Worker is.
 * @throws when its numbers contradict ours, or its payment has not been captured here: then nothing is booked
 */
async function record(
  services: Services,
  credential: SystemCredential,
  rail: Rail,
  { facts, version }: Told,
  requestId: string,
): Promise<{ isNews: boolean; facts: DisputeFacts }> {
  const heard = async () => {
    const known = await load(services, credential, rail.name, facts)
    const { dispute, payment } = known
    if (!planFacts(rail.name, known, facts, clockOf(new Date()))) return { isNews: false, facts }
    if (dispute && dispute.version !== version) {
      facts = (await ask(rail, facts.disputeRef)) ?? unheardOf()
      version = dispute.version
    }
    believe(known, facts)
    // Unsent refunds are canceled, since the dispute takes that money: then read again.
    if (takesMoney(dispute, facts) && (await giveWay(services, credential, payment.id, requestId)) > 0)
      throw new Stale()
    const now = new Date()
    const plan = planFacts(rail.name, known, facts, clockOf(now))
    if (!plan) return { isNews: false, facts }
    const publishing = { operation: contracts.outcome.id, credential, requestId, now }
    tellUncovered((await publishPlan(services, publishing, plan)).reply, requestId)
    return { isNews: true, facts }
  }
  return onFreshRows(plansMax, heard, cameBetween)
}

function unheardOf(): never {
  throw new Fault('the processor knows a dispute no more')
}

/** Whether the bank makes a new claim. */
const takesMoney = (dispute: DisputeRow | null, { state }: DisputeFacts): boolean =>
  state !== 'won' && state !== dispute?.status && (!dispute || !isOpen(dispute.status))

/** The bank may have taken more than our books can cover: an operator has to recover the rest from the bank. */
function tellUncovered({ id, status, amount_uncovered }: DisputeReply, requestId: string): void {
  if (status !== ('lost' as string) || amount_uncovered === '0') return
  log('warn', { place: 'dispute_news', requestId, id, what: 'a dispute was lost beyond what was left' })
}

function believe({ payment }: Known, { currency }: DisputeFacts): void {
  if (payment.currency !== currency) throw new Fault('a dispute in another currency than its payment')
  // An attempt with contradicting numbers was never captured here, and never will be.
  if (!['captured', 'amount_mismatch'].includes(payment.attemptStatus))
    throw new Fault('a dispute before its capture')
}

/** A concurrent change: rows moved, or a refund took what this plan wanted to hold. */
const cameBetween = (error: unknown): boolean =>
  error instanceof Stale || (error instanceof Problem && error.code === 'refund_exceeds_captured')

async function load(
  services: Services,
  credential: Credential,
  processor: string,
  { disputeRef: processorRef, attemptReference: attemptId }: DisputeFacts,
): Promise<Known> {
  const { rows } = await services.db.read(contracts.outcome.id, credential, [
    disputeByRef({ processor, processorRef }),
    disputedPayment({ attemptId }),
  ])
  const [dispute = null] = rows[0]
  const [payment] = rows[1]
  if (!payment) throw new Fault('a dispute of no payment')
  return { payment, dispute }
}

/**
 * Sends evidence that was recorded on this version of the row. Errors are logged and left to the janitor, since no
 * caller waits. One call of the processor and one publish.
 */
export async function sendEvidence(
  services: Services,
  tenantId: string,
  dispute: DisputeRow,
  requestId: string,
): Promise<void> {
  try {
    const rail = railOf(services)
    if (rail) await submit(services, rail, { kind: 'system', tenantId }, dispute, requestId)
  } catch (error) {
    log('error', { place: 'send_evidence', requestId, id: dispute.id }, error)
  }
}

async function submit(
  services: Services,
  rail: Rail,
  credential: SystemCredential,
  { processorRef, evidence, version }: DisputeRow,
  requestId: string,
): Promise<boolean> {
  const facts = await rail.disputes.submitEvidence(processorRef, evidence)
  return (
    facts !== 'unknown' && facts !== null && learn(services, rail, credential, { facts, version }, requestId)
  )
}

/** Scheduled: asks about every dispute that is open or may reopen, and resends unconfirmed evidence. */
export const resolveDisputes = (run: JobRun): Promise<void> =>
  eachDue(run, 'disputes', async ({ services, credential, requestId, read }, id) => {
    const rail = railOf(services)
    const [[dispute]] = await read(contracts.outcome, disputeById({ id }))
    if (!rail || !dispute) return
    const facts = await rail.disputes.fetchDispute(dispute.processorRef)
    const told = facts !== 'unknown' && facts
    const waits = told && told.state === 'needs_response' && awaitsConfirmation(dispute)
    const isNews = waits
      ? await submit(services, rail, credential, dispute, requestId)
      : told &&
        (await learn(services, rail, credential, { facts: told, version: dispute.version }, requestId))
    if (!isNews) await lookLater(services, credential, dispute, requestId)
  })

async function lookLater(
  services: Services,
  credential: Credential,
  dispute: DisputeRow,
  requestId: string,
): Promise<void> {
  const now = new Date()
  const plan = planNextPoll(dispute, now)
  if (plan) await publishPlan(services, { operation: contracts.outcome.id, credential, requestId, now }, plan)
}
