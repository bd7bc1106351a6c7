import type { Declaration } from '../../src/http/declaration.ts'

export const area: Declaration = {
  neighbours: ['payment-links', 'payments'],
}
