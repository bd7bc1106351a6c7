import Stripe from 'stripe'
import { Fault } from '../../kernel/fault.ts'
import { admit, breakerRule, type Health, healthy, noted } from './breaker.ts'
import { type Budget, full, spend, termsRule } from './budget.ts'

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
  /** Whether its keys move money, which they do unless it says otherwise; objects of the other mode are refused. */
  readonly livemode?: boolean
  /** Takes work that no reply waits for; without it the call waits for that work. */
  readonly background?: (work: Promise<unknown>) => void
}

/** Reads are cheap to repeat. */
export const readTimeoutMs = 8_000

const healths = new Map<string, Health>()
const budgets = new Map<string, Budget>()
const testModes = new WeakSet<Stripe>()

/** Nothing was sent: the circuit breaker is open. */
export class NotSent extends Error {}

/** An object of the mode in which no money moves, or of the live mode at an account that is for tests. */
export class OtherMode extends Fault {
  constructor() {
    super('an object is of the other mode than its account')
  }
}

interface Lane {
  /** Calls whose silence opens a breaker of their own; else reads have one, and all others. */
  readonly lane?: string
  /** How often a request is sent that Stripe answers with "too many". */
  readonly triesMax?: number
}

/** The library over the platform's fetch. It repeats nothing: the reconciler asks about unknown outcomes. */
export function connect(account: StripeAccount, { lane, triesMax = 3 }: Lane = {}): Stripe {
  const { name, secretKey, apiBase, timeoutMs, livemode = true } = account
  const base = apiBase === null ? null : new URL(apiBase)
  // Waiting may take half of the shortest time-out: the other half is for the last try's answer.
  const waitMaxMs = Math.min(timeoutMs, readTimeoutMs) / 2
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient((input, init) => {
      const send = () => fetch(input, init)
      const health = `${name} ${lane ?? (init?.method === 'GET' ? 'reads' : 'charges')}`
      return guarded(health, () => unlessBusy(send, { triesMax, waitMaxMs, signal: init?.signal ?? null }))
    }),
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(base
      ? { host: base.hostname, port: base.port, protocol: base.protocol === 'http:' ? 'http' : 'https' }
      : {}),
  })
  if (!livemode) testModes.add(stripe)
  return stripe
}

/** Passes an object of the account's own mode on. @throws OtherMode */
export function ofMode<T extends { readonly livemode: boolean }>(stripe: Stripe, object: T): T {
  if (object.livemode === testModes.has(stripe)) throw new OtherMode()
  return object
}

/** Whether the account's allowance in this isolate has room for one more question about terms. */
export function mayAskTerms({ name }: StripeAccount): boolean {
  const nowMs = Date.now()
  const { granted, budget } = spend(budgets.get(name) ?? full(termsRule, nowMs), termsRule, nowMs)
  budgets.set(name, budget)
  return granted
}

/** Sends through a circuit breaker. @throws NotSent */
async function guarded(name: string, send: () => Promise<Response>): Promise<Response> {
  const { admitted, health } = admit(healths.get(name) ?? healthy, breakerRule, Date.now())
  healths.set(name, health)
  if (!admitted) throw new NotSent(`${name} have not been answered`)
  const note = (answered: boolean) =>
    healths.set(name, noted(healths.get(name) ?? healthy, answered, breakerRule, Date.now()))
  try {
    const response = await send()
    note(response.status < 500)
    return response
  } catch (error) {
    note(false)
    throw error
  }
}

/** The first wait is at most this long, each further one twice as long. */
const firstWaitMs = 200

/**
 * Sends again what Stripe did not begin: 429, for too many requests or for an object that another request holds
 * (`lock_timeout`), has no effect and is not kept under the Idempotency-Key (https://docs.stripe.com/rate-limits,
 * https://docs.stripe.com/error-low-level). The waits differ, so that a burst does not come again as one.
 */
async function unlessBusy(
  send: () => Promise<Response>,
  { triesMax, waitMaxMs, signal }: { triesMax: number; waitMaxMs: number; signal: AbortSignal | null },
): Promise<Response> {
  const endsMs = Date.now() + waitMaxMs
  for (let tries = 1; ; tries++) {
    const response = await send()
    const waitMs = Math.max(
      firstWaitMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2),
      Number(response.headers.get('retry-after') ?? 0) * 1000,
    )
    if (response.status !== 429 || tries >= triesMax || !(Date.now() + waitMs < endsMs)) return response
    await response.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    signal?.throwIfAborted()
  }
}

/**
 * What an error says about its call. `silent`: the effect is unknown. `taken`: its Idempotency-Key was used with other
 * parameters, so something did arrive under it. `not_sent`, `not_authorized`, `refused`: it had no effect; by our
 * breaker or Stripe's limit, by the key and its rights, by what it asks for. `declined`: the bank said no.
 * https://docs.stripe.com/error-low-level
 */
export type Verdict = 'declined' | 'refused' | 'not_authorized' | 'taken' | 'not_sent' | 'silent'

export function verdictOf(error: unknown): Verdict {
  if (error instanceof Stripe.errors.StripeConnectionError && (error.detail as unknown) instanceof NotSent)
    return 'not_sent'
  if (error instanceof Stripe.errors.StripeRateLimitError) return 'not_sent'
  if (error instanceof Stripe.errors.StripeCardError) return 'declined'
  if (error instanceof Stripe.errors.StripeIdempotencyError) return 'taken'
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return 'refused'
  if (error instanceof Stripe.errors.StripeAuthenticationError) return 'not_authorized'
  if (error instanceof Stripe.errors.StripePermissionError) return 'not_authorized'
  if (error instanceof OtherMode) return 'not_authorized'
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
