import { Problem } from '../../src/http/problems.ts'
import { type PublishRequest, problemOf, publishPlan, Replayed, Stale } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { publicId, uuidv7 } from '../../src/kernel/ids.ts'
import type { Write } from '../../src/kernel/plan.ts'
import type { Credential, Published } from '../../src/platform/postgres.ts'
import type { BoundQuery } from '../../src/platform/query.ts'
import type {
  CaptureMethod,
  CardFacts,
  Charge,
  Processor,
  ProcessorState,
} from '../../src/processors/port.ts'
import * as contracts from './contract.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import {
  byCard,
  type Clock,
  type Means,
  newSubmission,
  type Order,
  planRetry,
  planSubmission,
  type Submission,
} from './plan.ts'
import { type OnSuccess, planLookLater, planOutcome, planReplaced } from './plan-outcome.ts'
import { scheduleOf } from './settings.ts'
import {
  type AttemptRow,
  attemptById,
  attemptsByPublicId,
  type PaymentRow,
  paymentByPublicId,
  paymentOfAttempt,
  type VoucherRow,
  voucherOfAttempt,
} from './store.ts'

/** A place where things are sold: how a success changes what was sold, in the publish that books the money. */
export interface Surface<Origin = unknown> {
  readonly kind: Order['surface']
  readonly load: (originId: string) => BoundQuery<Origin>
  /** The origin's row as a publish answered it. */
  readonly read: (record: Published['expected'][number]) => Origin
  readonly onSuccess: (origin: Origin, payment: PaymentRow, clock: Clock) => ReturnType<OnSuccess>
}

export type Surfaces = Readonly<Record<Order['surface'], Surface>>

/** A buyer's wish to pay an order. */
export interface PayRequest {
  readonly order: Order
  readonly schedule: FeeSchedule
  readonly merchantName: string
  /** What the surface's row must still be when the payment is recorded. */
  readonly condition: Write
  /** A payment that was not paid and gets another card or method; null for a new one. */
  readonly retryOf: string | null
}

export interface CardRequest extends PayRequest {
  readonly token: string
  readonly card: CardFacts
  /** The page that reads our state, by the payment's public id. */
  readonly returnUrl: (publicId: string) => string
}

const planMax = 3

/** Takes a card payment: see `pay`. */
export const payByCard = (
  services: Services,
  processor: Processor,
  surface: Surface,
  request: CardRequest,
  publishing: PublishRequest,
): Promise<string> =>
  pay(services, processor, surface, request, byCard(request.card), publishing, ({ payment, attempt }) => ({
    method: 'card',
    reference: attempt.id,
    capture: payment.captureMethod as CaptureMethod,
    amountMinor: attempt.amountMinor,
    currency: attempt.currency,
    token: request.token,
    installmentMonths: attempt.installmentMonths,
    merchantName: request.merchantName,
    returnUrl: request.returnUrl(payment.publicId),
  }))

/**
 * Takes a payment in two phases: records the attempt, asks the processor, records what it said. Answers the public id
 * of the payment, whatever its state; a repeated request answers the first one's and charges nothing. Once the
 * processor was asked it does not fail any more: what cannot be recorded now the janitor records.
 * Round trips: two publishes and one processor call (a retry with another card or method: one load more).
 * @throws Stale when the surface's row is no longer what was offered; Problem
 */
export async function pay(
  services: Services,
  processor: Processor,
  surface: Surface,
  request: PayRequest,
  means: Means,
  publishing: PublishRequest,
  chargeOf: (submission: Submission) => Charge,
): Promise<string> {
  const clock = clockOf(publishing.now)
  let submission: Submission
  let expected: Published['expected']
  try {
    const begun = await planOf(services, processor, surface, request, means, publishing, clock)
    if ('paid' in begun) return begun.paid
    const { planned, plan } = begun
    submission = planned
    expected = (await publishPlan(services, publishing, plan)).expected
  } catch (error) {
    if (error instanceof Replayed) return (JSON.parse(error.body) as { public_id: string }).public_id
    throw error
  }
  const answer = await processor.createAttempt(chargeOf(submission))
  try {
    await recordFresh(services, surface, { submission, expected, answer }, request.schedule, publishing)
  } catch (error) {
    // The processor has answered: nobody may be told that nothing was charged. The janitor records what it said.
    const told = {
      request_id: publishing.requestId,
      attempt: submission.attempt.id,
      message: String(error),
    }
    console.error(JSON.stringify({ level: 'error', job: 'record_answer', ...told }))
  }
  return submission.payment.publicId
}

async function planOf(
  services: Services,
  processor: Processor,
  surface: Surface,
  { order, schedule, condition, retryOf }: PayRequest,
  means: Means,
  publishing: PublishRequest,
  clock: Clock,
) {
  if (retryOf !== null) {
    let found = await readPayment(services, publishing, retryOf)
    if (found && awaitsCash(found)) {
      await replaceCash(services, processor, surface, found, publishing)
      found = await readPayment(services, publishing, retryOf)
      if (found?.payment.status === 'succeeded') return { paid: retryOf }
    }
    const before = found?.payment
    if (before?.status === 'requires_payment_method' && before.originId === order.originId) {
      const number = found!.attempts.length + 1
      const { submission, plan } = planRetry(
        before,
        order,
        number,
        means,
        processor.name,
        schedule,
        condition,
        clock,
      )
      return { planned: submission, plan }
    }
  }
  const planned = newSubmission(order, publicId('spcs'), means, processor.name, schedule, clock)
  return { planned, plan: planSubmission(planned, condition, clock.newId) }
}

interface Found {
  readonly payment: PaymentRow
  readonly attempts: readonly AttemptRow[]
}

async function readPayment(
  services: Services,
  { operation, credential }: PublishRequest,
  publicId: string,
): Promise<Found | null> {
  const queries = [paymentByPublicId({ publicId }), attemptsByPublicId({ publicId })]
  const { rows } = await services.db.read(operation, credential, queries).catch((error: unknown) => {
    throw problemOf(error, services)
  })
  const [payment] = rows[0] as PaymentRow[]
  return payment ? { payment, attempts: rows[1] as AttemptRow[] } : null
}

const awaitsCash = ({ payment, attempts }: Found) =>
  payment.status === 'requires_action' &&
  payment.method !== 'card' &&
  attempts.at(-1)?.status === 'pending_customer'

/**
 * Another way to pay: the voucher or CLABE that is out is closed at the processor first, so that nobody pays twice by
 * our doing. One that turns out to be paid wins.
 * @throws Problem when the processor does not say that it is closed
 */
async function replaceCash(
  services: Services,
  processor: Processor,
  surface: Surface,
  { payment, attempts }: Found,
  { requestId }: PublishRequest,
): Promise<void> {
  const { id } = attempts.at(-1)!
  const answer = await processor.cancel(id)
  const credential: Credential = { kind: 'system', tenantId: payment.tenantId }
  if (answer.state === 'captured')
    return recordAnswer(services, { [surface.kind]: surface } as Surfaces, credential, id, answer, {
      requestId,
    })
  if (answer.state !== 'canceled') throw new Problem('outcome_unknown', { headers: { 'Retry-After': '1' } })
  for (let tries = 1; ; tries++) {
    const clock = clockOf(new Date())
    const submission = await readSubmission(services, credential, id)
    if (submission?.attempt.status !== 'pending_customer') return
    const request = { operation: contracts.outcome.id, credential, requestId, now: clock.now }
    try {
      await publishPlan(services, request, planReplaced(submission, clock))
      return
    } catch (error) {
      if (!(error instanceof Stale) || tries === planMax) throw error
    }
  }
}

interface Answered {
  readonly submission: Submission
  readonly expected: Published['expected']
  readonly answer: ProcessorState
}

/** Records the answer on the rows that were just written; on fresh ones when something moved in between. */
async function recordFresh(
  services: Services,
  surface: Surface,
  { submission, expected, answer }: Answered,
  schedule: FeeSchedule,
  publishing: PublishRequest,
): Promise<void> {
  const [record] = expected
  const { claim: _, ...unclaimed } = { ...publishing, operation: contracts.outcome.id, now: new Date() }
  const credential = await systemOf(services, submission.attempt.id, expected)
  if (record) {
    const clock = clockOf(unclaimed.now)
    const onSuccess: OnSuccess = (paid) => surface.onSuccess(surface.read(record), paid, clock)
    const plan = planOutcome(submission, answer, schedule, onSuccess, clock)
    if (!plan) return
    try {
      await publishPlan(services, { ...unclaimed, credential }, plan)
      return
    } catch (error) {
      if (!(error instanceof Stale)) throw error
    }
  }
  await recordAnswer(
    services,
    { [surface.kind]: surface } as Surfaces,
    credential,
    submission.attempt.id,
    answer,
    unclaimed,
  )
}

async function systemOf(
  services: Services,
  attemptId: string,
  expected: Published['expected'],
): Promise<Credential> {
  const tenantId = expected[0]?.tenant_id ?? (await tenantOfAttempt(services, attemptId))
  if (!tenantId) throw new Error('an attempt that was published is not there')
  return { kind: 'system', tenantId }
}

export const tenantOfAttempt = (services: Services, attemptId: string): Promise<string | null> =>
  services.db.call('select door.attempt_tenant($1::uuid)', [attemptId])

/** Records an answer of the processor on the attempt as it now is. A late or repeated answer changes nothing. */
export async function recordAnswer(
  services: Services,
  surfaces: Surfaces,
  credential: Credential,
  attemptId: string,
  answer: ProcessorState,
  { requestId }: { readonly requestId: string },
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const now = new Date()
    const clock = clockOf(now)
    const submission = await readSubmission(services, credential, attemptId)
    if (!submission) return
    const { payment, attempt } = submission
    const surface = surfaces[payment.originSurface as Order['surface']]
    const origin = answer.state === 'captured' ? await originOf(services, credential, surface, payment) : null
    const onSuccess: OnSuccess = (paid) =>
      origin === null ? { writes: [], events: [] } : surface.onSuccess(origin, paid, clock)
    const schedule = scheduleOf(services.settings, payment.feeScheduleVersion)
    const plan =
      planOutcome(submission, answer, schedule, onSuccess, clock) ??
      (attempt.nextCheckAt !== null ? planLookLater(attempt, now) : null)
    if (!plan) return
    try {
      await publishPlan(services, { operation: contracts.outcome.id, credential, requestId, now }, plan)
      return
    } catch (error) {
      if (!(error instanceof Stale) || tries === planMax) throw error
    }
  }
}

async function readSubmission(
  services: Services,
  credential: Credential,
  attemptId: string,
): Promise<Submission | null> {
  const { rows } = await services.db.read(contracts.outcome.id, credential, [
    attemptById({ id: attemptId }),
    paymentOfAttempt({ id: attemptId }),
    voucherOfAttempt({ id: attemptId }),
  ])
  const [attempt] = rows[0] as AttemptRow[]
  const [payment] = rows[1] as PaymentRow[]
  const [voucher = null] = rows[2] as VoucherRow[]
  return attempt && payment ? { payment, attempt, voucher } : null
}

async function originOf(services: Services, credential: Credential, surface: Surface, payment: PaymentRow) {
  const { rows } = await services.db.read(contracts.outcome.id, credential, [surface.load(payment.originId)])
  return rows[0]![0] ?? null
}

const clockOf = (now: Date): Clock => ({ now, newId: () => uuidv7(now.getTime()) })
