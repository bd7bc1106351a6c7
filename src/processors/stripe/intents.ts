import type Stripe from 'stripe'
import { addBankDays, mexicoCityDate, mexicoCityInstant } from '../../kernel/bank-days.ts'
import { isPush, type PushMethod } from '../../kernel/payment-methods.ts'
import { log } from '../../platform/log.ts'
import type { Charge, ChargeRefs, ProcessorState, PushCharge } from '../port.ts'
import { ofMode, readTimeoutMs, verdictOf } from './client.ts'
import { toStripeAmount } from './money.ts'
import { attemptKey, cardParams, customerParams, expand, oxxoParams, speiParams } from './params.ts'
import { freeReader, hasLeftReader } from './readers.ts'
import { awaitsCard, declinedBy, expiresKey, stateOf } from './states.ts'

/** Marks the empty PaymentIntent that closes a reference that never arrived. */
const closedKey = 'closed'

const reading = { timeout: readTimeoutMs }
const writing = (idempotencyKey: string) => ({ idempotencyKey })
/**
 * A fresh key, for calls that the resource's own status lets happen only once. Stripe would repeat the first answer to
 * a key for a day, a 500 too (https://docs.stripe.com/api/idempotent_requests).
 */
export const afresh = (reference: string) => ({ idempotencyKey: `${reference}:${crypto.randomUUID()}` })

/** For the operator: what Stripe does not accept of us, above all a key or its rights. */
export function logRefusal(reference: string, error: unknown): void {
  const place = verdictOf(error) === 'not_authorized' ? 'stripe_key' : 'stripe'
  log('error', { place, requestId: null, id: reference }, error)
}

/** Sends a charge. What Stripe refuses was not charged; without an answer the outcome is unknown. */
export async function createAttempt(stripe: Stripe, charge: Charge, now: Date): Promise<ProcessorState> {
  const { reference } = charge
  try {
    const params = isPush(charge)
      ? await pushParams[charge.method]?.(stripe, charge, now)
      : cardParams(charge)
    if (!params) return { state: 'declined', code: 'processing_error', category: 'hard', card: null }
    return stateOf(ofMode(stripe, await stripe.paymentIntents.create(params, writing(reference))))
  } catch (error) {
    return refusedBy(reference, error)
  }
}

/** What an error to the creation of a PaymentIntent says of it: what Stripe refuses was not charged. */
export function refusedBy(reference: string, error: unknown): ProcessorState {
  const verdict = verdictOf(error)
  if (verdict === 'declined') return declinedBy(error as Stripe.errors.StripeError)
  if (verdict === 'refused' || verdict === 'not_sent' || verdict === 'not_authorized') {
    logRefusal(reference, error)
    const category = verdict === 'refused' ? 'hard' : 'soft'
    return { state: 'declined', code: 'processing_error', category, card: null }
  }
  return { state: 'unknown' }
}

type ParamsOf = (stripe: Stripe, charge: PushCharge, now: Date) => Promise<Stripe.PaymentIntentCreateParams>

const pushParams: Readonly<Partial<Record<PushMethod, ParamsOf>>> = {
  oxxo: async (_, charge, now) => oxxoParams(charge, now),
  spei: speiWithCustomer,
}

async function speiWithCustomer(stripe: Stripe, charge: PushCharge) {
  const options = writing(`${charge.reference}:customer`)
  const customer = await stripe.customers.create(customerParams(charge), options)
  return speiParams(charge, customer.id)
}

/** An attempt's state. Without Stripe's id we search for it; search shows new ones up to a minute late. */
export async function fetchAttempt(
  stripe: Stripe,
  reference: string,
  known: ChargeRefs,
  now: Date,
): Promise<ProcessorState> {
  const intent = await find(stripe, reference, known)
  if (!intent) return { state: 'not_found' }
  // A failed challenge leaves the intent open, and the buyer's browser holds its client secret: close it first.
  if (isOver(intent, now)) return stateOf(await end(stripe, reference, intent))
  if (!(await hasLeftReader(stripe, intent))) return stateOf(intent)
  // Its card may have been approved just before: a cancellation would let go what was authorized.
  const after = await retrieve(stripe, intent.id)
  // One that was declined just before is open at Stripe, and is closed as above.
  return stateOf(awaitsCard(after) || isOver(after, now) ? await end(stripe, reference, after) : after)
}

/**
 * Ends an attempt that is not captured. A reference that never arrived is closed: an empty PaymentIntent takes its
 * Idempotency-Key, so that Stripe refuses a charge that arrives later. If the key is already taken, the charge did
 * arrive and search will show it: unknown until then.
 */
export async function cancel(stripe: Stripe, reference: string, known: ChargeRefs): Promise<ProcessorState> {
  const intent = (await find(stripe, reference, known)) ?? (await close(stripe, reference))
  const ended = await end(stripe, reference, intent)
  if (ended.status === 'canceled') await freeReader(stripe, reference, intent)
  return stateOf(ended)
}

/** Captures up to what was authorized; Stripe releases the rest. */
export async function capture(
  stripe: Stripe,
  reference: string,
  amountMinor: bigint,
  known: ChargeRefs,
): Promise<ProcessorState> {
  const intent = await find(stripe, reference, known)
  if (!intent) return { state: 'not_found' }
  if (intent.status !== 'requires_capture') return stateOf(intent)
  const params = {
    amount_to_capture: toStripeAmount(amountMinor),
    expand,
  } satisfies Stripe.PaymentIntentCaptureParams
  try {
    return stateOf(await stripe.paymentIntents.capture(intent.id, params, afresh(`${reference}:capture`)))
  } catch (error) {
    if (!isFinal(error)) throw error
    return stateOf(await retrieve(stripe, intent.id))
  }
}

/** Stripe or the bank said no: the PaymentIntent is then read for its status. */
const isFinal = (error: unknown) => ['refused', 'declined'].includes(verdictOf(error))

/** The PaymentIntent of a reference: by Stripe's id, or by search. Null where search shows none. */
export async function find(
  stripe: Stripe,
  reference: string,
  known: ChargeRefs,
): Promise<Stripe.PaymentIntent | null> {
  if (known.processorRef) return retrieve(stripe, known.processorRef)
  const query = `metadata['${attemptKey}']:'${reference}'`
  const { data } = await stripe.paymentIntents.search({ query, limit: 10 }, reading)
  const found = data.find((each) => !(closedKey in each.metadata)) ?? data[0]
  // Search results may be out of date.
  return found ? retrieve(stripe, found.id) : null
}

async function retrieve(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  return ofMode(stripe, await stripe.paymentIntents.retrieve(id, { expand }, reading))
}

/** Stripe keeps a key for 24 hours; a charge is sent once, within a minute. The amount is Stripe's minimum. */
const close = (stripe: Stripe, reference: string): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create(
    {
      amount: 1000,
      currency: 'mxn',
      allowed_payment_method_types: ['card'],
      metadata: { [attemptKey]: reference, [closedKey]: 'never_arrived' },
    } satisfies Stripe.PaymentIntentCreateParams,
    writing(reference),
  )

/** Bank days after expiry within which Stripe may still report cash that a till took in time. */
const tillGraceBankDays = 2

/** It ended without money. A voucher counts as ended only when cash paid in time can no longer be reported. */
function isOver(intent: Stripe.PaymentIntent, now: Date): boolean {
  const { status, last_payment_error: error, metadata } = intent
  if (status !== 'requires_payment_method') return false
  const expiresAt = metadata[expiresKey]
  if (!intent.payment_method_types.includes('oxxo') || !expiresAt)
    return error !== null || closedKey in metadata
  const day = addBankDays(mexicoCityDate(new Date(expiresAt)), tillGraceBankDays)
  return now < new Date(expiresAt) || now >= mexicoCityInstant(day, '23:59')
}

const endless: readonly string[] = ['canceled', 'succeeded', 'processing']

export async function end(
  stripe: Stripe,
  reference: string,
  intent: Stripe.PaymentIntent,
): Promise<Stripe.PaymentIntent> {
  if (endless.includes(intent.status)) return intent
  const params = { cancellation_reason: 'abandoned', expand } satisfies Stripe.PaymentIntentCancelParams
  try {
    return await stripe.paymentIntents.cancel(intent.id, params, afresh(`${reference}:cancel`))
  } catch (error) {
    if (!isFinal(error)) throw error
    return retrieve(stripe, intent.id)
  }
}
