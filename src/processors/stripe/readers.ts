import type Stripe from 'stripe'
import type { DeviceFailure } from '../port.ts'
import { isMissing, readTimeoutMs } from './client.ts'
import { readerKey } from './params.ts'
import { awaitsCard } from './states.ts'

const reading = { timeout: readTimeoutMs }

export const codeOf = (error: unknown) => (error as { readonly code?: string }).code
export const paramOf = (error: unknown) => (error as { readonly param?: string }).param

/** What its merchant looks after: https://docs.stripe.com/terminal/payments/collect-card-payment (server-driven) */
const deviceFailures: Readonly<Record<string, DeviceFailure>> = {
  terminal_reader_offline: 'reader_offline',
  terminal_reader_busy: 'reader_busy',
  terminal_reader_hardware_fault: 'reader_failed',
  // Its location was deleted at Stripe.
  terminal_reader_invalid_location_for_payment: 'reader_not_registered',
}

/** Why a reader did not take a command; null where that is about something else than the reader. */
export function deviceFailureOf(error: unknown): DeviceFailure | null {
  // A reader that was deleted at Stripe, or registered elsewhere.
  if (isMissing(error) && paramOf(error) !== 'payment_intent') return 'reader_not_registered'
  return deviceFailures[codeOf(error) ?? ''] ?? null
}

/** The PaymentIntent that a reader works on, or has worked on last; null where it has none. */
export function presentedOf({ action }: Pick<Stripe.Terminal.Reader, 'action'>): string | null {
  const intent = action?.process_payment_intent?.payment_intent
  return typeof intent === 'object' ? intent.id : (intent ?? null)
}

const isAtWork = (
  reader: Stripe.Terminal.Reader | Stripe.Terminal.DeletedReader,
  intent: Stripe.PaymentIntent,
) => !reader.deleted && reader.action?.status === 'in_progress' && presentedOf(reader) === intent.id

const readerOf = (intent: Stripe.PaymentIntent): string | null =>
  awaitsCard(intent) ? (intent.metadata[readerKey] ?? null) : null

/**
 * Whether a PaymentIntent waits for a card at a reader that does not work on it: it never got there, or the reader has given
 * it up. Without an answer it is taken to wait: its time will end it.
 */
export async function hasLeftReader(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<boolean> {
  const id = readerOf(intent)
  if (id === null) return false
  try {
    return !isAtWork(await stripe.terminal.readers.retrieve(id, {}, reading), intent)
  } catch (error) {
    return isMissing(error)
  }
}

/**
 * Takes a PaymentIntent that has ended off its reader's screen. `intent`: as it was before its end. What fails is left to the
 * reader: it can no longer charge it, and takes the next one.
 */
export async function freeReader(
  stripe: Stripe,
  reference: string,
  intent: Stripe.PaymentIntent,
): Promise<void> {
  const id = readerOf(intent)
  if (id === null) return
  try {
    if (!isAtWork(await stripe.terminal.readers.retrieve(id, {}, reading), intent)) return
    const options = { ...reading, idempotencyKey: `${reference}:free:${crypto.randomUUID()}` }
    await stripe.terminal.readers.cancelAction(id, {}, options)
  } catch {
    // Its own time-out frees it.
  }
}
