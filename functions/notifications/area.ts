import type { Declaration } from '../../src/http/declaration.ts'
import { errors } from './errors.ts'

export const area: Declaration = {
  neighbours: ['disputes', 'payments', 'payouts', 'refunds', 'transfers'],
  jobs: {
    // All refunds, also those that were made at the processor.
    refunds: { at: 20, runs: 'external-refunds.ts#reconcileRefunds', table: 'refunds' },
    refund_notifications: { at: 30, runs: 'external-refunds.ts#syncExternalRefunds' },
    notifications: { at: 80, runs: 'stripe.ts#handleWaiting' },
  },
  errors,
}
