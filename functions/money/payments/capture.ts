import type { Call } from '../../../src/http/operation.ts'
import { Problem } from '../../../src/http/problems.ts'
import { Stale } from '../../../src/http/publishing.ts'
import { type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { flowOf } from '../../../src/kernel/payment-methods.ts'
import { isRefusal, type Owned, type Plan, rowWithId } from '../../../src/kernel/plan.ts'
import { soonMs } from '../../../src/kernel/poll-schedule.ts'
import type { Processor, ProcessorState } from '../../../src/processors/port.ts'
import { bankTransferOf, bankTransferQueries } from './apply-result.ts'
import { outcome, type PaymentReply } from './contract.ts'
import { applyWithTransfers } from './deposits.ts'
import {
  mayWrite,
  originOfPayment,
  type PaymentOrigin,
  type PaymentOrigins,
  soldBy,
} from './payment-origin.ts'
import type { Submission } from './plan.ts'
import {
  type NextStep,
  planCancelIntent,
  planCaptureIntent,
  type Wish,
  type Wished,
} from './plan-authorization.ts'
import { planOutcome } from './plan-outcome.ts'
import { type PresentedPayment, presentPayment } from './present.ts'
import { takerOf } from './processors.ts'
import { processorStateOf } from './reconcile.ts'
import { scheduleOf } from './settings.ts'
import { type AttemptRow, attemptById, attemptsOf, paymentById, vouchersOf } from './store.ts'

type PaymentCall = Pick<
  Call<{ id: string }, unknown, unknown, PaymentReply>,
  | 'params'
  | 'now'
  | 'newId'
  | 'services'
  | 'settings'
  | 'requestId'
  | 'later'
  | 'idempotencyKey'
  | 'reading'
  | 'publishStep'
  | 'publish'
  | 'fail'
>

/**
 * Captures or cancels a payment in two phases: records the intent on the attempt, asks the processor under the
 * attempt's own reference, then publishes the answer with the reply. If the processor does not answer in time, the
 * reply is the unchanged payment and is not stored. A retry with the same Idempotency-Key, `askSoon` or (after a Worker
 * crash) the reconciler then finishes it.
 * Round trips: one load, the intent, the processor, the outcome.
 * @throws Stale
 */
export async function carryOut(
  call: PaymentCall,
  origins: PaymentOrigins,
  wish: Wish,
): Promise<PaymentReply> {
  const { services, now, newId } = call
  const clock = { now, newId }
  const wished = await load(call, origins)
  const step =
    wish.kind === 'capture' ? planCaptureIntent(wished, wish.amount, clock) : planCancelIntent(wished, clock)
  if (isRefusal(step)) return call.publish(step)
  if (step.next === 'publish') return call.publish(step.plan)
  const processor = takerOf(services, wished.submission!.attempt)
  if (wish.kind === 'capture' && !processor.capture) throw new Problem('payments_not_configured')
  const port = originOfPayment(origins, wished.payment)
  const { submission, origin } = await recordIntent(call, port, wished, step)
  const { attempt } = submission
  const answer = await ask(processor, attempt, wish)
  const onSuccess = soldBy(port, origin, clock, services.settings)
  const plan = planOutcome(submission, answer, wished.schedule, onSuccess, clock)
  if (plan) return conclude(call, wish, plan)
  const work = systemCall(call, wished.tenantId)
  if (answer.state === 'captured' && flowOf(attempt.method) === 'bank_transfer') {
    // The processor applied transfers before it could cancel: the retry on fresh rows then refuses the request.
    await applyWithTransfers(work, origins, attempt, { attemptId: attempt.id, answer })
    throw new Stale()
  }
  if (step.next === 'intend') call.later(askSoon(work, origins, processor, attempt.id))
  return presentPayment(submission.payment)
}

/** Asks a silent processor again within seconds. Best effort: the reconciler asks when the lease is over. */
async function askSoon(
  call: SystemCall,
  origins: PaymentOrigins,
  processor: Processor,
  attemptId: string,
): Promise<void> {
  for (const waitMs of soonMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    const [[attempt]] = await call.read(outcome, attemptById({ id: attemptId }))
    if (!attempt || attempt.intent === null) return
    const answer = await processorStateOf(processor, attempt, false)
    await applyWithTransfers(call, origins, attempt, { attemptId, answer })
  }
}

/** The statuses of an attempt that go with each waiting status of its payment. */
const attemptStatuses: Readonly<Record<string, readonly string[]>> = {
  requires_capture: ['authorized', 'amount_mismatch'],
  requires_action: ['pending_customer', 'amount_mismatch'],
}

async function load(call: PaymentCall, origins: PaymentOrigins): Promise<Owned<Wished>> {
  const { params, settings, idempotencyKey, reading, fail } = call
  const { principal, rows } = await reading(
    paymentById({ id: params.id }),
    attemptsOf({ paymentId: params.id }),
    vouchersOf({ paymentId: params.id }),
  )
  const [[payment], attempts, vouchers] = rows
  if (!payment) return fail('payment_not_found')
  const port = originOfPayment(origins, payment)
  // The operation accepts the scope of any origin; this payment needs its own origin's.
  if (!mayWrite(port, principal)) return fail('insufficient_scope')
  const attempt = attempts.at(-1)
  // The rows are read one after the other: a change in between can show an old payment beside a new attempt.
  const standing = attemptStatuses[payment.status]
  if (attempt && standing && !standing.includes(attempt.status)) throw new Stale()
  const voucher = vouchers.find(({ attemptId }) => attemptId === attempt?.id) ?? null
  // Deposits counted on a CLABE are read after the payment: any change since makes the plan stale.
  const bankTransfer =
    attempt && flowOf(attempt.method) === 'bank_transfer'
      ? bankTransferOf((await reading(...bankTransferQueries(attempt.id))).rows)
      : null
  return {
    tenantId: principal.tenantId,
    payment,
    submission: attempt ? { payment, attempt, voucher, bankTransfer } : null,
    key: idempotencyKey,
    schedule: scheduleOf(settings, payment.feeScheduleVersion),
    origin: port.lock(payment.originId),
  }
}

/** Records the intent unless it is recorded already; returns it with the row of what was sold. */
async function recordIntent(
  { publishStep, reading }: PaymentCall,
  origin: PaymentOrigin,
  { payment, submission }: Wished,
  step: Extract<NextStep, { next: 'intend' | 'ask' }>,
): Promise<{ submission: Submission; origin: unknown }> {
  if (step.next === 'intend') {
    const record = rowWithId(await publishStep(step.plan), payment.originId)
    if (record) return { submission: step.intended, origin: origin.read(record) }
  }
  const { rows } = await reading(origin.load(payment.originId))
  return { submission: step.next === 'intend' ? step.intended : submission!, origin: rows[0][0] ?? null }
}

/** Asks the processor to carry out the intent recorded on the attempt. */
async function ask(processor: Processor, attempt: AttemptRow, wish: Wish): Promise<ProcessorState> {
  if (wish.kind === 'cancel') return processor.cancel(attempt.id, attempt)
  return processor.capture!(attempt.id, attempt.intentAmountMinor!, attempt)
}

const wanted: Readonly<Record<Wish['kind'], readonly string[]>> = {
  capture: ['succeeded', 'partially_captured'],
  cancel: ['canceled'],
}

async function conclude(
  { publish, publishStep }: PaymentCall,
  wish: Wish,
  plan: Plan<PresentedPayment>,
): Promise<PaymentReply> {
  if (wanted[wish.kind].includes(plan.reply.status)) return publish(plan)
  // The processor ended it another way: record that; the retry on fresh rows then refuses the request.
  await publishStep(plan)
  throw new Stale()
}
