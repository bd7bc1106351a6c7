import { paymentLinks } from '../../drizzle/schema/payment-links.ts'
import { expect } from '../../src/kernel/plan.ts'
import type { HostedOrigin } from '../hosted-payment/api.ts'
import { planPaid } from './plan.ts'
import { type LinkRow, linkById, linkFrom, linkOfPayment, policyOfLink } from './store.ts'
import { states, words } from './words.ts'

/** The payment link as an origin: what a link sells, and what a payment changes of it. */
export const linkOrigin: HostedOrigin<LinkRow> = {
  kind: 'payment_link',
  publicIdPrefix: 'splink',
  writeScope: 'payment_links:write',
  load: (id) => linkById({ id }),
  loadFor: (paymentId) => linkOfPayment({ paymentId }),
  loadByPublicId: (publicId) => linkById({ publicId }),
  policyOf: policyOfLink,
  lock: (id) => expect(paymentLinks, id, {}),
  condition: ({ originId, termsVersion, policyVersion }) =>
    expect(paymentLinks, originId, { status: 'active', termsVersion, policyVersion }, 'expiresAt'),
  read: linkFrom,
  sale: (link) => ({
    originId: link.id,
    publicId: link.publicId,
    termsVersion: link.termsVersion,
    policyVersion: link.policyVersion,
    locationId: link.locationId,
    description: link.description ?? link.catalogLineItemSnapshot?.name ?? null,
    amount: link.amountMinor,
    currency: link.currency,
    methods: link.paymentMethodTypes,
    captureMethod: link.captureMethod,
    installmentMonths: link.installmentMonths,
    installmentPlanMonths: link.installmentPlanMonths,
    feeAllocation: link.feeAllocation,
    merchantMarkupBps: link.merchantMarkupBps,
    exclusive: link.usage === 'single_use',
    expiresAt: link.expiresAt,
  }),
  closedBecause(link, isPaid, now) {
    if (link.status === 'archived') return 'archived'
    if (link.status === 'paid' || isPaid) return 'already_paid'
    if (link.revokedAt !== null) return 'revoked'
    if (link.expiresAt !== null && link.expiresAt <= now) return 'expired'
    return link.status === 'inactive' ? 'inactive' : null
  },
  states,
  words,
  onSuccess: (link, payment, { now, newId }, { linkBaseUrl }) =>
    planPaid(link, payment, { now, newId, linkBaseUrl }),
}
