import { lifecycle } from '../../../src/kernel/lifecycle.ts'

export const codeLifecycle = lifecycle({
  resource: 'register_codes',
  initial: ['active'],
  moves: { revoke: { from: ['active'], to: 'revoked' } },
})

/**
 * An order is paid by a payment or in cash. While a payment is under way it is neither canceled nor over; money that comes
 * late and is applied to its payment pays it all the same.
 */
export const orderLifecycle = lifecycle({
  resource: 'register_orders',
  initial: ['open'],
  moves: {
    pay: { from: ['open', 'expired', 'canceled'], to: 'paid' },
    cancel: { from: ['open'], to: 'canceled' },
    expire: { from: ['open'], to: 'expired' },
  },
})

export const shiftLifecycle = lifecycle({
  resource: 'register_shifts',
  initial: ['open'],
  moves: { close: { from: ['open'], to: 'closed' } },
})
