import type { CollectedDetails } from '../../../drizzle/schema/buyer-details.ts'
import { others } from '../../../src/http/access/kinds.ts'
import { Problem } from '../../../src/http/problems.ts'
import { type PublishRequest, Stale } from '../../../src/http/publishing.ts'
import type { Services } from '../../../src/http/services.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { taxesWithMarkup } from '../../../src/kernel/iva.ts'
import { isPush, type MethodOf, type PushMethod } from '../../../src/kernel/payment-methods.ts'
import { keyDigests, sha256Hex } from '../../../src/platform/crypto.ts'
import type { Buyer, TokenFacts } from '../../../src/processors/port.ts'
import {
  type Contact,
  currentSchedule,
  type Led,
  type PayContext,
  payByCard,
  payByPush,
  requireProcessor,
} from '../../money/payments/api.ts'
import { namesOf } from '../../order/lines/api-pure.ts'
import { besideOf } from '../../order/sales/api-pure.ts'
import { judge, pushLimits, totalIn } from './checkout-flow.ts'
import { submit } from './contract.ts'
import { digestOf, digestOfAddress, digestOfNetwork } from './digests.ts'
import type { HostedOrigin } from './hosted-origin.ts'
import type { Quote } from './sealed-quote.ts'

export interface CardChoice {
  readonly method: MethodOf<'card'>
  readonly token: string
  readonly card: TokenFacts
  readonly months: number
  /** The buyer was taken for a person where cards pause for programs: the bank confirms each of them. */
  readonly isPerson: boolean
}

export interface PushChoice {
  readonly method: PushMethod
  readonly buyer: Buyer
}

interface Sent {
  /** Where the buyer is: `networkOfCaller`, or what a server says in its place. */
  readonly network: string
  /** The buyer's address; null where none was given. */
  readonly contact: Omit<Contact, 'salePath'> | null
  readonly details: CollectedDetails | null
  /** The merchant's own server asks, and not the page. */
  readonly channel?: 'server'
}

interface PageRequest extends Sent {
  readonly requestId: string
  readonly now: Date
  /** One per rendered form. */
  readonly attemptKey: string
}

/** Pays a quote of a page, as `payUnder`; a repeated form is the same payment. */
export async function payQuote(
  services: Services,
  origin: HostedOrigin,
  quote: Quote,
  choice: CardChoice | PushChoice,
  { requestId, now, attemptKey, ...sent }: PageRequest,
): Promise<Led> {
  // What identifies the buyer is no part of the fingerprint: no digest of it is stored.
  const chosen = isPush(choice) ? { method: choice.method } : { token: choice.token, months: choice.months }
  const { originId, termsVersion } = quote
  const amount = quote.isChosen ? { amount: quote.amountMinor.toString() } : {}
  const publishing: PublishRequest = {
    operation: submit.id,
    credential: others.public_id(quote.publicId),
    requestId,
    now,
    claim: {
      keys: await keyDigests(services.settings.signingSecrets, attemptKey),
      fingerprint: await sha256Hex(canonicalJson({ originId, termsVersion, ...amount, ...chosen })),
      status: 303,
    },
  }
  return payUnder({ services, origin, publishing }, quote, choice, sent)
}

/**
 * Pays a quote in a publish of the caller's; returns the payment, the first one's where its claim had its effect.
 * @throws Stale where the sale is no longer what was offered, or the platform has stopped the method
 */
export async function payUnder(
  { services, origin, publishing }: Omit<PayContext, 'processor'> & { readonly origin: HostedOrigin },
  quote: Quote,
  choice: CardChoice | PushChoice,
  { network, contact, details, channel }: Sent,
): Promise<Led> {
  const { now } = publishing
  const processor = requireProcessor(services)
  const schedule = currentSchedule(services.settings, now, quote.currency)
  if (!schedule) throw new Problem('payments_not_configured')
  const months = isPush(choice) ? 1 : choice.months
  const way = isPush(choice) ? choice : { ...choice, months: months > 1 ? [months] : [] }
  const { policy, reasons, needsThreeDs } = judge(services, quote, way, now)
  if (reasons.length > 0) throw new Stale()
  const request = {
    order: orderOf(quote, months),
    schedule,
    merchantName: quote.merchantName,
    condition: origin.condition(quote),
    retryOf: quote.retryOf,
    replaces: quote.replaces,
    returnUrl: (reference: string) =>
      `https://${services.settings.linkBaseUrl}/${quote.publicId}/${reference}`,
    contact: contact && { ...contact, salePath: `/${quote.publicId}` },
    beside: besideOf(details, contact?.email ?? null),
  }
  const context = { services, processor, origin, publishing }
  const phone = details?.phone ? { phone: details.phone } : {}
  const address = contact?.email ?? (isPush(choice) ? choice.buyer.email : undefined)
  const [networkDigest, contactDigest] = await Promise.all([
    digestOfNetwork(services, network),
    address === undefined ? null : digestOfAddress(services, address),
  ])
  if (!isPush(choice)) {
    const email = details?.email ?? contact?.email
    const name = details?.name ? { name: details.name } : {}
    const cardDigest = await digestOf(
      services,
      `card ${choice.card.fingerprint ?? canonicalJson(choice.card.card ? { ...choice.card.card } : choice.token)}`,
    )
    return payByCard(context, {
      ...request,
      tried: {
        networkDigest,
        contactDigest,
        cardDigest,
        isConfirmed: false,
        isPerson: choice.isPerson,
        isBlocked: false,
      },
      token: choice.token,
      card: choice.card,
      buyer: { ...name, ...(email ? { email } : {}), ...phone },
      threeDs: needsThreeDs || choice.isPerson ? 'required' : 'automatic',
      ...(channel ? { channel } : {}),
    })
  }
  const { method } = choice
  const buyer = { ...choice.buyer, ...phone }
  const limits = pushLimits(policy, quote, method)
  const shareBps = policy.unpaid_holds!.share_bps!
  const holder = { networkDigest, contactDigest: contactDigest!, shareBps }
  return payByPush(context, {
    ...request,
    tried: null,
    method,
    buyer,
    holder,
    ...limits,
    publicId: quote.publicId,
  })
}

function orderOf(quote: Quote, months: number) {
  const totalMinor = totalIn(quote, months)
  return {
    originType: quote.kind,
    originId: quote.originId,
    exclusive: quote.exclusive,
    description: quote.description ?? namesOf(quote.order?.lines),
    quantity: quote.quantity ?? 1,
    clientReferenceId: quote.clientReferenceId,
    totalMinor,
    markupMinor: totalMinor - quote.amountMinor,
    tipMinor: BigInt(quote.tip ?? 0),
    bought: quote.order ?? null,
    taxes: taxesWithMarkup(quote.taxes ?? [], totalMinor - quote.amountMinor),
    currency: quote.currency,
    installmentMonths: months,
    captureMethod: quote.captureMethod,
    policyVersion: quote.policyVersion,
    locationId: quote.locationId,
  }
}
