import type { Declaration } from '../../src/http/declaration.ts'
import { submit, view } from './contract.ts'

export const area: Declaration = {
  neighbours: ['entitlements', 'mails', 'payment-policy', 'payments'],
  publishes: [submit, view],
  secret: { buyer_details: ['email_digests'] },
}
