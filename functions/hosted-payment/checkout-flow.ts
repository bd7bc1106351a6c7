import { paymentLinks } from '../../drizzle/schema/payment-links.ts'
import { Problem } from '../../src/http/problems.ts'
import { type PublishRequest, problemOf } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { canonicalJson } from '../../src/kernel/canonical.ts'
import { splitEvenly } from '../../src/kernel/money.ts'
import { expect, type Owned } from '../../src/kernel/plan.ts'
import { keyDigests, sha256Hex } from '../../src/platform/crypto.ts'
import { Refused } from '../../src/platform/postgres.ts'
import type { Buyer, TokenFacts } from '../../src/processors/port.ts'
import { type LinkOnSale, linkOnSale, linkOrigin, submit, view } from '../payment-links/api.ts'
import {
  type AttemptRow,
  attemptsByPublicId,
  currentSchedule,
  type PaymentOrigin,
  type PaymentRow,
  payByCard,
  payByPush,
  paymentByPublicId,
  processorOf,
  requireProcessor,
  straysByPublicId,
} from '../payments/api.ts'
import { buyerTotal, installmentOffers, type Stray, strayOf } from '../payments/api-pure.ts'
import type { Offer } from './signed-quote.ts'

/** Why a link takes no payment now; null when it does. */
export type Closed = 'archived' | 'revoked' | 'already_paid' | 'expired' | 'inactive' | 'busy' | 'not_set_up'

const paidStatuses = ['succeeded', 'requires_capture', 'partially_captured']

export function closedBecause(services: Services, link: LinkOnSale, now: Date): Closed | null {
  if (link.status === 'archived') return 'archived'
  if (link.status === 'paid' || isPaid(link.liveStatus ?? '')) return 'already_paid'
  if (link.revokedAt !== null) return 'revoked'
  if (link.expiresAt !== null && link.expiresAt <= now) return 'expired'
  if (link.status === 'inactive') return 'inactive'
  if (link.usage === 'single_use' && link.liveStatus !== null && !awaitsPush(link)) return 'busy'
  return processorOf(services) ? null : 'not_set_up'
}

/** An unpaid voucher or CLABE holds a single-use link; any visitor with the link's address may show or change it. */
export const awaitsPush = (link: LinkOnSale): boolean =>
  link.usage === 'single_use' && link.liveStatus === 'requires_action' && link.liveMethod !== 'card'

export interface Visit {
  readonly link: LinkOnSale
  /** The payment that this browser began here, in whatever state. */
  readonly own: PaymentRow | null
  /** The payment that the buyer asks to try again. */
  readonly retried: PaymentRow | null
}

/**
 * The link behind an address; null when there is none. One trip.
 * @param began the public reference of the payment that this browser says it began
 * @param retried the public reference of the payment to try again
 */
export async function findLink(
  services: Services,
  publicId: string,
  began: string | null,
  retried: string | null = null,
): Promise<Visit | null> {
  const asked = [began, retried].filter((reference) => reference !== null)

  const found = await reading(services, () =>
    services.db.read(view.id, { kind: 'public', publicId }, [
      linkOnSale({ publicId }),
      ...asked.map((reference) => paymentByPublicId({ publicId: reference })),
    ]),
  )
  if (!found) return null
  const [[link], ...rows] = found.rows
  if (!link) return null
  const ofLink = (reference: string | null) =>
    rows.flat().find((payment) => payment.publicId === reference && payment.originId === link.id) ?? null
  return { link, own: ofLink(began), retried: ofLink(retried) }
}

/** For a buyer an authorised payment is a paid one: the bank holds the money for the merchant. */
export const isPaid = (status: string): boolean => paidStatuses.includes(status)

/** Neither the bank nor the buyer is awaited any more. */
export const isOver = ({ status }: PaymentRow): boolean =>
  status !== 'processing' && status !== 'requires_action'

/** Whether a begun payment may be abandoned for another way to pay: only while the link can still be paid. */
export const takesAnother = (services: Services, link: LinkOnSale, now: Date): boolean =>
  closedBecause(services, { ...link, liveStatus: null }, now) === null

export interface PaymentOnPage {
  readonly link: LinkOnSale
  readonly payment: Owned<PaymentRow>
  readonly attempt: AttemptRow
  readonly stray: Stray | null
}

/** A payment of this link by its public reference; null when there is none. One trip. */
export async function findPayment(
  services: Services,
  publicId: string,
  reference: string,
): Promise<PaymentOnPage | null> {
  const found = await reading(services, () =>
    services.db.read(view.id, { kind: 'public', publicId }, [
      linkOnSale({ publicId }),
      paymentByPublicId({ publicId: reference }),
      attemptsByPublicId({ publicId: reference }),
      straysByPublicId({ publicId: reference }),
    ]),
  )
  if (!found) return null
  const [[link], [payment], attempts, strays] = found.rows
  const attempt = attempts.at(-1)
  return link && payment && attempt && payment.originId === link.id
    ? { link, payment, attempt, stray: strayOf(strays) }
    : null
}

async function reading<T>(services: Services, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refused && error.sqlState === 'SP404') return null
    throw await problemOf(error, services)
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

/** The installment terms of this card on this link: known only once the card is. */
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

type Sale = Pick<Offer, 'amountMinor' | 'installmentPlanMonths' | 'feeAllocation' | 'merchantMarkupBps'>

/** The total that a card is charged in a term; 1: at once. */
export const totalIn = (sale: Sale, months: number): bigint =>
  buyerTotal({ amountMinor: sale.amountMinor, pricing: sale, months })

/** The price that the page shows first: the total where a link demands a term, the link's amount elsewhere. */
export const priceOf = (sale: Sale): bigint => totalIn(sale, sale.installmentPlanMonths ?? 1)

export interface CardChoice {
  readonly method: 'card'
  readonly token: string
  readonly card: TokenFacts
  readonly months: number
}

export interface PushChoice {
  readonly method: 'oxxo' | 'spei'
  readonly buyer: Buyer
}

interface PageRequest {
  readonly requestId: string
  readonly now: Date
  /** One per rendered form. */
  readonly attemptKey: string
}

/** Pays an offer; returns the payment's public reference. A repeated form is the same payment. */
export async function payOffer(
  services: Services,
  offer: Offer,
  choice: CardChoice | PushChoice,
  { requestId, now, attemptKey }: PageRequest,
): Promise<string> {
  const processor = requireProcessor(services)
  const schedule = currentSchedule(services.settings, now, offer.currency)
  if (!schedule) throw new Problem('payments_not_configured')
  const months = choice.method === 'card' ? choice.months : 1
  const request = {
    order: orderOf(offer, months),
    schedule,
    merchantName: offer.merchantName,
    condition: expect(
      paymentLinks,
      offer.linkId,
      { status: 'active', termsVersion: offer.termsVersion },
      'expiresAt',
    ),
    retryOf: offer.retryOf,
  }
  // The buyer's details are stored nowhere, not even as a digest.
  const chosen =
    choice.method === 'card' ? { token: choice.token, months } : { method: choice.method as string }
  const { linkId, termsVersion } = offer
  const publishing: PublishRequest = {
    operation: submit.id,
    credential: { kind: 'public', publicId: offer.publicId },
    requestId,
    now,
    claim: {
      keys: await keyDigests(services.settings.signingSecrets, attemptKey),
      fingerprint: await sha256Hex(canonicalJson({ linkId, termsVersion, ...chosen })),
      status: 303,
    },
  }
  const origin = linkOrigin(services.settings) as PaymentOrigin
  if (choice.method === 'card')
    return payByCard(
      services,
      processor,
      origin,
      {
        ...request,
        token: choice.token,
        card: choice.card,
        returnUrl: (reference) => `https://${services.settings.linkBaseUrl}/${offer.publicId}/${reference}`,
      },
      publishing,
    )
  const closesAt = offer.expiresAt === null ? null : new Date(offer.expiresAt)
  return payByPush(
    services,
    processor,
    origin,
    { ...request, method: choice.method, buyer: choice.buyer, closesAt, publicId: offer.publicId },
    publishing,
  )
}

function orderOf(offer: Offer, months: number) {
  const totalMinor = totalIn(offer, months)
  return {
    originKind: 'payment_link' as const,
    originId: offer.linkId,
    exclusive: offer.exclusive,
    description: offer.description,
    clientReferenceId: offer.clientReferenceId,
    totalMinor,
    markupMinor: totalMinor - offer.amountMinor,
    currency: offer.currency,
    installmentMonths: months,
    captureMethod: offer.captureMethod,
  }
}
