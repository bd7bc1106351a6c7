import Stripe from 'stripe'
import { admit, breakerRule, type Health, healthy, noted } from './breaker.ts'

/** One Stripe account: ours, or a merchant's own. */
export interface StripeAccount {
  /** Distinguishes accounts in this isolate; not secret. */
  readonly name: string
  /** A merchant's own account: our row's id and its tenant; null: the environment's. */
  readonly id: string | null
  readonly tenantId: string | null
  readonly secretKey: string
  /** Null for Stripe itself; the tests' stand-in otherwise. */
  readonly apiBase: string | null
  /** For what moves money, which waits for the card's bank. */
  readonly timeoutMs: number
  /** A page of ours, for charges that name none. */
  readonly returnUrl?: string
}

/** Reads are cheap to repeat. */
export const readTimeoutMs = 8_000

const healths = new Map<string, Health>()

/** Nothing was sent: the circuit breaker is open. */
export class NotSent extends Error {}

/** The library over the platform's fetch. It repeats nothing: the reconciler asks about unknown outcomes. */
export function connect({ name, secretKey, apiBase, timeoutMs }: StripeAccount): Stripe {
  const base = apiBase === null ? null : new URL(apiBase)
  return new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient((input, init) => guarded(name, () => fetch(input, init))),
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(base
      ? { host: base.hostname, port: base.port, protocol: base.protocol === 'http:' ? 'http' : 'https' }
      : {}),
  })
}

/** Sends through the account's circuit breaker. @throws NotSent */
async function guarded(name: string, send: () => Promise<Response>): Promise<Response> {
  const { admitted, health } = admit(healths.get(name) ?? healthy, breakerRule, Date.now())
  healths.set(name, health)
  if (!admitted) throw new NotSent(`${name} has not been answering`)
  const note = (answered: boolean) =>
    healths.set(name, noted(healths.get(name) ?? healthy, answered, breakerRule, Date.now()))
  try {
    const response = await send()
    note(response.status < 500 && response.status !== 429)
    return response
  } catch (error) {
    note(false)
    throw error
  }
}

/**
 * What an error says about its call. `silent`: the effect is unknown. `taken`: its Idempotency-Key was used with other
 * parameters, so something did arrive under it. `refused`: it had no effect.
 * https://docs.stripe.com/error-low-level
 */
export type Verdict = 'declined' | 'refused' | 'taken' | 'not_sent' | 'silent'

export function verdictOf(error: unknown): Verdict {
  if (error instanceof Stripe.errors.StripeConnectionError && (error.detail as unknown) instanceof NotSent)
    return 'not_sent'
  if (error instanceof Stripe.errors.StripeCardError) return 'declined'
  if (error instanceof Stripe.errors.StripeIdempotencyError) return 'taken'
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return 'refused'
  if (error instanceof Stripe.errors.StripeAuthenticationError) return 'refused'
  if (error instanceof Stripe.errors.StripePermissionError) return 'refused'
  return 'silent'
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'

const webCrypto = Stripe.createSubtleCryptoProvider()

/** Five minutes, as Stripe advises: older signatures could be replayed. */
const toleranceSeconds = 300

/** The notification if its signature is valid, else null. */
export async function verifiedEvent(
  rawBody: string,
  signature: string,
  secret: string,
): Promise<Stripe.Event | null> {
  try {
    return await Stripe.webhooks.constructEventAsync(rawBody, signature, secret, toleranceSeconds, webCrypto)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError)
      return null
    throw error
  }
}
