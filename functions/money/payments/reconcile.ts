import { eachDue, eachDueApart, eachDueSet, helpersMax } from '../../../src/http/scheduled.ts'
import {
  type BackgroundWork,
  type JobRun,
  type SystemCall,
  systemCall,
} from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { flowOf } from '../../../src/kernel/payment-methods.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import type { Processor, ProcessorState } from '../../../src/processors/port.ts'
import { tenantOfAttempt } from './apply-result.ts'
import { closed } from './closing.ts'
import * as contracts from './contract.ts'
import { applyWithTransfers, receiveAll } from './deposits.ts'
import type { PaymentOrigins } from './payment-origin.ts'
import { challengeMs } from './plan.ts'
import { releaseClabe } from './plan-bank-transfer.ts'
import { type Due, expiry, planDue, release, reserveRelease } from './plan-due.ts'
import { blocked, isBlocked } from './plan-guard.ts'
import { planNextPoll } from './plan-outcome.ts'
import { takerOf } from './processors.ts'
import { review } from './review.ts'
import { type AttemptRow, attemptById, clabeById, paymentsById } from './store.ts'
import { forwarded } from './stored.ts'

/** Asks the processor about every unfinished card: after a time-out, a Worker crash, an unanswered challenge. */
export const resolveAttempts = (run: JobRun, origins: PaymentOrigins): Promise<void> =>
  eachDueApart(run, 'attempts', (call, id) => resolveAttempt(call, origins, id), helpersMax)

/** Asks about every voucher and transfer that is not over. */
export const resolvePushedAttempts = (run: JobRun, origins: PaymentOrigins): Promise<void> =>
  eachDueApart(run, 'pushed_attempts', (call, id) => resolveAttempt(call, origins, id), helpersMax)

async function resolveAttempt(call: SystemCall, origins: PaymentOrigins, attemptId: string): Promise<void> {
  const [[attempt]] = await call.read(contracts.outcome, attemptById({ id: attemptId }))
  if (!attempt) return
  const processor = takerOf(call.services, attempt)
  if (attempt.status === 'amount_mismatch') return review(call, origins, attemptId)
  if (awaitsTransfers(attempt)) await receiveAll(call, origins, attempt)
  const answer = await processorStateOf(processor, attempt, patienceEnds(attempt) <= Date.now())
  await applyWithTransfers(call, origins, attempt, { attemptId, answer, otherwise: planNextPoll })
}

const awaitsTransfers = ({ method, status }: AttemptRow) =>
  flowOf(method) === 'bank_transfer' && status === 'pending_customer'

/** The attempt's state at the processor. The processor first closes an abandoned attempt that waits for the buyer. */
export async function processorStateOf(
  processor: Processor,
  attempt: AttemptRow,
  isAbandoned: boolean,
): Promise<ProcessorState> {
  // It was never sent: the Worker died before it recorded what a rule of the workspace decided.
  if (isBlocked(attempt)) return blocked(attempt)
  const answer = await processor.fetchAttempt(attempt.id, attempt)
  // A card that a device has stored can still be charged: it is sent again, and never closed.
  if (answer.state === 'not_found' && attempt.storedCard) return forwarded(processor, attempt)
  const abandoned = answer.state === 'pending_customer' && isAbandoned
  // Cancel a reference that the processor does not know, so that it cannot arrive later.
  if (answer.state === 'not_found' || abandoned) return closed(processor, attempt)
  return finished(processor, attempt, answer)
}

/**
 * Repeats under the same reference a capture or cancel that a crashed Worker did not finish. An authorization whose
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
 * @throws OutcomeUnknown when the processor does not answer and no reconciler will ask: the notification must be repeated
 */
export async function handlePaymentNotification(
  work: BackgroundWork,
  origins: PaymentOrigins,
  attemptId: string,
): Promise<void> {
  const tenantId = await tenantOfAttempt(work.services, attemptId)
  if (!tenantId) return
  const call = systemCall(work, tenantId)
  const [[attempt]] = await call.read(contracts.outcome, attemptById({ id: attemptId }))
  if (!attempt) return
  if (attempt.intent === 'void_or_refund') return review(call, origins, attemptId)
  const answer = await takerOf(work.services, attempt).fetchAttempt(attemptId, attempt)
  if (answer.state === 'not_found') return
  if (answer.state === 'unknown' && attempt.nextCheckAt === null)
    throw new OutcomeUnknown('the processor did not answer about an attempt')
  await applyWithTransfers(call, origins, attempt, { attemptId, answer })
}

/** Makes pending funds available when their bank day has come. */
export const releaseFunds = (run: JobRun) => settleDue(run, 'funds', release)

/** Makes reserves available when their time has passed. */
export const releaseReserves = (run: JobRun) => settleDue(run, 'reserves', reserveRelease)

/** Releases CLABEs whose quarantine is over. */
export const releaseClabes = (run: JobRun) =>
  eachDue(run, 'clabes', async ({ read, publish, now }, id) => {
    const [[clabe]] = await read(contracts.settle, clabeById({ id }))
    const writes = clabe ? releaseClabe(clabe, now) : []
    if (writes.length > 0) await publish(contracts.settle, { writes, events: [], reply: {} })
  })

/** Expires declined payments that the buyer did not retry. */
export const expirePayments = (run: JobRun) => settleDue(run, 'payments', expiry)

const settleDue = (run: JobRun, job: string, due: Due) =>
  eachDueSet(run, job, async ({ read, publish, now }, ids) => {
    const [rows] = await read(contracts.settle, paymentsById({ ids }))
    const plan = planDue(rows, due, clockOf(now))
    if (plan) await publish(contracts.settle, plan)
  })
