import type { Settings, VersionedKeys } from '../../../src/env/settings.ts'
import { keptFor } from '../../../src/kernel/kept.ts'
import type { Look, Reach } from '../../../src/kernel/look.ts'
import { partsWithTip } from '../../../src/kernel/order.ts'
import { hmacBase64 } from '../../../src/platform/crypto.ts'
import { decryptSecret, encryptSecret } from '../../../src/platform/encryption.ts'
import type { Levels } from '../../money/payment-policy/api.ts'
import { buyerTotal } from '../../money/payments/api-pure.ts'
import type { Sold, Unchanged } from '../../order/lines/api-pure.ts'
import type { OnSale } from './checkout-flow.ts'
import { adjustmentOf, type Choices } from './choices.ts'
import type { Part, Sale } from './hosted-origin.ts'
import type { Change } from './pages/frame/view.ts'

/**
 * The terms that a buyer's page showed, sealed into its form: a submit needs no load to know them, and the publish
 * checks that they still hold.
 */
export interface Quote extends Omit<Sale, 'amount' | 'expiresAt' | 'inQuantity' | 'inChoice' | 'shared'> {
  readonly kind: string
  readonly merchantName: string
  /** What workspace and location said when the terms were set. */
  readonly levels: Levels
  readonly look: Look | null
  readonly reach: Reach
  readonly amountMinor: bigint
  /** The buyer chose the amount, or how many. */
  readonly isChosen: boolean
  /** How many the buyer takes; null where that is not theirs to choose. */
  readonly quantity: number | null
  /** What the buyer chose of the order; absent where nothing is to be chosen, or where the sale keeps it. */
  readonly choices?: Choices
  /** The lines or share that the buyer pays; null where they pay all of it, or an amount. */
  readonly part: Part | null
  /** When the sale closes, in milliseconds; null when it does not. */
  readonly expiresAt: number | null
  /** The visit's own reference; null without one. Buyers do not see the origin's. */
  readonly clientReferenceId: string | null
  /** The unpaid payment that is tried again with another card or method. */
  readonly retryOf: string | null
  /** The id of the payment whose voucher or CLABE is closed for this one; null where none holds the sale. */
  readonly replaces: string | null
  readonly validUntil: number
}

/** What a visit adds to a sale. `amountMinor`, `quantity` and `part` count only where the buyer chooses them. */
export type VisitTerms = Pick<
  Quote,
  'retryOf' | 'replaces' | 'clientReferenceId' | 'amountMinor' | 'quantity' | 'choices' | 'part'
>

/** Whether the buyer decides what the sale comes to. */
export const isChosen = ({ amount, quantities, inChoice }: Sale): boolean =>
  typeof amount !== 'bigint' || !!quantities || !!inChoice

const validMs = 30 * 60_000

export function quoteOf(
  { origin, sale, merchantName, look, reach, levels }: OnSale,
  visit: VisitTerms,
  now: Date,
): Quote {
  const { amount, expiresAt, inQuantity: _, inChoice: __, shared: ___, ...terms } = sale
  const quantity = sale.quantities ? (visit.quantity ?? sale.quantities.first) : null
  const chosen = chosenOf(sale, { ...visit, quantity }, now)
  const sold = chosen && !('problem' in chosen) ? chosen : null
  const ofOne = typeof amount === 'bigint' ? amount * BigInt(quantity ?? 1) : visit.amountMinor
  return {
    ...terms,
    kind: origin.kind,
    merchantName,
    levels,
    look,
    reach,
    ...sold,
    amountMinor: sold?.amountMinor ?? ofOne,
    isChosen: isChosen(sale),
    quantity,
    ...(visit.choices ? { choices: visit.choices } : {}),
    part: visit.part,
    expiresAt: expiresAt?.getTime() ?? null,
    clientReferenceId: visit.clientReferenceId,
    retryOf: visit.retryOf,
    replaces: visit.replaces,
    validUntil: now.getTime() + validMs,
  }
}

/** What a buyer who chooses pays for, or why that is not to be had; null where they pay the sale as it stands. */
export function chosenOf(
  { inQuantity, inChoice, shared }: Sale,
  { choices, part, quantity }: Pick<VisitTerms, 'choices' | 'part' | 'quantity'>,
  now: Date,
): Sold | Unchanged | null {
  const ofPart = (part && shared?.inPart(part)) ?? null
  if (choices && inChoice && (!shared || ofPart)) return inChoice(adjustmentOf(choices), now, ofPart)
  return quantity === null ? ofPart : (inQuantity?.(quantity) ?? null)
}

/** What is added to the lines of a quote and taken off them. */
export const partsIn = ({ order, tip = '0' }: Pick<Quote, 'order' | 'tip'>) =>
  partsWithTip(order?.parts ?? [], BigInt(tip))

/** The keys of quotes, one for each version of the secret that signs: nothing else is encrypted under them. */
const keysOf = keptFor(
  async ({ signingSecrets: { current, byVersion } }: Settings): Promise<VersionedKeys> => {
    const each = Object.entries(byVersion).map(async ([version, secret]) => [
      version,
      await hmacBase64(secret, 'quote:encryption'),
    ])
    return { current, byVersion: Object.fromEntries(await Promise.all(each)) }
  },
)

/** Encrypted, because it carries the merchant's policy and customer: the buyer sends it back unread. */
export const sealQuote = async (settings: Settings, quote: Quote): Promise<string> =>
  encryptSecret(
    await keysOf(settings),
    'quote',
    JSON.stringify({ ...quote, amountMinor: quote.amountMinor.toString() }),
  )

/** Null when the quote is not of ours, of another address, or too old. */
export async function openQuote(
  settings: Settings,
  text: string,
  publicId: string,
  now: Date,
): Promise<Quote | null> {
  const json = await decryptSecret(await keysOf(settings), 'quote', text).catch(() => null)
  if (json === null) return null
  const stored = JSON.parse(json) as Omit<Quote, 'amountMinor'> & { amountMinor: string }
  const quote: Quote = { ...stored, amountMinor: BigInt(stored.amountMinor) }
  return quote.publicId === publicId && quote.validUntil > now.getTime() ? quote : null
}

/** The differences between the quote and what the buyer would see now. */
export function changesOf(quote: Quote, onSale: OnSale): Change[] {
  const now = quoteOf(onSale, quote, new Date(quote.validUntil))
  const [before, after] = [termsIn(quote), termsIn(now)]
  const changes: Change[] = [
    { what: 'amount', from: quote.amountMinor, to: now.amountMinor },
    { what: 'methods', from: quote.methods, to: now.methods },
    { what: 'installments', from: before.months, to: after.months },
    { what: 'surcharge', from: before.surchargeMinor, to: after.surchargeMinor },
    { what: 'capture', from: quote.captureMethod, to: now.captureMethod },
  ]
  return changes.filter(({ from, to }) => String(from) !== String(to))
}

/** The installment terms of a quote, and the buyer's extra cost in one of them. */
function termsIn(quote: Quote) {
  const months =
    quote.installmentPlanMonths === null ? quote.installmentMonths : [quote.installmentPlanMonths]
  const [first = 1] = months
  const total = buyerTotal({ amountMinor: quote.amountMinor, pricing: quote, months: first })
  return { months, surchargeMinor: total - quote.amountMinor }
}
