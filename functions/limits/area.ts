import type { Declaration } from '../../src/http/declaration.ts'

export const area: Declaration = {
  neighbours: ['api-keys', 'bank-orders', 'payment-policy', 'payments', 'payouts', 'processors', 'webhooks'],
}
