import type { Settings } from '../../src/env.ts'
import { fromBase64Url, seal, toBase64Url, unseal } from '../../src/platform/crypto.ts'
import type { CaptureMethod, Method } from '../../src/processors/port.ts'
import type { LinkOnSale } from '../payment-links/api.ts'
import { buyerTotal } from '../payments/api-pure.ts'
import type { Change } from './pages/view.ts'

/**
 * The signed terms that a buyer's page showed: a submit needs no load to know them, and the publish checks that they
 * still hold.
 */
export interface Offer {
  readonly linkId: string
  readonly publicId: string
  readonly termsVersion: number
  readonly amountMinor: bigint
  readonly currency: string
  readonly exclusive: boolean
  readonly description: string | null
  readonly merchantName: string
  readonly methods: readonly Method[]
  readonly captureMethod: CaptureMethod
  readonly installmentMonths: readonly number[]
  readonly installmentPlanMonths: number | null
  readonly feeAllocation: 'absorb' | 'pass_to_buyer'
  readonly merchantMarkupBps: number
  /** When the link expires, in milliseconds; null when it does not. */
  readonly expiresAt: number | null
  /** The visit's own reference; null without one. Buyers do not see the link's. */
  readonly clientReferenceId: string | null
  /** The unpaid payment that is tried again with another card or method. */
  readonly retryOf: string | null
  readonly validUntil: number
}

const offerMs = 30 * 60_000

export const descriptionOf = (link: LinkOnSale): string | null =>
  link.description ?? link.catalogLineItemSnapshot?.name ?? null

export function offerOf(
  link: LinkOnSale,
  { retryOf, clientReferenceId }: Pick<Offer, 'retryOf' | 'clientReferenceId'>,
  now: Date,
): Offer {
  return {
    linkId: link.id,
    publicId: link.publicId,
    termsVersion: link.termsVersion,
    amountMinor: link.amountMinor,
    currency: link.currency,
    exclusive: link.usage === 'single_use',
    description: descriptionOf(link),
    merchantName: link.merchantName,
    methods: link.paymentMethodTypes as Method[],
    captureMethod: link.captureMethod as CaptureMethod,
    installmentMonths: link.installmentMonths,
    installmentPlanMonths: link.installmentPlanMonths,
    feeAllocation: link.feeAllocation as Offer['feeAllocation'],
    merchantMarkupBps: link.merchantMarkupBps,
    expiresAt: link.expiresAt?.getTime() ?? null,
    clientReferenceId,
    retryOf,
    validUntil: now.getTime() + offerMs,
  }
}

export const sealOffer = async (settings: Settings, offer: Offer): Promise<string> =>
  toBase64Url(
    await seal(
      settings.signingSecrets,
      'offer',
      JSON.stringify({ ...offer, amountMinor: offer.amountMinor.toString() }),
    ),
  )

/** Null when the offer is not signed by us, of another link, or too old. */
export async function openOffer(
  settings: Settings,
  text: string,
  publicId: string,
  now: Date,
): Promise<Offer | null> {
  const sealed = fromBase64Url(text)
  const json = sealed === null ? null : await unseal(settings.signingSecrets, 'offer', sealed)
  if (json === null) return null
  const stored = JSON.parse(json) as Omit<Offer, 'amountMinor'> & { amountMinor: string }
  const offer: Offer = { ...stored, amountMinor: BigInt(stored.amountMinor) }
  return offer.publicId === publicId && offer.validUntil > now.getTime() ? offer : null
}

/** The differences between the offer and what the buyer would see now. */
export function changesOf(offer: Offer, link: LinkOnSale): Change[] {
  const now = offerOf(link, offer, new Date(offer.validUntil))
  const [before, after] = [termsIn(offer), termsIn(now)]
  const changes: Change[] = [
    { what: 'amount', from: offer.amountMinor, to: now.amountMinor },
    { what: 'methods', from: offer.methods, to: now.methods },
    { what: 'installments', from: before.months, to: after.months },
    { what: 'surcharge', from: before.surchargeMinor, to: after.surchargeMinor },
    { what: 'capture', from: offer.captureMethod, to: now.captureMethod },
  ]
  return changes.filter(({ from, to }) => String(from) !== String(to))
}

/** The terms of an offer, and the buyer's extra cost in one of them. */
function termsIn(offer: Offer) {
  const months =
    offer.installmentPlanMonths === null ? offer.installmentMonths : [offer.installmentPlanMonths]
  const [first = 1] = months
  const total = buyerTotal({ amountMinor: offer.amountMinor, pricing: offer, months: first })
  return { months, surchargeMinor: total - offer.amountMinor }
}
