import type { Services } from '../../../../../src/http/services.ts'
import { limitRate, networkOfCaller } from '../../../../../src/http/stages/rate-limit.ts'
import { formatPlain } from '../../../../../src/kernel/format.ts'
import { bpsOf } from '../../../../../src/kernel/money.ts'
import type { PaymentRow } from '../../../../money/payments/api.ts'
import { methodsFor, type OnSale } from '../../checkout-flow.ts'
import { type Choices, choicesAmong } from '../../choices.ts'
import type { Sale } from '../../hosted-origin.ts'
import { chosenOf, type Quote, quoteOf, type VisitTerms } from '../../sealed-quote.ts'
import type { Ctx } from '../frame/frame.ts'
import type { Unadjusted } from './order.ts'

/* Of an order that many may buy nothing is kept of one buyer's choice: it stands in the address, and in the sealed quote. */

/** What the address chooses, else what the payment that is tried again was; nothing where there is nothing to choose. */
export function choicesAt(c: Ctx, sale: Sale, retried: PaymentRow | null): Pick<VisitTerms, 'choices'> {
  if (!sale.inChoice) return {}
  const { quantity: _, ...asked } = choicesAmong(c.req.query())
  const { code, ...chosen } = { ...(retried && chosenBefore(retried, sale)), ...asked }
  return { choices: { ...chosen, ...(code && sale.adjustable?.takesCodes ? { code } : {}) } }
}

/** Codes are not to be guessed: one in an address counts as one that is typed in a checkout, and from all networks together. */
export async function limitCodes(c: Ctx, { publicId, inChoice, adjustable }: Sale): Promise<void> {
  if (!inChoice || !adjustable?.takesCodes || !c.req.query('code')) return
  await limitRate(c.env, 'auth', `${networkOfCaller(c)} ${publicId}`)
  await limitRate(c.env, 'write', `codes ${publicId}`)
}

function chosenBefore(
  { order, amountMinor, markupMinor, tipAmountMinor, currency }: PaymentRow,
  { adjustable, order: offered, shared }: Sale,
): Choices {
  const { lines = [], parts = [] } = order ?? {}
  // What was bought by other terms is chosen again.
  if (!shared && lines.length !== (offered?.lines.length ?? 0)) return {}
  const sent = parts.find(({ kind }) => kind === 'shipping')
  const at = adjustable?.shipping.findIndex(({ name }) => name === sent?.name) ?? -1
  const baseMinor = amountMinor - markupMinor - tipAmountMinor - BigInt(sent?.amount ?? 0)
  const presets = shared?.tips?.presets_bps ?? adjustable?.tip?.presets.map(({ bps }) => bps)
  const preset = presets?.find((bps) => bpsOf(baseMinor, bps) === tipAmountMinor)
  const counted = adjustable?.lines ?? []
  const own = parts.find(
    ({ kind, name }) =>
      kind === 'discount' && !offered?.parts.some((part) => part.kind === kind && part.name === name),
  )
  return {
    ...(own?.name ? { code: own.name } : {}),
    ...Object.fromEntries(counted.map((line) => [`quantity.${line.at}`, String(lines[line.at]!.quantity)])),
    ...(at < 0 ? {} : { shipping: String(at) }),
    ...(tipAmountMinor === 0n
      ? {}
      : preset
        ? { tip: String(preset) }
        : { tip: 'own', tip_own: formatPlain(tipAmountMinor, currency) }),
  }
}

/**
 * The quote of what the buyer chose, with the methods that take it; of nothing chosen, and why, where that is not to be had.
 * A code that is not to be had leaves the rest as it was chosen.
 */
export function chosenQuote(
  services: Services,
  onSale: OnSale,
  visit: VisitTerms,
  now: Date,
): { readonly quote: Quote; readonly unadjusted: Unadjusted | null } {
  const { choices } = visit
  const quoteIn = (terms: VisitTerms) => {
    const quote = quoteOf(onSale, terms, now)
    return { ...quote, methods: methodsFor(services, quote, now) }
  }
  const quote = quoteIn(visit)
  const asked = choices && chosenOf(onSale.sale, quote, now)
  const isTaken = !choices || Object.keys(choices).length === 0 || quote.methods.length > 0
  if (!choices || !asked || (isTaken && !('problem' in asked))) return { quote, unadjusted: null }
  const why = 'problem' in asked ? asked : { problem: 'order.amount' as const }
  const { code, ...others } = choices
  const without = code ? chosenQuote(services, onSale, { ...visit, choices: others }, now) : null
  if (without?.unadjusted === null)
    return { ...without, unadjusted: { ...why, typed: choices, isLeftOut: true } }
  return { quote: quoteIn({ ...visit, choices: {} }), unadjusted: { ...why, typed: choices } }
}
