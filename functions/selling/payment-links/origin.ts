import { paymentLinks } from '../../../drizzle/schema/payment-links.ts'
import { expect } from '../../../src/kernel/plan.ts'
import { scarceDays } from '../../money/payments/api-pure.ts'
import { discountsFrom } from '../../order/lines/api.ts'
import { codeIn } from '../../order/lines/api-pure.ts'
import type { HostedOrigin } from '../../page/hosted-payment/api.ts'
import { soldIn } from './catalog-item.ts'
import { link } from './facts.ts'
import { boughtOf, saleOf } from './lines.ts'
import { planPaid } from './plan.ts'
import { isTaken, isUsedUp } from './plan-uses.ts'
import { isScarce, isShort, shortageOf } from './shortage.ts'
import { type LinkRow, linkForSale, links, type ShownLink } from './store.ts'
import { states, words } from './words.ts'

/** A line item begins with its own quantity, or with the nearest one within the bounds. */
function quantitiesOf({ quantityMin: min, quantityMax: max, catalogLineItemSnapshot: item }: ShownLink) {
  if (min === null || max === null) return null
  return { min, max, first: Math.min(max, Math.max(min, item?.quantity ?? min)) }
}

/** The lines, or the line item with its IVA, also in the quantities that a buyer may choose. What has a line is described by it. */
function soldBy(link: ShownLink) {
  const { description, quantityMax, catalogLineItemSnapshot: item } = link
  const bought = boughtOf(link)
  if (bought) return { description, ...saleOf(link, bought, discountsFrom(link.found)) }
  if (!item) return { description }
  const { taxes, order = null } = soldIn(item, item.quantity)
  return {
    description: description ?? (order ? null : item.name),
    taxes,
    order,
    ...(quantityMax === null ? {} : { inQuantity: (quantity: number) => soldIn(item, quantity) }),
  }
}

/** The payment link as an origin: what a link sells, and what a payment changes of it. */
export const linkOrigin: HostedOrigin<LinkRow, ShownLink> = {
  ...link,
  ...links.origin,
  loadForSale: (publicId, { code, retried } = {}) =>
    linkForSale({ publicId, code: code ? codeIn(code) : null, retried: retried ?? null }),
  condition: ({ originId, asksVersion, termsVersion, policyVersion }) =>
    expect(
      paymentLinks,
      originId,
      { status: 'active', asksVersion, termsVersion, policyVersion },
      'expiresAt',
    ),
  sale: (link) => ({
    originId: link.id,
    publicId: link.publicId,
    termsVersion: link.termsVersion,
    asksVersion: link.asksVersion,
    policyVersion: link.policyVersion,
    locationId: link.locationId,
    amount: link.buyerAmount
      ? {
          amountMinorMin: BigInt(link.buyerAmount.amount_min),
          amountMinorMax: BigInt(link.buyerAmount.amount_max),
          presetsMinor: link.buyerAmount.presets.map(BigInt),
        }
      : link.amountMinor,
    quantities: quantitiesOf(link),
    ...soldBy(link),
    currency: link.currency,
    methods: link.paymentMethodTypes,
    captureMethod: link.captureMethod,
    installmentMonths: link.installmentMonths,
    installmentPlanMonths: link.installmentPlanMonths,
    feeAllocation: link.feeAllocation,
    merchantMarkupBps: link.merchantMarkupBps,
    exclusive: link.usage === 'single_use',
    successUrl: link.successUrl,
    successMessage: link.successMessage,
    payerEmailDomains: link.payerEmailDomains,
    collects: link.collects,
    prefill: link.customerEmail
      ? { name: link.customerName ?? '', email: link.customerEmail, phone: '' }
      : null,
    opensAt: link.startsAt,
    expiresAt: link.expiresAt,
    ...(isScarce(link) ? { pushDaysMax: scarceDays } : {}),
  }),
  closedBecause(link, isPaid, now) {
    if (link.status === 'archived') return 'archived'
    if (link.status === 'paid' || isPaid) return 'already_paid'
    if (link.revokedAt !== null) return 'revoked'
    if (link.expiresAt !== null && link.expiresAt <= now) return 'expired'
    if (isUsedUp(link)) return 'used_up'
    if (link.status === 'inactive') return 'inactive'
    if (link.startsAt !== null && link.startsAt > now) return 'not_open'
    if (link.isOffSale) return 'off_sale'
    if (isShort(link)) return 'sold_out'
    return isTaken(link) ? 'taken' : null
  },
  bounds: ['payment_link_uses_bounded'],
  shortageOf,
  spent: ['stock_insufficient', 'catalog_item_not_for_sale', 'discount_used_up', 'discount_not_applicable'],
  countView: ({ db }, publicId) => db.call('door.count_link_view(text)', [publicId]),
  passwordHashOf: ({ passwordHash }) => passwordHash,
  states,
  words,
  onSuccess: (link, payment, { now, newId }, { linkBaseUrl }) =>
    planPaid(link, payment, { now, newId, linkBaseUrl }),
}
