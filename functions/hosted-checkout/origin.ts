import { checkoutSessions } from '../../drizzle/schema/checkout-sessions.ts'
import { expect } from '../../src/kernel/plan.ts'
import type { HostedOrigin } from '../hosted-payment/api.ts'
import { planPaid } from './plan.ts'
import {
  policyOfSession,
  type ShownRow,
  sessionById,
  sessionForSale,
  sessionFrom,
  sessionOfPayment,
} from './store.ts'
import { states, words } from './words.ts'

/** The checkout session as an origin: what it sells, and what a payment changes of it. */
export const sessionOrigin: HostedOrigin<ShownRow> = {
  kind: 'checkout_session',
  publicIdPrefix: 'spcs',
  writeScope: 'hosted_checkout:write',
  load: (id) => sessionById({ id }),
  loadFor: (paymentId) => sessionOfPayment({ paymentId }),
  loadByPublicId: (publicId) => sessionForSale({ publicId }),
  policyOf: policyOfSession,
  lock: (id) => expect(checkoutSessions, id, {}),
  condition: ({ originId, termsVersion, policyVersion }) =>
    expect(checkoutSessions, originId, { status: 'open', termsVersion, policyVersion }, 'expiresAt'),
  read: sessionFrom,
  sale: (session) => ({
    originId: session.id,
    publicId: session.publicId,
    termsVersion: session.termsVersion,
    policyVersion: session.policyVersion,
    locationId: session.locationId,
    description: session.description,
    lines: session.lines.map(({ name, quantity, amount_total }) => ({
      name,
      quantity,
      total: amount_total,
    })),
    cancelUrl: session.cancelUrl,
    successUrl: session.successUrl?.replaceAll('{session}', session.publicId) ?? null,
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
  }),
  closedBecause({ status, expiresAt, isSoldOut }, isPaid, now) {
    if (status === 'complete' || isPaid) return 'already_paid'
    if (status === 'expired' || expiresAt <= now) return 'expired'
    return isSoldOut ? 'sold_out' : null
  },
  soldOut: 'stock_insufficient',
  states,
  words,
  onSuccess: (session, payment, { now, newId }, { linkBaseUrl }) =>
    planPaid(session, payment, { now, newId, linkBaseUrl }),
}
