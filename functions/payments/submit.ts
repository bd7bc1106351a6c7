import { payments } from '../../drizzle/schema/payments.ts'
import { problemOf, publishPlan, Replayed, Stale } from '../../src/http/publishing.ts'
import { type Clock, clockOf } from '../../src/kernel/clock.ts'
import { publicId } from '../../src/kernel/ids.ts'
import { cardMethod } from '../../src/kernel/payment-methods.ts'
import { expect, type Plan, type Write } from '../../src/kernel/plan.ts'
import { logFailure } from '../../src/platform/log.ts'
import type { Published } from '../../src/platform/postgres.ts'
import type { CaptureMethod, CardCharge, Charge, TokenFacts } from '../../src/processors/port.ts'
import { applyFirstResult } from './apply-result.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import type { PayContext } from './payment-origin.ts'
import {
  byCard,
  newSubmission,
  type Order,
  type PaymentInstrument,
  planRetry,
  planSubmission,
  type Submission,
} from './plan.ts'
import { type Contact, newContact } from './plan-mails.ts'
import { awaitsPush, type Found, replacePush } from './replace-push.ts'
import { attemptsByPublicId, type PaymentRow, paymentByPublicId, paymentFrom } from './store.ts'

/** A buyer's request to pay an order. */
export interface PayRequest {
  readonly order: Order
  readonly schedule: FeeSchedule
  readonly merchantName: string
  /** The state that the origin's row must still have when the payment is recorded. */
  readonly condition: Write
  /** The buyer's address; null where none was given. */
  readonly contact: Contact | null
  /** What is written beside the attempt. */
  readonly beside: (payment: PaymentRow, clock: Clock) => readonly Write[]
  /** An unpaid payment that gets another card or method; null for a new one. */
  readonly retryOf: string | null
}

export interface CardRequest extends PayRequest {
  readonly token: string
  readonly card: TokenFacts
  /** `required`: the bank must confirm the buyer. */
  readonly threeDs: CardCharge['threeDs']
  /** The page that reads our state, by the payment's public id. */
  readonly returnUrl: (publicId: string) => string
}

// The account that issued the token: the merchant may have another account now, where the token is worthless.
const cardMeans = ({ card: { card, accountId } }: CardRequest) => byCard(card, accountId)

/** Takes a card payment: see `pay`. */
export const payByCard = (context: PayContext, request: CardRequest): Promise<string> =>
  pay(context, request, cardMeans(request), ({ payment, attempt }) => ({
    method: cardMethod,
    accountId: attempt.accountId,
    reference: attempt.id,
    capture: payment.captureMethod as CaptureMethod,
    amountMinor: attempt.amountMinor,
    currency: attempt.currency,
    token: request.token,
    threeDs: request.threeDs,
    installmentMonths: attempt.installmentMonths,
    merchantName: request.merchantName,
    returnUrl: request.returnUrl(payment.publicId),
  }))

/**
 * Takes a payment in two phases: records the attempt, asks the processor, records the answer. Returns the public id of
 * the payment, whatever its state; a repeated request returns the first one's and charges nothing. Once the processor
 * was asked it does not fail: the reconciler records what cannot be recorded now.
 * Round trips: two publishes and one processor call (a retry with another card or method: one load more).
 * @throws Stale when the origin's row is no longer what was offered; Problem
 */
export async function pay(
  context: PayContext,
  request: PayRequest,
  instrument: PaymentInstrument,
  chargeOf: (submission: Submission) => Charge,
): Promise<string> {
  const { services, processor, origin, publishing } = context
  let submission: Submission
  let expected: Published['expected']
  try {
    const started = await planOf(context, request, instrument)
    if ('paid' in started) return started.paid
    const { planned, plan } = started
    submission = planned
    expected = (await publishPlan(services, publishing, plan)).expected
  } catch (error) {
    if (error instanceof Replayed) return (JSON.parse(error.reply.body!) as { public_id: string }).public_id
    throw error
  }
  const [, record] = expected
  if (record) submission = { ...submission, payment: paymentFrom(record) }
  const answer = await processor.createAttempt(chargeOf(submission))
  const work = { services, requestId: publishing.requestId }
  // The processor has answered: do not report that nothing was charged. The reconciler applies the result.
  await applyFirstResult(work, origin, {
    submission,
    expected,
    answer,
    schedule: request.schedule,
  }).catch(logFailure('apply_result', work, submission.attempt.id))
  return submission.payment.publicId
}

async function planOf(
  context: PayContext,
  { order, schedule, condition, retryOf, contact, beside }: PayRequest,
  instrument: PaymentInstrument,
) {
  const { processor, publishing } = context
  const clock = clockOf(publishing.now)
  if (retryOf !== null) {
    const read = () => readPayment(context, order, retryOf)
    let found = await read()
    if (found && awaitsPush(found)) {
      // Do not close a voucher when the sale has changed.
      if (!holds(condition, found.origin, publishing.now)) throw new Stale()
      await replacePush(context, found)
      found = await read()
      if (found?.payment.status === 'succeeded') return { paid: retryOf }
    }
    const before = found?.payment
    if (found && before?.status === 'requires_payment_method') {
      const number = found.attempts.length + 1
      const { submission, plan } = planRetry(
        before,
        order,
        number,
        instrument,
        processor.name,
        schedule,
        condition,
        clock,
      )
      return { planned: submission, plan: recording({ contact, beside }, submission, plan, clock) }
    }
  }
  const planned = newSubmission(order, publicId('spcs'), instrument, processor.name, schedule, clock)
  const plan = planSubmission(planned, condition, clock.newId)
  return { planned, plan: recording({ contact, beside }, planned, plan, clock) }
}

/** The last write returns the payment's row: the database copies fields of the origin, and finds the buyer's customer. */
const recording = <Reply>(
  { contact, beside }: Pick<PayRequest, 'contact' | 'beside'>,
  { payment }: Submission,
  plan: Plan<Reply>,
  clock: Clock,
): Plan<Reply> => ({
  ...plan,
  writes: [
    ...plan.writes,
    ...(contact ? [newContact(contact, payment, clock)] : []),
    ...beside(payment, clock),
    expect(payments, payment.id, {}),
  ],
})

/**
 * A payment of this order; null where there is none. A form that already took effect throws `Replayed` here: it must
 * not close what came after it.
 * @throws Replayed, Problem
 */
async function readPayment(
  { services, origin: port, publishing: { operation, credential, claim } }: PayContext,
  { originId }: Order,
  publicId: string,
): Promise<(Found & { readonly origin: object }) | null> {
  const queries = [
    paymentByPublicId({ publicId }),
    attemptsByPublicId({ publicId }),
    port.load(originId),
  ] as const
  const { rows } = await services.db
    .read(operation, credential, queries, claim)
    .catch(async (error: unknown) => {
      throw await problemOf(error, services)
    })
  const [[payment], attempts, [origin]] = rows
  if (!payment || !origin || payment.originId !== originId) return null
  return { payment, attempts, origin }
}

/** Whether a row still meets the publish's condition. */
function holds(condition: Write, row: object, now: Date): boolean {
  if (condition.kind !== 'expect') return true
  const values = row as Readonly<Record<string, unknown>>
  const until = condition.unexpired === null ? null : (values[condition.unexpired] as Date | null)
  const same = Object.entries(condition.where).every(([key, value]) => values[key] === value)
  return same && (until === null || until > now)
}
