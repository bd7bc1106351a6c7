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
    if (verdictOf(error) === 'silent' || codeOf(error) === 'terminal_reader_timeout')
      return { state: 'unknown' }
    if (!isOfReader(error)) logRefusal(reference, error)
    return stateOf(await end(stripe, reference, intent))
  }
}

const codeOf = (error: unknown) => (error as { readonly code?: string }).code

/** A reader without network, or at work, is its merchant's to look after. */
const isOfReader = (error: unknown): boolean =>
  ['terminal_reader_offline', 'terminal_reader_busy'].includes(codeOf(error) ?? '')

/** Registers a reader at its place, which is made where Stripe does not have it. */
export async function register(
  stripe: Stripe,
  order: ReaderOrder,
): Promise<RegisteredReader | RegistrationFailure> {
  const { reference, code, name } = order
  const at = await placeRefOf(stripe, order.place)
  if (typeof at === 'object') return at
  try {
    const params = {
      registration_code: code,
      label: name,
      location: at,
    } satisfies Stripe.Terminal.ReaderCreateParams
    // Another code is another request.
    const options = { idempotencyKey: `${reference}:${await sha256Hex(code)}` }
    const reader = ofMode(stripe, await stripe.terminal.readers.create(params, options))
    return {
      state: 'registered',
      readerRef: reader.id,
      placeRef: at,
      model: reader.device_type,
      serialNumber: reader.serial_number,
      softwareVersion: reader.device_sw_version,
    }
  } catch (error) {
    return failureOf(reference, error, isOfPlace(error) ? 'place_unfit' : 'code_refused')
  }
}

/** A secret for the SDK on a phone, of its place alone: https://docs.stripe.com/api/terminal/connection_tokens */
export async function connectPhone(
  stripe: Stripe,
  { reference, place }: ConnectionOrder,
): Promise<PhoneConnection | RegistrationFailure> {
  const at = await placeRefOf(stripe, place)
  if (typeof at === 'object') return at
  try {
    const params = { location: at } satisfies Stripe.Terminal.ConnectionTokenCreateParams
    const options = { timeout: readTimeoutMs, idempotencyKey: `${reference}:connect` }
    const { secret } = await stripe.terminal.connectionTokens.create(params, options)
    return { state: 'connected', secret, placeRef: at }
  } catch (error) {
    return failureOf(reference, error, 'place_unfit')
  }
}

/** The client secret of a PaymentIntent that waits for a card at a phone. */
export async function secretOf(stripe: Stripe, reference: string, known: ChargeRefs): Promise<string | null> {
  const intent = await find(stripe, reference, known)
  return intent && awaitsCard(intent) && !(readerKey in intent.metadata) ? intent.client_secret : null
}

/** Stripe's id of a place, or why it takes no devices there. */
async function placeRefOf(
  stripe: Stripe,
  { id, version, name, address, placeRef }: DevicePlace,
): Promise<string | RegistrationFailure> {
  if (placeRef !== null) return placeRef
  if (!isWholeAddress(address)) return { state: 'place_unfit' }
  const { line1, line2, city, state, postal_code, country } = address
  const params = {
    display_name: name,
    address: { line1, ...(line2 === null ? {} : { line2 }), city, state, postal_code, country },
    metadata: { location_id: id },
  } satisfies Stripe.Terminal.LocationCreateParams
  try {
    // As it is now: another address under one key would be refused.
    const options = { timeout: readTimeoutMs, idempotencyKey: `${id}:${version}:location` }
    return ofMode(stripe, await stripe.terminal.locations.create(params, options)).id
  } catch (error) {
    return failureOf(id, error, 'place_unfit')
  }
}

/** What Stripe says of a place where no reader may be: https://docs.stripe.com/error-codes */
const isOfPlace = (error: unknown): boolean =>
  codeOf(error) === 'terminal_reader_invalid_location_for_activation' ||
  (error as { readonly param?: string }).param === 'location'

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
