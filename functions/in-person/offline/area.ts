import type { Declaration } from '../../../src/http/declaration.ts'
import { announce, batchMax } from './contract.ts'
import { errors } from './errors.ts'
import { offlinePaymentLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  routes: [
    {
      at: ['/v1/terminal/offline-payments', '/v1/device/offline-payments'],
      by: 'operations.ts#operations',
    },
  ],
  nouns: { 'offline-payments': 'offline payment' },
  publishes: [announce],
  jobs: {
    offline_payments: {
      at: 13,
      runs: 'operations.ts#announceOffline',
      table: 'offline_payments',
      due: 'd.announced_at is null',
      firstBy: 'updated_at',
    },
  },
  appendOnly: ['offline_losses'],
  lookedUp: ['offline_payments'],
  personalData: {
    offline_allowances: { columns: [], impersonal: 'signing_key' },
    offline_payments: { columns: [], impersonal: 'device_payment_id' },
  },
  deadlines: [{ table: 'offline_allowances', columns: ['takes_until'] }],
  lifecycles: [offlinePaymentLifecycle],
  events: {
    offline_payment: {
      scopes: ['terminal:read'],
      shownBy: 'offline_payments.get',
      types: {
        created: {
          says: 'A reader has forwarded what it had stored.',
          unmade: 'a reader signs what it has stored',
        },
        refused: {
          says: 'What a reader had stored was not taken: nobody was charged.',
          unmade: 'a reader sends what it has stored',
        },
        succeeded: {
          says: 'What a reader had stored is paid.',
          unmade: 'a reader signs what it has stored',
        },
        declined: {
          says: 'The card that a reader had stored was declined: your loss.',
          unmade: 'a reader signs what it has stored',
        },
        canceled: {
          says: 'The processor has canceled what a reader had stored: your loss.',
          unmade: 'a reader signs what it has stored',
        },
        unknown: {
          says: 'The processor has not said how what a reader had stored ended.',
          unmade: 'a reader signs what it has stored',
        },
      },
    },
  },
  errors,
  limits: {
    offline_batch: { most: batchMax, unit: 'count', says: 'The payments that a reader forwards at once.' },
  },
  constraints: {
    offline_payments_one: 'stale',
    offline_payments_sequence: 'stale',
    offline_payments_allowed: 'stale',
    offline_allowances_kept: 'stale',
    offline_allowances_one: 'stale',
  },
}
