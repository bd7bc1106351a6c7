import type { Declaration } from '../../src/http/declaration.ts'
import { order, view } from './contract.ts'

export const area: Declaration = {
  neighbours: [
    'digital-catalogs',
    'hosted-checkout',
    'hosted-payment',
    'inventory',
    'payment-policy',
    'payments',
  ],
  publishes: [order, view],
}
