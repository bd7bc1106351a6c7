import type { StripeCustomer } from '../../src/processors/stripe/index.ts'

/** A customer at Stripe of whom nothing is known. */
export const emptyCustomer = {
  id: 'cus_Ana',
  name: null,
  email: null,
  phone: null,
  address: null,
  shipping: null,
  preferred_locales: [],
  metadata: {},
} satisfies StripeCustomer
