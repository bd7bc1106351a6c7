import { paymentLinks } from '../../drizzle/schema/payment-links.ts'
import type { Settings } from '../../src/env.ts'
import { expect } from '../../src/kernel/plan.ts'
import type { PaymentOrigin } from '../payments/api.ts'
import { planPaid } from './plan.ts'
import { type LinkRow, linkById, linkFrom, linkOfPayment } from './store.ts'

/** The payment link as a selling origin. */
export const linkOrigin = (settings: Settings): PaymentOrigin<LinkRow> => ({
  kind: 'payment_link',
  load: (id) => linkById({ id }),
  loadFor: (paymentId) => linkOfPayment({ paymentId }),
  lock: (id) => expect(paymentLinks, id, {}),
  read: linkFrom,
  inherited: ({ metadata, clientReferenceId }) => ({ metadata, clientReferenceId }),
  onSuccess: (link, payment, { now, newId }) =>
    planPaid(link, payment, { now, newId, linkBaseUrl: settings.linkBaseUrl }),
})
