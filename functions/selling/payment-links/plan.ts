import type * as z from 'zod'
import type { SoldLine } from '../../../drizzle/schema/order.ts'
import { paymentLinks } from '../../../drizzle/schema/payment-links.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { change, insert, type Plan, type Refusal, refuse } from '../../../src/kernel/plan.ts'
import type { Governing } from '../../money/payment-policy/api-pure.ts'
import type { FeeSchedule, PaymentRow } from '../../money/payments/api-pure.ts'
import { type NamedDiscount, promisedBy } from '../../order/lines/api-pure.ts'
import {
  asksAfter,
  isSameTerms,
  knownAfter,
  presentCollected,
  presentKnown,
  termsFrom,
  termsOf,
  unknownBuyer,
} from '../../order/sales/api-pure.ts'
import { promisedAfter, promisedIn, type SoldItem, soldAgain } from './catalog-item.ts'
import type * as contracts from './contract.ts'
import { paymentLinkLifecycle } from './lifecycle.ts'
import { discountsOn, type Offered } from './lines.ts'
import { type AmountTerms, amountTermsOf, isSameAmount, problemOfLink } from './plan-amount.ts'
import { isUsedUp, problemOfStart, problemOfUses } from './plan-uses.ts'
import { presentLink } from './present.ts'
import type { LinkRow } from './store.ts'

type Create = Omit<z.output<NonNullable<typeof contracts.create.body>>, 'password'>
/** With the hash of the password that it names, its lines at their prices of now, and the discounts that were read for it. */
type Update = Omit<z.output<NonNullable<typeof contracts.update.body>>, 'password' | 'line_items'> & {
  readonly passwordHash?: string | null
  readonly lines?: readonly SoldLine[]
  readonly found?: readonly NamedDiscount[]
}

export const lifeDaysMax = 365
const dayMs = 24 * 3_600_000

/** A plan's context beside the input: ids, the time, the address of links. */
export interface Making extends Clock {
  readonly linkBaseUrl: string
}

/** The payment policy that a link's terms obey. */
export interface Selling extends Making, Governing {}

export const about = (link: LinkRow) => ({ type: 'payment_link', id: link.id })

/** What a new link is made of, beside what was asked for. */
export interface Made {
  readonly publicId: string
  /** The item that it sells of a catalog; null for an amount or a snapshot of the merchant's own. */
  readonly item: SoldItem | null
  /** Its lines, where it sells several items. */
  readonly lines: readonly SoldLine[] | null
  /** The discounts that it names. */
  readonly found: readonly NamedDiscount[]
  /** Of its password; null: none. */
  readonly passwordHash: string | null
  readonly templateId: string | null
}

export function planCreate(
  input: Create,
  { publicId, item, lines, found, passwordHash, templateId }: Made,
  schedule: FeeSchedule | null,
  selling: Selling,
) {
  const { now, newId, linkBaseUrl } = selling
  const snapshot = item?.snapshot ?? input.catalog_line_item_snapshot ?? null
  const sale = { currency: input.currency, customerId: input.customer_id, now }
  const less = discountsOn(lines, { asked: input.discounts, had: [], found }, sale)
  if ('refused' in less) return less
  const offered = {
    lines,
    ...less,
    takesCodes: input.allows_discount_codes,
    shippingOptions: input.shipping_options,
    tipOptions: input.tips,
  }
  const catalogItemId = item?.snapshot.item_id ?? null
  const sold = {
    amountSource: input.amount_source,
    catalogLineItemSnapshot: snapshot,
    catalogItemId,
    ...offered,
  }
  const asksFor = amountTermsOf(sold, input)
  if ('refused' in asksFor) return asksFor
  const known = knownAfter(input)
  if ('refused' in known) return known
  const link: LinkRow = {
    id: newId(),
    publicId,
    status: 'active',
    usage: input.usage,
    ...sold,
    ...(item ? promisedIn(item, asksFor.quantityMax !== null) : promisedBy(lines ?? [], input.location_id)),
    ...asksFor,
    currency: input.currency,
    description: input.description,
    ...termsOf(input),
    clientReferenceId: input.client_reference_id,
    customerId: input.customer_id,
    ...known,
    metadata: input.metadata,
    successUrl: input.success_url,
    successMessage: input.success_message,
    payerEmailDomains: input.payer_email_domains,
    collects: input.collects,
    passwordHash,
    checkoutSessionRef: null,
    usesMax: input.uses_max,
    startsAt: instantOf(input.starts_at),
    expiresAt: instantOf(input.expires_at),
    revokedAt: null,
    termsVersion: 1,
    asksVersion: 1,
    policyVersion: selling.policyVersion,
    locationId: input.location_id,
    templateId,
    version: 1,
    createdAt: now,
    updatedAt: now,
    paidCount: 0,
    heldCount: 0,
    collected: null,
    liveRef: null,
    viewsCount: 0,
  }
  const problem =
    problemOfLink(link, schedule, selling.policy) ??
    problemOfExpiry(link.expiresAt, now) ??
    problemOfUses(link) ??
    problemOfStart(link, now) ??
    problemOfKnown(link)
  if (problem) return problem
  const shown = presentLink(link, linkBaseUrl)
  const {
    paidCount: _paid,
    heldCount: _held,
    collected: _collected,
    liveRef: _live,
    viewsCount: _views,
    ...row
  } = link
  return {
    writes: [insert(paymentLinks, row)],
    events: [event(newId(), 'payment_link.created', about(link), presentLink(link, linkBaseUrl))],
    reply: { ...shown, ...unknownBuyer },
    once: presentKnown(link),
  } satisfies Plan<unknown>
}

const instantOf = (given: string | null) => (given === null ? null : new Date(given))

function problemOfExpiry(expiresAt: Date | null, now: Date): Refusal<'parameter_invalid'> | null {
  if (expiresAt === null) return null
  const lifeMs = expiresAt.getTime() - now.getTime()
  if (lifeMs <= 0)
    return refuse('parameter_invalid', { param: 'expires_at', message: 'expires_at has passed.' })
  if (lifeMs > lifeDaysMax * dayMs)
    return refuse('parameter_invalid', {
      param: 'expires_at',
      message: `expires_at is more than ${lifeDaysMax} days ahead.`,
    })
  return null
}

/** The page of a link that many pay would show one buyer's address to all others. */
const problemOfKnown = ({ customerEmail, usage }: LinkRow): Refusal<'parameter_invalid'> | null =>
  customerEmail === null || usage === 'single_use'
    ? null
    : refuse('parameter_invalid', {
        param: 'customer_email',
        message: 'A customer_email goes with a single-use link: many buyers see the page of another.',
      })

/** Why a link takes no change any more; null while it does. */
export const over = (link: LinkRow) => {
  if (link.status === 'archived') return refuse('payment_link_archived')
  return link.status === 'paid' ? refuse('payment_link_paid') : null
}

export function planUpdate(link: LinkRow, input: Update, schedule: FeeSchedule | null, selling: Selling) {
  const closed = over(link)
  if (closed) return closed
  if (input.lines && !link.lines)
    return refuse('parameter_invalid', {
      param: 'line_items',
      message: 'This link was made without line_items; what it sells does not become lines.',
    })
  const offered = offeredAfter(link, input, selling.now)
  if ('refused' in offered) return offered
  const asksFor = amountTermsOf({ ...link, ...offered }, input, link)
  if ('refused' in asksFor) return asksFor
  const known = knownAfter(input, link)
  if ('refused' in known) return known
  const patch = { ...patchOf(link, input, { asksFor, offered }, selling.policyVersion), ...known }
  const changed: LinkRow = { ...link, ...patch, version: link.version + 1, updatedAt: selling.now }
  const problem =
    // Terms that stay are those of the policy that they were set under.
    (patch.termsVersion === undefined ? null : problemOfLink(changed, schedule, selling.policy)) ??
    (input.expires_at === undefined ? null : problemOfExpiry(changed.expiresAt, selling.now)) ??
    (input.uses_max === undefined ? null : problemOfUses(changed)) ??
    (input.starts_at === undefined && input.expires_at === undefined
      ? null
      : problemOfStart(changed, selling.now)) ??
    problemOfKnown(changed)
  return problem ?? planChange(link, patch, 'payment_link.updated', selling)
}

/** What it sells in lines after a change, with what is taken off and what buyers may add. Other lines are discounted again. */
function offeredAfter(link: LinkRow, input: Update, now: Date) {
  const {
    lines = link.lines,
    tips,
    shipping_options: shippingOptions = link.shippingOptions,
    found = [],
  } = input
  const { customer_id: customerId = link.customerId, discounts: asked } = input
  const sale = { currency: link.currency, customerId, now }
  const less =
    asked || input.lines
      ? discountsOn(lines, { asked, had: link.discounts, found }, sale)
      : { discounts: link.discounts }
  if ('refused' in less) return less
  const { allows_discount_codes: takesCodes = link.takesCodes } = input
  const tipOptions = tips === undefined ? link.tipOptions : tips
  return { lines, ...less, takesCodes, shippingOptions, tipOptions } satisfies Offered
}

/** What is paid and offered is the same. Whether codes are taken is no term: a payment with a code asks the link. */
const isSameOffer = (one: Offered, other: Offered) => {
  const of = ({ lines, discounts, shippingOptions, tipOptions }: Offered) =>
    canonicalJson({ lines, discounts, shippingOptions, tipOptions } as unknown as Json)
  return of(one) === of(other)
}

/** The changed fields. The terms' version moves only when what a buyer pays changes. */
function patchOf(
  link: LinkRow,
  input: Update,
  { asksFor, offered }: { readonly asksFor: AmountTerms; readonly offered: Offered },
  policyVersion: number,
): Partial<LinkRow> {
  const next = { ...asksFor, ...termsFrom(input, link) }
  const { payerEmailDomains: domains, collects: asked, asksVersion } = link
  const { payer_email_domains: payerEmailDomains = domains, collects = asked } = input
  const asks = asksAfter(
    { payerEmailDomains: domains, collects: asked, asksVersion },
    { payerEmailDomains, collects },
  )
  const { lines } = input
  const isOffered = !isSameOffer(offered, link)
  const termsMoved = isOffered || !isSameTerms({ ...link, ...next }, link) || !isSameAmount(asksFor, link)
  return {
    ...(termsMoved
      ? {
          ...next,
          ...(soldAgain(link) ? promisedAfter(link, asksFor.quantityMax !== null) : {}),
          ...(isOffered ? offered : {}),
          ...(lines ? promisedBy(lines, link.locationId) : {}),
          policyVersion,
          termsVersion: link.termsVersion + 1,
        }
      : {}),
    ...(input.allows_discount_codes === undefined ? {} : { takesCodes: offered.takesCodes }),
    ...(input.buyer_amount === undefined ? {} : { buyerAmount: asksFor.buyerAmount }),
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(input.client_reference_id === undefined ? {} : { clientReferenceId: input.client_reference_id }),
    ...(input.customer_id === undefined ? {} : { customerId: input.customer_id }),
    ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    ...(input.success_url === undefined ? {} : { successUrl: input.success_url }),
    ...(input.success_message === undefined ? {} : { successMessage: input.success_message }),
    ...asks,
    ...(input.passwordHash === undefined ? {} : { passwordHash: input.passwordHash }),
    ...(input.uses_max === undefined ? {} : { usesMax: input.uses_max }),
    ...(input.starts_at === undefined ? {} : { startsAt: instantOf(input.starts_at) }),
    ...(input.expires_at === undefined ? {} : { expiresAt: instantOf(input.expires_at) }),
  }
}

export function planActivate(link: LinkRow, making: Making) {
  const closed = over(link)
  if (closed) return closed
  if (link.revokedAt !== null) return refuse('payment_link_revoked')
  if (link.status === 'active') return refuse('payment_link_status_unchanged')
  if (link.expiresAt !== null && link.expiresAt <= making.now) return refuse('payment_link_expired')
  if (isUsedUp(link)) return refuse('payment_link_used_up')
  return planChange(link, { status: 'active' }, 'payment_link.activated', making)
}

export function planDeactivate(link: LinkRow, making: Making) {
  const closed = over(link)
  if (closed) return closed
  if (link.status === 'inactive') return refuse('payment_link_status_unchanged')
  return planChange(link, { status: 'inactive' }, 'payment_link.deactivated', making)
}

export function planRevoke(link: LinkRow, making: Making) {
  const closed = over(link)
  if (closed) return closed
  if (link.revokedAt !== null) return refuse('payment_link_revoked')
  return planChange(link, { status: 'inactive', revokedAt: making.now }, 'payment_link.revoked', making)
}

export function planArchive(link: LinkRow, making: Making) {
  if (link.status === 'archived') return refuse('payment_link_archived')
  return planChange(link, { status: 'archived' }, 'payment_link.archived', making)
}

/** Null when the link is over already or its time was extended. */
export function planExpiry(link: LinkRow, making: Making) {
  const expired = link.status === 'active' && link.expiresAt !== null && link.expiresAt <= making.now
  return expired ? planChange(link, { status: 'inactive' }, 'payment_link.expired', making) : null
}

/**
 * A payment succeeded: a single-use link becomes paid, even if it was deactivated meanwhile. A revoked or archived one
 * keeps its status, and the payment stands.
 */
export function planPaid(link: LinkRow, payment: PaymentRow, making: Making) {
  const pays =
    link.usage === 'single_use' &&
    link.revokedAt === null &&
    canMove(paymentLinkLifecycle, link.status, 'pay')
  if (!pays) return { writes: [], events: [] }
  return planChange(
    link,
    { status: 'paid', checkoutSessionRef: payment.publicId },
    'payment_link.paid',
    making,
  )
}

export function planChange(
  link: LinkRow,
  patch: Partial<LinkRow>,
  type: EventType,
  { now, newId, linkBaseUrl }: Making,
) {
  const changed: LinkRow = { ...link, ...patch, version: link.version + 1, updatedAt: now }
  const [before, after] = [presentLink(link, linkBaseUrl), presentLink(changed, linkBaseUrl)]
  return {
    writes: [change(paymentLinks, link, { ...patch, updatedAt: now })],
    events: [event(newId(), type, about(link), after, before)],
    // Stored for replays: what the buyer gave stands in its own row alone.
    reply: { ...presentLink({ ...changed, collected: null }, linkBaseUrl), ...unknownBuyer },
    once: { collected: presentCollected(link.collected), ...presentKnown(changed) },
  } satisfies Plan<unknown>
}
