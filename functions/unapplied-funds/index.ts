import type { PaymentOrigins } from '../payments/api.ts'
import {
  applyingOperations,
  getUnappliedFunds,
  listUnappliedFunds,
  refundUnappliedFunds,
} from './operations.ts'

export const unappliedFundsOperations = (origins: PaymentOrigins) => [
  listUnappliedFunds,
  getUnappliedFunds,
  refundUnappliedFunds,
  ...applyingOperations(origins),
]
