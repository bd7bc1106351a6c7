import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** A `replaced` one has another in its place; a `removed` one has none. */
export const invoiceLifecycle = lifecycle({
  resource: 'payment_invoices',
  initial: ['live'],
  moves: {
    replace: { from: ['live'], to: 'replaced' },
    remove: { from: ['live'], to: 'removed' },
  },
})
