import { eachDue, type SystemCredential } from '../../src/http/due.ts'
import { Problem } from '../../src/http/problems.ts'
import { publishPlan, Stale } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import type { Credential } from '../../src/platform/postgres.ts'
import type { DisputeFacts, DisputeRail, Processor } from '../../src/processors/port.ts'
import { processorOf, tenantOfAttempt } from '../payments/published.ts'
import { giveWay } from '../refunds/published.ts'
import * as contracts from './contract.ts'
import { awaitsConfirmation, type Known, planFacts, planLookLater } from './plan.ts'
import { type DisputedPayment, type DisputeRow, disputeById, disputeByRef, disputedPayment } from './store.ts'

/** Every refund that gets in between costs a plan; a dispute that opens stops them all once it is there. */
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

/** A processor says that something happened to a dispute: a hint to go and read it there. */
export async function heardOfDispute(
  services: Services,
  disputeRef: string,
  requestId: string,
): Promise<void> {
  const rail = railOf(services)
  if (!rail) return
  const facts = await rail.disputes.fetchDispute(disputeRef)
  if (facts === 'unknown') throw new Error(`the processor does not tell of the dispute ${disputeRef}`)
  if (!facts) return
  const tenantId = await tenantOfAttempt(services, facts.attemptReference)
  if (!tenantId) throw new Error(`a dispute of nobody's: ${disputeRef}`)
  await learn(services, rail, { kind: 'system', tenantId }, facts, requestId)
}

/** Records what the processor told, and then lets it know. True when that was news. */
async function learn(
  services: Services,
  { name, disputes }: Rail,
  credential: SystemCredential,
  facts: DisputeFacts,
  requestId: string,
): Promise<boolean> {
  const isNews = await record(services, credential, name, facts, requestId)
  await disputes.confirm?.(facts.disputeRef, facts.state)
  return isNews
}

/** Scheduled: what was told and perhaps not heard, because a Worker died over it. */
export async function hearDisputes(services: Services, requestId: string): Promise<void> {
  const rail = railOf(services)
  for (const disputeRef of (await rail?.disputes.unconfirmed?.(repeatedMax)) ?? []) {
    try {
      await heardOfDispute(services, disputeRef, requestId)
    } catch (error) {
      const told = { request_id: requestId, job: 'dispute_news', id: disputeRef, message: String(error) }
      console.error(JSON.stringify({ level: 'error', ...told }))
    }
  }
}

/**
 * Records where a dispute stands, on rows as they are now. False when that is known.
 * @throws when its numbers contradict ours, or its payment has not been captured here: then nothing is booked
 */
async function record(
  services: Services,
  credential: SystemCredential,
  processor: string,
  facts: DisputeFacts,
  requestId: string,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      const known = await load(services, credential, processor, facts)
      believe(known, facts)
      // What only waits to be refunded goes back by the dispute: it is read again without it.
      if (!known.dispute && (await giveWay(services, credential, known.payment.id, requestId)) > 0) continue
      const now = new Date()
      const plan = planFacts(processor, known, facts, clockOf(now))
      if (!plan) return false
      await publishPlan(services, { operation: contracts.outcome.id, credential, requestId, now }, plan)
      return true
    } catch (error) {
      if (!cameBetween(error) || tries >= plansMax) throw error
    }
  }
}

function believe({ payment }: Known, { currency, disputeRef }: DisputeFacts): void {
  if (payment.currency !== currency) throw new Error(`a dispute in another currency: ${disputeRef}`)
  // Contradicting numbers were never captured here, and never will be.
  if (!['captured', 'integrity_failure'].includes(payment.attemptStatus))
    throw new Error(`a dispute before its capture: ${disputeRef}`)
}

/** Somebody changed what was read; a refund by taking what this plan wanted to hold. */
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
  const [dispute = null] = rows[0] as DisputeRow[]
  const [payment] = rows[1] as DisputedPayment[]
  if (!payment) throw new Error(`a dispute of nobody's: ${processorRef}`)
  return { payment, dispute }
}

/**
 * Sends evidence that was recorded. Whatever goes wrong is told to us and left to the janitor: nobody waits for it. One
 * call of the processor and one publish.
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
    const told = { request_id: requestId, dispute: dispute.id, message: String(error) }
    console.error(JSON.stringify({ level: 'error', job: 'send_evidence', ...told }))
  }
}

async function submit(
  services: Services,
  rail: Rail,
  credential: SystemCredential,
  { processorRef, evidence }: DisputeRow,
  requestId: string,
): Promise<boolean> {
  const facts = await rail.disputes.submitEvidence(processorRef, evidence)
  return facts !== 'unknown' && facts !== null && learn(services, rail, credential, facts, requestId)
}

/** Scheduled: asks about every open dispute, and sends evidence again that nobody confirmed. */
export const resolveDisputes = (services: Services, requestId: string, now: Date): Promise<void> =>
  eachDue(services, 'disputes', requestId, now, async (credential, id) => {
    const rail = railOf(services)
    const { rows } = await services.db.read(contracts.outcome.id, credential, [disputeById({ id })])
    const [dispute] = rows[0] as DisputeRow[]
    if (!rail || !dispute) return
    const facts = await rail.disputes.fetchDispute(dispute.processorRef)
    const told = facts !== 'unknown' && facts
    const waits = told && told.state === 'needs_response' && awaitsConfirmation(dispute)
    const isNews = waits
      ? await submit(services, rail, credential, dispute, requestId)
      : told && (await learn(services, rail, credential, told, requestId))
    if (!isNews) await lookLater(services, credential, dispute, requestId)
  })

async function lookLater(
  services: Services,
  credential: Credential,
  dispute: DisputeRow,
  requestId: string,
): Promise<void> {
  const now = new Date()
  const plan = planLookLater(dispute, now)
  if (plan) await publishPlan(services, { operation: contracts.outcome.id, credential, requestId, now }, plan)
}
