import { publishPlan } from '../../src/http/publishing.ts'
import { eachDue, eachDueSet } from '../../src/http/scheduled.ts'
import type { Services } from '../../src/http/services.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { type Credential, OutcomeUnknown } from '../../src/platform/postgres.ts'
import type { Processor, ProcessorState } from '../../src/processors/port.ts'
import { recordAnswer, tenantOfAttempt } from './apply-result.ts'
import * as contracts from './contract.ts'
import { receiveAll } from './deposits.ts'
import type { PaymentOrigins } from './payment-origin.ts'
import { challengeMs } from './plan.ts'
import { type Due, expiry, planDue, release, reserveRelease } from './plan-due.ts'
import { planNextPoll } from './plan-outcome.ts'
import { releaseClabe } from './plan-spei.ts'
import { review } from './review.ts'
import { processorOf } from './settings.ts'
import { type AttemptRow, attemptById, clabeById, paymentsById } from './store.ts'

/** Asks the processor about every unfinished attempt: after a time-out, a Worker crash, an unanswered challenge. */
export async function resolveAttempts(
  services: Services,
  origins: PaymentOrigins,
  requestId: string,
  now: Date,
): Promise<void> {
  const processor = processorOf(services)
  if (!processor) return
  await eachDue(services, 'attempts', requestId, now, (credential, id) =>
    resolveAttempt(services, processor, origins, credential, id, requestId),
  )
}

async function resolveAttempt(
  services: Services,
  processor: Processor,
  origins: PaymentOrigins,
  credential: Credential,
  id: string,
  requestId: string,
): Promise<void> {
  const { rows } = await services.db.read(contracts.outcome.id, credential, [attemptById({ id })])
  const [attempt] = rows[0]
  if (!attempt) return
  if (attempt.status === 'amount_mismatch')
    return review(services, processor, origins, credential, id, requestId)
  if (attempt.method === 'spei' && attempt.status === 'pending_customer')
    await receiveAll(services, origins, processor, attempt, requestId)
  const answer = await standingOf(processor, attempt, patienceEnds(attempt) <= Date.now())
  await recordAnswer(services, origins, credential, id, answer, { requestId }, planNextPoll)
}

/** The attempt's state at the processor. The processor first closes an abandoned attempt that waits for the buyer. */
export async function standingOf(
  processor: Processor,
  attempt: AttemptRow,
  isGivenUp: boolean,
): Promise<ProcessorState> {
  const answer = await processor.fetchAttempt(attempt.id, attempt)
  const abandoned = answer.state === 'pending_customer' && isGivenUp
  // Cancel a reference that the processor does not know, so that it cannot arrive later.
  if (answer.state === 'not_found' || abandoned) return processor.cancel(attempt.id, attempt)
  return finished(processor, attempt, answer)
}

/**
 * Repeats under the same reference a capture or cancel that a crashed Worker did not finish. An authorisation whose
 * time has passed by our clock is voided: the processor alone decides whether a capture came first.
 */
async function finished(
  processor: Processor,
  attempt: AttemptRow,
  answer: ProcessorState,
): Promise<ProcessorState> {
  const { id, intent, intentAmountMinor, expiresAt } = attempt
  const open = answer.state === 'authorized' || answer.state === 'pending_customer'
  if (intent === 'cancel' && open) return processor.cancel(id, attempt)
  if (answer.state !== 'authorized') return answer
  if (intent === 'capture' && processor.capture) {
    const captured = await processor.capture(id, intentAmountMinor!, attempt)
    if (captured.state !== 'authorized') return captured
  }
  const lapsed = attempt.status === 'authorized' && expiresAt !== null && expiresAt.getTime() <= Date.now()
  return lapsed ? processor.cancel(id, attempt) : answer
}

/** When we stop waiting: for cash paid in time, reports may come until its grace ends; a challenge has no grace. */
const patienceEnds = ({ graceEndsAt, expiresAt, createdAt }: AttemptRow) =>
  (graceEndsAt ?? expiresAt)?.getTime() ?? createdAt.getTime() + challengeMs

/**
 * The processor notified us about an attempt. The notification is only a hint: read the attempt at the processor.
 * @throws OutcomeUnknown when the processor does not answer and no janitor will ask: the notification must be repeated
 */
export async function handlePaymentNotification(
  services: Services,
  origins: PaymentOrigins,
  attemptId: string,
  requestId: string,
): Promise<void> {
  const processor = processorOf(services)
  const tenantId = await tenantOfAttempt(services, attemptId)
  if (!processor || !tenantId) return
  const credential = { kind: 'system', tenantId } as const
  const { rows } = await services.db.read(contracts.outcome.id, credential, [attemptById({ id: attemptId })])
  const [attempt] = rows[0]
  if (!attempt) return
  if (attempt.intent === 'void_or_refund')
    return review(services, processor, origins, credential, attemptId, requestId)
  const answer = await processor.fetchAttempt(attemptId, attempt)
  if (answer.state === 'not_found') return
  if (answer.state === 'unknown' && attempt.nextCheckAt === null)
    throw new OutcomeUnknown('the processor does not tell of an attempt')
  await recordAnswer(services, origins, credential, attemptId, answer, { requestId })
}

/** Makes pending funds available when their bank day has come. */
export const releaseFunds = (services: Services, requestId: string, now: Date) =>
  settleDue(services, 'funds', requestId, now, release)

/** Makes reserves available when their time has passed. */
export const releaseReserves = (services: Services, requestId: string, now: Date) =>
  settleDue(services, 'reserves', requestId, now, reserveRelease)

/** Releases CLABEs whose quarantine is over. */
export const releaseClabes = (services: Services, requestId: string, now: Date) =>
  eachDue(services, 'clabes', requestId, now, async (credential, id) => {
    const { rows } = await services.db.read(contracts.settle.id, credential, [clabeById({ id })])
    const [clabe] = rows[0]
    const writes = clabe ? releaseClabe(clabe, now) : []
    const request = { operation: contracts.settle.id, credential, requestId, now }
    if (writes.length > 0) await publishPlan(services, request, { writes, events: [], reply: {} })
  })

/** Expires declined payments that the buyer did not retry. */
export const expirePayments = (services: Services, requestId: string, now: Date) =>
  settleDue(services, 'payments', requestId, now, expiry)

const settleDue = (services: Services, job: string, requestId: string, now: Date, due: Due) =>
  eachDueSet(services, job, requestId, now, async (credential, ids) => {
    const { rows } = await services.db.read(contracts.settle.id, credential, [paymentsById({ ids })])
    const plan = planDue(rows[0], due, clockOf(now))
    if (plan)
      await publishPlan(services, { operation: contracts.settle.id, credential, requestId, now }, plan)
  })
