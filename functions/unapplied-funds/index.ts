import type { Services } from '../../src/http/services.ts'
import type { PaymentOrigins } from '../payments/api.ts'
import {
  applyingOperations,
  getUnappliedFunds,
  listUnappliedFunds,
  refundUnappliedFunds,
} from './operations.ts'

export const withOrigins = (originsOf: (services: Services) => PaymentOrigins) => ({
  operations: [listUnappliedFunds, getUnappliedFunds, refundUnappliedFunds, ...applyingOperations(originsOf)],
})
