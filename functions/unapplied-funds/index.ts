import type { PaymentOrigins } from '../payments/api.ts'
import {
  applyingOperations,
  getUnappliedFunds,
  listUnappliedFunds,
  refundUnappliedFunds,
} from './operations.ts'

export const withOrigins = (origins: PaymentOrigins) => ({
  operations: [listUnappliedFunds, getUnappliedFunds, refundUnappliedFunds, ...applyingOperations(origins)],
})
