import type { Services } from '../../src/http/services.ts'
import type { Surfaces } from '../payments/published.ts'
import {
  applyingOperations,
  getUnappliedFunds,
  listUnappliedFunds,
  refundUnappliedFunds,
} from './operations.ts'

export const unappliedFundsOperations = (surfacesOf: (services: Services) => Surfaces) => [
  listUnappliedFunds,
  getUnappliedFunds,
  refundUnappliedFunds,
  ...applyingOperations(surfacesOf),
]
