import type { Declaration } from '../../src/http/declaration.ts'
import { errors } from './errors.ts'

export const area: Declaration = {
  neighbours: ['disputes', 'payments', 'payouts', 'refunds', 'transfers'],
  errors,
}
