import type { Call } from '../../../src/http/operation.ts'
import { onFreshRows } from '../../../src/http/publishing.ts'
import { type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { flowOf } from '../../../src/kernel/payment-methods.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import { logFailure } from '../../../src/platform/log.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { applyResult, bankTransferOf, bankTransferQueries, plansMax, readSubmission } from './apply-result.ts'
import { closed } from './closing.ts'
import type { AttemptReply } from './contract.ts'
import * as contracts from './contract.ts'
import type { PaymentOrigins } from './payment-origin.ts'
import { planNextPoll } from './plan-outcome.ts'
import { type Decision, planResolve, planReversal, type Reversal } from './plan-review.ts'
import { takerOf } from './processors.ts'
import { requireConfigured } from './settings.ts'
import { type AttemptRow, attemptsOf, paymentById, vouchersOf } from './store.ts'

type ResolveCall = Pick<
  Call<{ id: string }, unknown, { tenant_id: string; decision: Decision }, AttemptReply>,
  | 'params'
  | 'body'
  | 'now'
  | 'newId'
  | 'services'
  | 'requestId'
  | 'idempotencyKey'
  | 'readAll'
  | 'publish'
  | 'fail'
  | 'later'
>

/** Records the merchant's decision. The processor is asked after the reply, and by the reconciler in case that fails. */
export async function decide(call: ResolveCall, origins: PaymentOrigins) {
  const { params, body, idempotencyKey } = call
  requireConfigured(call.services.settings)
  const [[payment], attempts, vouchers] = await call.readAll(
    paymentById({ id: params.id }),
    attemptsOf({ paymentId: params.id }),
    vouchersOf({ paymentId: params.id }),
  )
  if (!payment) return call.fail('payment_not_found')
  // Late cash may contradict an attempt before the last.
  const attempt = attempts.findLast(({ status }) => status === 'amount_mismatch') ?? attempts.at(-1)
  const voucher = vouchers.find(({ attemptId }) => attemptId === attempt?.id) ?? null
  const bankTransfer =
    attempt && flowOf(attempt.method) === 'bank_transfer'
      ? bankTransferOf(await call.readAll(...bankTransferQueries(attempt.id)))
      : null
  const plan = planResolve({ payment, attempt, voucher, bankTransfer }, body.decision, idempotencyKey, call)
  const reply = await call.publish(plan)
  if (attempt && !isRefusal(plan) && body.decision !== 'settled_elsewhere') {
    const work = systemCall(call, payment.tenantId)
    call.later(review(work, origins, attempt.id).catch(logFailure('review', call, attempt.id)))
  }
  return reply
}

/** Asks about an attempt whose numbers contradicted ours, and carries out the decision. */
export async function review(call: SystemCall, origins: PaymentOrigins, attemptId: string): Promise<void> {
  const submission = await readSubmission(call, attemptId)
  if (submission?.attempt.status !== 'amount_mismatch') return
  const { attempt } = submission
  const processor = takerOf(call.services, attempt)
  if (attempt.intent === 'void_or_refund')
    return recordReversal(call, attemptId, await voidOrRefund(processor, attempt))
  // During a review nothing is captured or canceled.
  const answer = await processor.fetchAttempt(attemptId, attempt)
  await applyResult(call, origins, { attemptId, answer, otherwise: planNextPoll })
}

/**
 * Gives back all that the processor holds or took under our reference: voids what is not captured; refunds in full what
 * was captured, by the processor's amount and not ours. The attempt's id is the refund's reference too, so a repeated
 * call makes one refund.
 */
async function voidOrRefund(processor: Processor, attempt: AttemptRow): Promise<Reversal> {
  const { id: reference, accountId } = attempt
  let answer = await processor.fetchAttempt(reference, attempt)
  if (['authorized', 'pending_customer', 'not_found'].includes(answer.state))
    answer = await closed(processor, attempt)
  if (answer.state === 'canceled' || answer.state === 'declined') return { state: 'voided' }
  if (answer.state !== 'captured' || !processor.refunds) return { state: 'unknown' }
  const { amountMinor, currency, processorRef } = answer
  const refund = await processor.refunds.refund({
    reference,
    attemptReference: reference,
    processorRef,
    accountId,
    reason: 'other',
    amountMinor,
    currency,
  })
  if (refund.state === 'failed') return refund
  if (refund.state !== 'succeeded') return { state: refund.state === 'processing' ? 'processing' : 'unknown' }
  const whole = refund.amountMinor === amountMinor && refund.currency === currency
  return whole ? { state: 'refunded' } : { state: 'failed', code: 'amount_mismatch' }
}

const recordReversal = (call: SystemCall, attemptId: string, given: Reversal): Promise<void> =>
  onFreshRows(plansMax, async () => {
    const clock = clockOf(new Date())
    const submission = await readSubmission(call, attemptId)
    const plan = submission && planReversal(submission, given, clock)
    if (plan) await call.publish(contracts.outcome, plan, clock)
  })
