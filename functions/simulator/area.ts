import type { Declaration } from '../../src/http/declaration.ts'

export const area: Declaration = {
  neighbours: ['hosted-payment', 'payments'],
}
