import type { Declaration } from '../../../src/http/declaration.ts'
import { errors } from './errors.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/processors'], by: 'stripe.ts#stripeRoutes', given: 'origins' }],
  jobs: {
    // All refunds, also those that were made at the processor.
    refunds: { at: 20, runs: 'external-refunds.ts#reconcileRefunds', table: 'refunds' },
    refund_notifications: {
      at: 30,
      runs: 'external-refunds.ts#syncExternalRefunds',
      due: `door.has_unconfirmed('refund')`,
    },
    processor_events: {
      at: 75,
      runs: 'missed.ts#readMissed',
      due: `exists (select from public.processor_event_reads r where r.next_read_at <= $1)`,
    },
    notifications: {
      at: 80,
      runs: 'stripe.ts#handleWaiting',
      due: `exists (select from public.processor_notifications d
        where d.next_try_at <= $1 or d.received_at <= $1 - interval '30 days')`,
    },
  },
  errors,
}
