import { paymentLinks } from '../../drizzle/schema/payment-links.ts'
import { Problem } from '../../src/http/problems.ts'
import { problemOf } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { canonicalJson } from '../../src/kernel/canonical.ts'
import { splitEvenly } from '../../src/kernel/money.ts'
import { expect } from '../../src/kernel/plan.ts'
import { sha256Hex } from '../../src/platform/crypto.ts'
import { Refused } from '../../src/platform/postgres.ts'
import type { TokenFacts } from '../../src/processors/port.ts'
import {
  type AttemptRow,
  attemptsByPublicId,
  currentSchedule,
  type PaymentRow,
  payByCard,
  paymentByPublicId,
  processorOf,
  requireProcessor,
  type Surface,
} from '../payments/published.ts'
import { buyerTotal, installmentOffers } from '../payments/published-pure.ts'
import * as contracts from './contract.ts'
import type { Offer } from './offer.ts'
import { type LinkOnSale, linkOnSale } from './store.ts'
import { linkSurface } from './surface.ts'

/** Why a link takes no payment now; null when it does. */
export type Closed = 'archived' | 'revoked' | 'already_paid' | 'expired' | 'inactive' | 'busy' | 'not_set_up'

export function closedBecause(services: Services, link: LinkOnSale, now: Date): Closed | null {
  if (link.status === 'archived') return 'archived'
  if (link.status === 'paid' || link.liveStatus === 'succeeded') return 'already_paid'
  if (link.revokedAt !== null) return 'revoked'
  if (link.expiresAt !== null && link.expiresAt <= now) return 'expired'
  if (link.status === 'inactive') return 'inactive'
  if (link.usage === 'single_use' && link.liveStatus !== null) return 'busy'
  return processorOf(services) ? null : 'not_set_up'
}

/** The link behind an address; null when there is none. One trip. */
export async function findLink(services: Services, publicId: string): Promise<LinkOnSale | null> {
  const found = await reading(services, () =>
    services.db.read(contracts.view.id, { kind: 'public', publicId }, [linkOnSale({ publicId })]),
  )
  return (found?.rows[0]?.[0] as LinkOnSale | undefined) ?? null
}

export interface PaymentOnPage {
  readonly link: LinkOnSale
  readonly payment: PaymentRow
  readonly attempt: AttemptRow
}

/** A payment of this link by its public reference; null when there is none. One trip. */
export async function findPayment(
  services: Services,
  publicId: string,
  reference: string,
): Promise<PaymentOnPage | null> {
  const found = await reading(services, () =>
    services.db.read(contracts.view.id, { kind: 'public', publicId }, [
      linkOnSale({ publicId }),
      paymentByPublicId({ publicId: reference }),
      attemptsByPublicId({ publicId: reference }),
    ]),
  )
  const [links, payments, attempts] = (found?.rows ?? []) as [LinkOnSale[], PaymentRow[], AttemptRow[]]
  const link = links?.[0]
  const payment = payments?.[0]
  const attempt = attempts?.at(-1)
  return link && payment && attempt && payment.originId === link.id ? { link, payment, attempt } : null
}

async function reading<T>(services: Services, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refused && error.sqlState === 'SP404') return null
    throw problemOf(error, services)
  }
}

export interface Term {
  readonly months: number
  readonly firstMinor: bigint
  readonly monthlyMinor: bigint
  readonly totalMinor: bigint
}

export const termOf = (totalMinor: bigint, months: number): Term => {
  const [firstMinor, monthlyMinor] = splitEvenly(totalMinor, months)
  return { months, firstMinor: firstMinor!, monthlyMinor: monthlyMinor ?? 0n, totalMinor }
}

/** The terms that this card gets on this link: known only once the card is. */
export function termsFor(services: Services, offer: Offer, card: TokenFacts, now: Date): Term[] {
  const schedule = currentSchedule(services.settings, now, offer.currency)
  if (!schedule) return []
  return installmentOffers({
    amountMinor: offer.amountMinor,
    allowedMonths:
      offer.installmentPlanMonths === null ? offer.installmentMonths : [offer.installmentPlanMonths],
    eligibleMonths: card.installmentMonths,
    pricing: offer,
    schedule,
  }).map(({ months, buyerTotalMinor }) => termOf(buyerTotalMinor, months))
}

/** What the page names as the price: the one total where a link demands a term, the link's amount elsewhere. */
export const priceOf = (
  sale: Pick<Offer, 'amountMinor' | 'installmentPlanMonths' | 'feeAllocation' | 'merchantMarkupBps'>,
): bigint =>
  buyerTotal({ amountMinor: sale.amountMinor, pricing: sale, months: sale.installmentPlanMonths ?? 1 })

export interface Choice {
  readonly token: string
  readonly card: TokenFacts
  readonly months: number
  readonly attemptKey: string
}

/** Pays an offer by card; answers the payment's public reference. A repeated form is the same payment. */
export async function payOffer(
  services: Services,
  offer: Offer,
  choice: Choice,
  request: { readonly requestId: string; readonly origin: string; readonly now: Date },
): Promise<string> {
  const { token, card, months, attemptKey } = choice
  const processor = requireProcessor(services)
  const schedule = currentSchedule(services.settings, request.now, offer.currency)
  if (!schedule) throw new Problem('payments_not_configured')
  const totalMinor = buyerTotal({ amountMinor: offer.amountMinor, pricing: offer, months })
  const condition = expect(
    paymentLinks,
    offer.linkId,
    { status: 'active', termsVersion: offer.termsVersion },
    'expiresAt',
  )
  const fingerprint = await sha256Hex(
    canonicalJson({ linkId: offer.linkId, termsVersion: offer.termsVersion, token, months }),
  )
  return payByCard(
    services,
    processor,
    linkSurface(services.settings) as Surface,
    {
      order: {
        surface: 'payment_link',
        originId: offer.linkId,
        exclusive: offer.exclusive,
        description: offer.description,
        totalMinor,
        markupMinor: totalMinor - offer.amountMinor,
        currency: offer.currency,
        installmentMonths: months,
        captureMethod: offer.captureMethod,
      },
      schedule,
      token,
      card: card.card,
      merchantName: offer.merchantName,
      condition,
      retryOf: offer.retryOf,
      returnUrl: (reference) => `${request.origin}/${offer.publicId}/${reference}`,
    },
    {
      operation: contracts.submit.id,
      credential: { kind: 'public', publicId: offer.publicId },
      requestId: request.requestId,
      now: request.now,
      claim: { key: attemptKey, fingerprint, status: 303 },
    },
  )
}
