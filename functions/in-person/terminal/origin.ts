import { inPersonPayments } from '../../../drizzle/schema/in-person.ts'
import { expect } from '../../../src/kernel/plan.ts'
import type { HostedOrigin } from '../../page/hosted-payment/api.ts'
import { inPerson } from './facts.ts'
import { type InPersonRow, inPersonForSale, inPersonQueries } from './store.ts'
import { states, words } from './words.ts'

/** A payment in person as an origin: a device takes it, and its page has the receipt alone. */
export const inPersonOrigin: HostedOrigin<InPersonRow> = {
  ...inPerson,
  ...inPersonQueries.origin,
  loadForSale: (publicId) => inPersonForSale({ publicId }),
  condition: ({ originId }) => expect(inPersonPayments, originId, {}),
  sale: (sold) => ({
    originId: sold.id,
    publicId: sold.publicId,
    termsVersion: sold.termsVersion,
    asksVersion: 1,
    policyVersion: sold.policyVersion,
    locationId: sold.locationId,
    description: sold.description,
    amount: sold.amountMinor,
    currency: sold.currency,
    methods: [],
    captureMethod: 'automatic',
    installmentMonths: [],
    installmentPlanMonths: null,
    feeAllocation: 'absorb',
    merchantMarkupBps: 0,
    exclusive: false,
    expiresAt: null,
  }),
  closedBecause: () => 'in_person',
  states,
  words,
  // Its payment says all that has changed.
  onSuccess: () => ({ writes: [], events: [] }),
  // Loaded when it is needed: every page has the origins.
  takeAnswer: async (...heard) => (await import('./questions.ts')).takeAnswer(...heard),
}
