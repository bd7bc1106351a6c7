import { livePaymentStatuses, payments } from '../../../drizzle/schema/payments.ts'
import { problemOf, publishPlan, Replayed, Stale } from '../../../src/http/publishing.ts'
import { type Clock, clockOf } from '../../../src/kernel/clock.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { cardMethod, isPush } from '../../../src/kernel/payment-methods.ts'
import { type Expect, expect, type Plan, rowWithId, type Write } from '../../../src/kernel/plan.ts'
import { logFailure } from '../../../src/platform/log.ts'
import { isRefusedBy, type Published } from '../../../src/platform/postgres.ts'
import type { Buyer, CaptureMethod, CardCharge, Charge, TokenFacts } from '../../../src/processors/port.ts'
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
import { blocked, newCardTry, type Tried } from './plan-guard.ts'
import { type Contact, newContact } from './plan-mails.ts'
import { awaitsPush, type Found, replacePush } from './replace-push.ts'
import {
  attemptsByPublicId,
  attemptsOf,
  type PaymentRow,
  paymentById,
  paymentByPublicId,
  paymentFrom,
  paymentInPlaceOf,
} from './store.ts'

/** A buyer's request to pay an order. */
export interface PayRequest {
  readonly order: Order
  readonly schedule: FeeSchedule
  readonly merchantName: string
  /** The state that the origin's row must still have when the payment is recorded. */
  readonly condition: Expect
  /** The buyer's address; null where none was given. */
  readonly contact: Contact | null
  /** Where the card is tried; null of another method. */
  readonly tried: Tried | null
  /** What is written beside the attempt. */
  readonly beside: (payment: PaymentRow, clock: Clock) => readonly Write[]
  /** An unpaid payment that gets another card or method, by its public reference; null for a new one. */
  readonly retryOf: string | null
  /** The payment whose voucher or CLABE is closed for this one, by its id; null where none holds what is sold. */
  readonly replaces: string | null
  /** The page that reads our state, by the payment's public id. */
  readonly returnUrl: (publicId: string) => string
}

/** The payment that a request led to. */
export interface Led {
  readonly publicId: string
  /** This request began it or tried it again. Otherwise it was under way or paid before, perhaps by another buyer. */
  readonly isOwn: boolean
  /** The payment that was made in the place of that one. Its address is its buyer's: who names a voucher need not be. */
  readonly inPlace?: string
  /** The bank asks the buyer first. */
  readonly asksBank?: boolean
  /** The claim of the request had its effect before: this is what it led to then. */
  readonly isReplay?: true
}

export interface CardRequest extends PayRequest {
  readonly tried: Tried
  readonly token: string
  readonly card: TokenFacts
  readonly buyer: Partial<Buyer>
  /** `required`: the bank must confirm the buyer. */
  readonly threeDs: CardCharge['threeDs']
  /** The merchant's own server asks, and not the buyer's page. */
  readonly channel?: 'page' | 'server'
}

// The account that issued the token: the merchant may have another account now, where the token is worthless.
const cardMeans = ({ card: { card, accountId }, tried: { isBlocked }, channel = 'page' }: CardRequest) => ({
  ...byCard(card, accountId),
  channel,
  isBlocked,
})

/** A list or rule of the workspace blocks the card, and the buyer's voucher or CLABE stays: nothing was recorded. */
export class CardBlocked extends Error {}

/**
 * Takes a card payment: see `pay`. Where cards are tried out or a rule of the workspace says so, the bank confirms the
 * buyer, or the card is declined without asking it: one trip more.
 */
export async function payByCard(context: PayContext, request: CardRequest): Promise<Led> {
  try {
    return await payCard(context, request)
  } catch (error) {
    if (isRefusedBy(error, 'cards_confirmed')) return payByCard(context, { ...request, threeDs: 'required' })
    if (isRefusedBy(error, 'card_blocked'))
      return payByCard(context, { ...request, tried: { ...request.tried, isBlocked: true } })
    // The rule was switched off in between.
    if (isRefusedBy(error, 'card_not_blocked')) throw new Stale()
    throw error
  }
}

/** Cards pause where the buyer is, or for their address: other methods are still taken. */
export const isCardsPaused = (error: unknown): boolean =>
  isCardsPausedHere(error) || isRefusedBy(error, 'cards_paused_for_address')
export const isCardsPausedHere = (error: unknown): boolean => isRefusedBy(error, 'cards_paused')

const payCard = (context: PayContext, asked: CardRequest): Promise<Led> => {
  const request = { ...asked, tried: { ...asked.tried, isConfirmed: asked.threeDs === 'required' } }
  return pay(context, request, cardMeans(request), ({ payment, attempt }) => ({
    method: cardMethod,
    accountId: attempt.accountId,
    reference: attempt.id,
    capture: payment.captureMethod as CaptureMethod,
    amountMinor: attempt.amountMinor,
    currency: attempt.currency,
    token: request.token,
    threeDs: request.threeDs,
    buyer: request.buyer,
    installmentMonths: attempt.installmentMonths,
    merchantName: request.merchantName,
    returnUrl: request.returnUrl(payment.publicId),
  }))
}

/**
 * Takes a payment in two phases: records the attempt, asks the processor, records the answer. Returns the payment,
 * whatever its state; a repeated request returns the first one's and charges nothing, and so does one that tries a
 * payment again which is under way or paid. Once the processor was asked it does not fail: the reconciler records what
 * cannot be recorded now.
 * Round trips: two publishes and one processor call (a retry with another card or method: one load more).
 * @throws Stale when the origin's row is no longer what was offered; Problem
 */
export async function pay(
  context: PayContext,
  request: PayRequest,
  instrument: PaymentInstrument,
  chargeOf: (submission: Submission) => Charge,
): Promise<Led> {
  const { services, processor, origin, publishing } = context
  let submission: Submission
  let expected: Published['expected']
  try {
    const started = await planOf(context, request, instrument)
    if ('publicId' in started) return started
    const { planned, plan, replaced } = started
    if (replaced && request.tried?.isBlocked) throw new CardBlocked()
    submission = planned
    const rows = replaced && (await replacePush(context, replaced, plan))
    // What is sold once is refused as taken by its condition; what is sold often would be paid twice.
    if (replaced && !rows && request.replaces === null)
      return { publicId: replaced.payment.publicId, isOwn: false }
    expected = rows ?? (await publishPlan(services, publishing, plan)).expected
  } catch (error) {
    if (error instanceof Replayed) return ledBy(error)
    const running = error instanceof Stale ? await runningOf(context, request).catch(ledBy) : null
    if (running) return running
    throw error
  }
  const record = rowWithId(expected, submission.payment.id)
  if (record) submission = { ...submission, payment: paymentFrom(record) }
  const answer = request.tried?.isBlocked
    ? blocked(submission.attempt)
    : await processor.createAttempt(chargeOf(submission))
  const work = { services, requestId: publishing.requestId }
  // The processor has answered: do not report that nothing was charged. The reconciler applies the result.
  await applyFirstResult(work, origin, {
    submission,
    expected,
    answer,
    schedule: request.schedule,
  }).catch(logFailure('apply_result', work, submission.attempt.id))
  const asksBank = answer.state === 'pending_customer' && !isPush(submission.payment)
  return { publicId: submission.payment.publicId, isOwn: true, asksBank }
}

/** To the payment that this form has made; its twin may have, between two of our reads. */
function ledBy(error: unknown): Led {
  // Emptied by an erasure: the caller says so.
  if (!(error instanceof Replayed) || error.reply.body === '') throw error
  const { public_id: publicId } = JSON.parse(error.reply.body!) as { public_id: string }
  return { publicId, isOwn: true, isReplay: true }
}

interface FoundAtOrigin extends Found {
  /** The live payment in the place of the found one; known where the request names what it tries again. */
  readonly inPlace: PaymentRow | null
}

interface Started {
  readonly planned: Submission
  readonly plan: Plan<{ public_id: string }>
  /** Its voucher or CLABE is closed first. */
  readonly replaced: Found | null
}

async function planOf(
  context: PayContext,
  request: PayRequest,
  instrument: PaymentInstrument,
): Promise<Led | Started> {
  const { order, schedule, condition } = request
  const { processor, publishing } = context
  const clock = clockOf(publishing.now)
  const found = await readPayment(context, request)
  const replaced = found && awaitsPush(found) ? found : null
  if (found && !replaced && request.replaces === null) {
    const { payment, attempts } = found
    const running = ledToRunning(found)
    if (running) return running
    if (payment.status === 'requires_payment_method') {
      const number = attempts.length + 1
      const { submission, plan } = planRetry(
        payment,
        order,
        number,
        instrument,
        processor.name,
        schedule,
        condition,
        clock,
      )
      return { planned: submission, plan: recording(request, submission, plan, clock), replaced }
    }
  }
  const submission = newSubmission(order, publicId('spcs'), instrument, processor.name, schedule, clock)
  const planned = found ? inPlaceOf(found.payment, submission) : submission
  const plan = planSubmission(planned, condition, clock.newId)
  return { planned, plan: recording(request, planned, plan, clock), replaced }
}

/** It may still take the buyer's money, or has: another payment beside it would charge a second time. */
const isRunning = ({ status }: PaymentRow): boolean =>
  (livePaymentStatuses as readonly string[]).includes(status)

/** However often a buyer changes their mind, one of the payments in the place of the first is live: the schema says so. */
const inPlaceOf = ({ id, replacesId }: PaymentRow, { payment, attempt }: Submission): Submission => ({
  payment: { ...payment, replacesId: replacesId ?? id },
  attempt,
})

/** The payment to try again, or the one in its place, where another request has paid first; null elsewhere. */
async function runningOf(context: PayContext, request: PayRequest): Promise<Led | null> {
  // What is sold once may be another buyer's.
  if (request.retryOf === null || request.replaces !== null) return null
  const found = await readPayment(context, request)
  return found && ledToRunning(found)
}

function ledToRunning({ payment, inPlace }: FoundAtOrigin): Led | null {
  const led = { publicId: payment.publicId, isOwn: false }
  if (isRunning(payment)) return led
  return inPlace && { ...led, inPlace: inPlace.publicId }
}

/** One more write returns the payment's row: the database copies fields of the origin, and finds the buyer's customer. */
const recording = <Reply>(
  { contact, beside, tried }: Pick<PayRequest, 'contact' | 'beside' | 'tried'>,
  submission: Submission,
  plan: Plan<Reply>,
  clock: Clock,
): Plan<Reply> => ({
  ...plan,
  writes: [
    ...plan.writes,
    ...(contact ? [newContact(contact, submission.payment, clock)] : []),
    ...beside(submission.payment, clock),
    expect(payments, submission.payment.id, {}),
    ...(tried ? [newCardTry(tried, submission, clock)] : []),
  ],
})

/**
 * The payment of this order that the request replaces or tries again; null where there is none. A form that already took
 * effect throws `Replayed` here: it must not close what came after it.
 * @throws Replayed, Problem
 */
async function readPayment(
  { services, publishing: { operation, credential, claim } }: PayContext,
  { order: { originId }, replaces, retryOf }: PayRequest,
): Promise<FoundAtOrigin | null> {
  const named =
    replaces !== null
      ? ([paymentById({ id: replaces }), attemptsOf({ paymentId: replaces })] as const)
      : retryOf !== null
        ? ([paymentByPublicId({ publicId: retryOf }), attemptsByPublicId({ publicId: retryOf })] as const)
        : null
  if (named === null) return null
  const inPlace = replaces === null ? [paymentInPlaceOf({ publicId: retryOf! })] : []
  const queries = [...named, ...inPlace] as const
  const { rows } = await services.db
    .read(operation, credential, queries, claim)
    .catch(async (error: unknown) => {
      throw await problemOf(error, services)
    })
  const [[payment], attempts, [other = null] = []] = rows
  return payment?.originId === originId ? { payment, attempts, inPlace: other } : null
}
