import { checkoutSessions } from '../../../drizzle/schema/checkout-sessions.ts'
import { expect } from '../../../src/kernel/plan.ts'
import { pagePath } from '../../goods/digital-catalogs/api-pure.ts'
import { leftFrom } from '../../goods/inventory/api-pure.ts'
import { scarceDays } from '../../money/payments/api-pure.ts'
import { adjustableOf, isScarce, isShort, orderOf, shortageOf, taxesOf } from '../../order/lines/api-pure.ts'
import type { HostedOrigin } from '../../page/hosted-payment/api.ts'
import { adjust } from './adjusting.ts'
import { completeFree } from './completing.ts'
import { session } from './facts.ts'
import { planPaid } from './plan.ts'
import { recovering } from './recovering.ts'
import { type ShownRow, sessionForSale, sessions } from './store.ts'
import { states, words } from './words.ts'

/** The page of the catalog that it was ordered from; null where there is none. */
const pageOf = ({ catalogPublicId }: ShownRow, fragment = '') =>
  catalogPublicId === null ? null : pagePath(catalogPublicId) + fragment

/** What the merchant gave for the page, before what its record of the customer says. */
function prefillOf({ customerEmail, customerName, prefill = null }: ShownRow) {
  if (customerEmail === null) return prefill
  return { name: customerName ?? prefill?.name ?? '', email: customerEmail, phone: prefill?.phone ?? '' }
}

/** The checkout session as an origin: what it sells, and what a payment changes of it. */
export const sessionOrigin: HostedOrigin<ShownRow> = {
  ...session,
  ...sessions.origin,
  loadForSale: (publicId) => sessionForSale({ publicId }),
  condition: ({ originId, asksVersion, termsVersion, policyVersion }) =>
    expect(
      checkoutSessions,
      originId,
      { status: 'open', asksVersion, termsVersion, policyVersion },
      'expiresAt',
    ),
  sale: (session) => ({
    originId: session.id,
    publicId: session.publicId,
    termsVersion: session.termsVersion,
    asksVersion: session.asksVersion,
    policyVersion: session.policyVersion,
    locationId: session.locationId,
    description: session.description,
    order: orderOf(session),
    tip: session.tipMinor.toString(),
    taxes: taxesOf(session),
    ...adjustableOf(session, session.isTried),
    collects: session.collects,
    prefill: prefillOf(session),
    recovery: session.recovery && { isGiven: session.isRecoveryGiven ?? false },
    cancelUrl: session.cancelUrl ?? pageOf(session),
    successUrl: session.successUrl?.replaceAll('{session}', session.publicId) ?? pageOf(session, '#bought'),
    amount: session.amountMinor,
    currency: session.currency,
    methods: session.paymentMethodTypes,
    captureMethod: session.captureMethod,
    installmentMonths: session.installmentMonths,
    installmentPlanMonths: session.installmentPlanMonths,
    feeAllocation: session.feeAllocation,
    merchantMarkupBps: session.merchantMarkupBps,
    exclusive: true,
    expiresAt: session.expiresAt,
    isOutlivedByPush: true,
    ...(isScarce(leftFrom(session.left).values()) ? { pushDaysMax: scarceDays } : {}),
    ...(session.embeddedIn ? { embeddedIn: session.embeddedIn } : {}),
  }),
  closedBecause(session, isPaid, now) {
    const { status, amountMinor, expiresAt, isDiscountOver, isTried } = session
    if (status === 'complete' && amountMinor === 0n) return 'already_complete'
    if (status === 'complete' || isPaid) return 'already_paid'
    if (status === 'expired' || expiresAt <= now) return 'expired'
    if (session.isOffSale) return 'off_sale'
    if (isShort(session.lines, leftFrom(session.left))) return 'sold_out'
    return isDiscountOver ? (isTried ? 'discount_over' : 'discount_lost') : null
  },
  shortageOf: ({ lines, left, isTried }) => shortageOf(lines, leftFrom(left), isTried),
  spent: ['stock_insufficient', 'catalog_item_not_for_sale', 'discount_used_up', 'discount_not_applicable'],
  adjust,
  completeFree,
  recovering,
  receiptOf: ({ receiptRef, completedAt, collected }) =>
    receiptRef === null
      ? null
      : { reference: receiptRef, at: completedAt!, taxData: collected?.tax_data ?? null },
  states,
  words,
  onSuccess: (session, payment, { now, newId }, { linkBaseUrl }) =>
    planPaid(session, payment, { now, newId, linkBaseUrl }),
}
