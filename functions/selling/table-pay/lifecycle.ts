import { lifecycle } from '../../../src/kernel/lifecycle.ts'

export const tableLifecycle = lifecycle({
  resource: 'dining_tables',
  initial: ['active'],
  moves: {
    archive: { from: ['active'], to: 'archived' },
    restore: { from: ['archived'], to: 'active' },
  },
})

/**
 * A bill is closed once all of it is paid, and void while nothing is; merged, it is a part of another one for good. How much
 * is paid is no status of it.
 */
export const sessionLifecycle = lifecycle({
  resource: 'table_sessions',
  initial: ['open'],
  moves: {
    close: { from: ['open'], to: 'closed' },
    void: { from: ['open'], to: 'void' },
    merge: { from: ['open'], to: 'merged' },
    reopen: { from: ['closed', 'void'], to: 'open' },
  },
})

export const lineLifecycle = lifecycle({
  resource: 'table_lines',
  initial: ['ordered'],
  moves: {
    void: { from: ['ordered'], to: 'void' },
    split: { from: ['ordered'], to: 'split' },
  },
})

export const externalPaymentLifecycle = lifecycle({
  resource: 'table_external_payments',
  initial: ['recorded'],
  moves: { cancel: { from: ['recorded'], to: 'canceled' } },
})

export const waiterLifecycle = lifecycle({
  resource: 'waiters',
  initial: ['active'],
  moves: {
    archive: { from: ['active'], to: 'archived' },
    restore: { from: ['archived'], to: 'active' },
  },
})

export const tipPayoutLifecycle = lifecycle({
  resource: 'tip_payouts',
  initial: ['recorded'],
  moves: { cancel: { from: ['recorded'], to: 'canceled' } },
})
