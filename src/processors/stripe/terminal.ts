import type Stripe from 'stripe'
import { sha256Hex } from '../../platform/crypto.ts'
import type {
  ConnectionOrder,
  DevicePlace,
  PhoneConnection,
  PresentedCharge,
  ReaderOrder,
  RegisteredReader,
  RegistrationFailure,
} from '../in-person.ts'
import { isWholeAddress } from '../place.ts'
import type { ChargeRefs, ProcessorState } from '../port.ts'
import { isMissing, ofMode, readTimeoutMs, verdictOf } from './client.ts'
import { end, find, logRefusal, refusedBy } from './intents.ts'
import { attemptKey, presentedParams, readerKey } from './params.ts'
import { codeOf, deviceFailureOf, paramOf } from './readers.ts'
import { awaitsCard, stateOf } from './states.ts'

// Stripe's readers, which its servers drive: https://docs.stripe.com/terminal/payments/collect-card-payment

const refused = { state: 'declined', code: 'processing_error', category: 'hard', card: null } as const

/**
 * Makes a PaymentIntent under our reference and hands it to a reader; a phone fetches its secret. Where the reader refuses it,
 * the PaymentIntent is ended: only its cancellation says that no card was charged. A reader that answers too late may have it.
 */
export async function present(stripe: Stripe, charge: PresentedCharge): Promise<ProcessorState> {
  const { reference, readerRef, installmentMonths } = charge
  if (installmentMonths > 1) return refused
  let intent: Stripe.PaymentIntent
  try {
    const options = { idempotencyKey: reference }
    intent = ofMode(stripe, await stripe.paymentIntents.create(presentedParams(charge), options))
  } catch (error) {
    return refusedBy(reference, error)
  }
  if (readerRef === null) return stateOf(intent)
  try {
    const handed = {
      payment_intent: intent.id,
      // The till has asked for the tip before.
      process_config: { skip_tipping: true },
    } satisfies Stripe.Terminal.ReaderProcessPaymentIntentParams
    const options = { idempotencyKey: `${reference}:present` }
    await stripe.terminal.readers.processPaymentIntent(readerRef, handed, options)
    return stateOf(intent)
  } catch (error) {
    // Found by its id: search shows a new one up to a minute late.
    const unknown = { state: 'unknown', processorRef: intent.id } as const
    if (verdictOf(error) === 'silent' || codeOf(error) === 'terminal_reader_timeout') return unknown
    const deviceFailure = deviceFailureOf(error)
    if (!deviceFailure) logRefusal(reference, error)
    const ended = await end(stripe, reference, intent).catch(() => null)
    if (!ended) return unknown
    const state = stateOf(ended)
    return state.state === 'canceled' && deviceFailure ? { ...state, deviceFailure } : state
  }
}

/**
 * Registers a reader at its place, which is made where Stripe does not have it. A code is good once: where it was sent before
 * and nobody recorded what it registered, that is found.
 */
export const register = (
  stripe: Stripe,
  order: ReaderOrder,
): Promise<RegisteredReader | RegistrationFailure> =>
  atPlace(stripe, order.place, async (at) => {
    const { reference, code, name } = order
    const registration = await sha256Hex(`${reference}:${code}`)
    const params = {
      registration_code: code,
      label: name,
      location: at,
      metadata: { [registrationKey]: registration },
    } satisfies Stripe.Terminal.ReaderCreateParams
    try {
      // Another code is another request, and so is another place.
      const options = { idempotencyKey: `${registration}:${at}` }
      return registered(ofMode(stripe, await stripe.terminal.readers.create(params, options)), at)
    } catch (error) {
      if (isMissingPlace(error)) throw error
      const isOfCode = ['refused', 'taken'].includes(verdictOf(error)) && !isOfPlace(error)
      const before = isOfCode ? await registeredBefore(stripe, at, registration) : null
      if (before) return registered(before, at)
      return failureOf(reference, error, isOfPlace(error) ? 'place_unfit' : 'code_refused')
    }
  })

/** The metadata key of a reader by which its registration is known again: a digest of our device, its pairing and the code. */
const registrationKey = 'registration'

async function registeredBefore(
  stripe: Stripe,
  location: string,
  registration: string,
): Promise<Stripe.Terminal.Reader | null> {
  const asked = { location, limit: 100 } satisfies Stripe.Terminal.ReaderListParams
  for await (const reader of stripe.terminal.readers.list(asked, { timeout: readTimeoutMs }))
    if (reader.metadata[registrationKey] === registration) return ofMode(stripe, reader)
  return null
}

const registered = (reader: Stripe.Terminal.Reader, placeRef: string): RegisteredReader => ({
  state: 'registered',
  readerRef: reader.id,
  placeRef,
  model: reader.device_type,
  serialNumber: reader.serial_number,
  softwareVersion: reader.device_sw_version,
})

/** A secret for the SDK on a phone, of its place alone: https://docs.stripe.com/api/terminal/connection_tokens */
export const connectPhone = (
  stripe: Stripe,
  { reference, place }: ConnectionOrder,
): Promise<PhoneConnection | RegistrationFailure> =>
  atPlace(stripe, place, async (at) => {
    try {
      const params = { location: at } satisfies Stripe.Terminal.ConnectionTokenCreateParams
      const options = { timeout: readTimeoutMs, idempotencyKey: `${reference}:connect:${at}` }
      const { secret } = await stripe.terminal.connectionTokens.create(params, options)
      return { state: 'connected', secret, placeRef: at }
    } catch (error) {
      if (isMissingPlace(error)) throw error
      return failureOf(reference, error, 'place_unfit')
    }
  })

/** The client secret of a PaymentIntent that waits for a card at a phone. */
export async function secretOf(stripe: Stripe, reference: string, known: ChargeRefs): Promise<string | null> {
  const intent = await find(stripe, reference, known)
  return intent && awaitsCard(intent) && !(readerKey in intent.metadata) ? intent.client_secret : null
}

/** Asks about a device at its place, which is made where Stripe does not have it, and made again where it was deleted there. */
async function atPlace<T>(
  stripe: Stripe,
  place: DevicePlace,
  ask: (placeRef: string) => Promise<T>,
): Promise<T | RegistrationFailure> {
  const at = place.placeRef ?? (await newPlace(stripe, place, null))
  if (typeof at === 'object') return at
  try {
    return await ask(at)
  } catch (error) {
    if (!isMissingPlace(error)) throw error
    const made = await newPlace(stripe, place, at)
    if (typeof made === 'object') return made
    return ask(made).catch((again: unknown) => failureOf(place.id, again, 'place_unfit'))
  }
}

/** Stripe's id of a place, or why it takes no devices there. `gone`: the one that was deleted. */
async function newPlace(
  stripe: Stripe,
  { id, version, name, address }: DevicePlace,
  gone: string | null,
): Promise<string | RegistrationFailure> {
  if (!isWholeAddress(address)) return { state: 'place_unfit' }
  const { line1, line2, city, state, postal_code, country } = address
  const params = {
    display_name: name,
    address: { line1, ...(line2 === null ? {} : { line2 }), city, state, postal_code, country },
    metadata: { location_id: id },
  } satisfies Stripe.Terminal.LocationCreateParams
  try {
    // As it is now: another address under one key would be refused.
    const key = `${id}:${version}:location${gone === null ? '' : `:${gone}`}`
    const options = { timeout: readTimeoutMs, idempotencyKey: key }
    return ofMode(stripe, await stripe.terminal.locations.create(params, options)).id
  } catch (error) {
    return failureOf(id, error, 'place_unfit')
  }
}

const isMissingPlace = (error: unknown): boolean => isMissing(error) && paramOf(error) === 'location'

/** What Stripe says of a place where no reader may be: https://docs.stripe.com/error-codes */
const isOfPlace = (error: unknown): boolean =>
  codeOf(error) === 'terminal_reader_invalid_location_for_activation' || paramOf(error) === 'location'

function failureOf(
  reference: string,
  error: unknown,
  refusedAs: 'place_unfit' | 'code_refused',
): RegistrationFailure {
  const verdict = verdictOf(error)
  if (verdict === 'silent' || verdict === 'not_sent') return { state: 'unknown' }
  logRefusal(reference, error)
  // `taken`: the code was sent before, with another name or place.
  return { state: verdict === 'refused' || verdict === 'taken' ? refusedAs : 'refused' }
}

/** Our attempt behind a PaymentIntent that a reader tells of; null where it has none. */
export async function attemptBehind(
  stripe: Stripe,
  id: string,
): Promise<{ readonly attemptReference: string } | null> {
  try {
    const intent = ofMode(stripe, await stripe.paymentIntents.retrieve(id, {}, { timeout: readTimeoutMs }))
    const attemptReference = intent.metadata[attemptKey]
    return attemptReference === undefined ? null : { attemptReference }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
