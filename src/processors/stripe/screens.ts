import type Stripe from 'stripe'
import type { Cart } from '../../../drizzle/schema/in-person.ts'
import type { ReaderScreen, ScreenState } from '../in-person.ts'
import type { DeviceFailure } from '../port.ts'
import { readTimeoutMs, verdictOf } from './client.ts'
import { logRefusal } from './intents.ts'
import { toStripeAmount } from './money.ts'
import { codeOf, deviceFailureOf } from './readers.ts'

/** Stripe's cart has no place for a tip: it is the last line, as a bill has it. */
const tipLine = (amount: string) =>
  amount === '0' ? [] : [{ description: 'Propina', quantity: 1, amount: toStripeAmount(BigInt(amount)) }]

const cartParams = ({ line_items, amount, amount_tip, currency }: Cart) =>
  ({
    type: 'cart',
    cart: {
      currency,
      line_items: [
        ...line_items.map(({ name, quantity, amount_total }) => ({
          description: name,
          quantity,
          amount: toStripeAmount(BigInt(amount_total)),
        })),
        ...tipLine(amount_tip),
      ],
      total: toStripeAmount(BigInt(amount)),
    },
  }) satisfies Stripe.Terminal.ReaderSetReaderDisplayParams

/**
 * Shows a cart at a reader, or clears it. Stripe answers when the reader has it, and calls it `in_progress` for as long as the
 * reader shows it: https://docs.stripe.com/terminal/features/display
 */
export async function show(
  stripe: Stripe,
  { reference, readerRef, cart }: ReaderScreen,
): Promise<ScreenState> {
  const options = { timeout: readTimeoutMs, idempotencyKey: `${reference}:show` }
  try {
    const reader = await ready(stripe, readerRef)
    if ('state' in reader) return reader
    if (cart === null) {
      if (reader.action !== null) await stripe.terminal.readers.cancelAction(readerRef, {}, options)
      return { state: 'shown' }
    }
    const { action } = await stripe.terminal.readers.setReaderDisplay(readerRef, cartParams(cart), options)
    return action?.status === 'failed'
      ? { state: 'failed', deviceFailure: 'reader_failed' }
      : { state: 'shown' }
  } catch (error) {
    return notTaken(reference, error)
  }
}

interface Failed {
  readonly state: 'failed'
  readonly deviceFailure: DeviceFailure
}

/** A reader that can be sent what takes no payment, or why it cannot. */
export async function ready(stripe: Stripe, readerRef: string): Promise<Stripe.Terminal.Reader | Failed> {
  const reader = await stripe.terminal.readers.retrieve(readerRef, {}, { timeout: readTimeoutMs })
  if (reader.deleted) return { state: 'failed', deviceFailure: 'reader_not_registered' }
  // A payment whose end we do not know may still be on the screen: it is left there.
  if (reader.action?.process_payment_intent && reader.action.status === 'in_progress')
    return { state: 'failed', deviceFailure: 'reader_busy' }
  return reader
}

/** Why a reader did not take what it was sent; unknown where it may have. */
export function notTaken(reference: string, error: unknown): Failed | { readonly state: 'unknown' } {
  if (verdictOf(error) === 'silent' || codeOf(error) === 'terminal_reader_timeout')
    return { state: 'unknown' }
  const deviceFailure = deviceFailureOf(error)
  if (!deviceFailure) logRefusal(reference, error)
  return { state: 'failed', deviceFailure: deviceFailure ?? 'reader_failed' }
}
