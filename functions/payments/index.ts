import type { Services } from '../../src/http/services.ts'
import type { PaymentOrigins } from './apply-result.ts'
import {
  changingOperations,
  getBalance,
  getPayment,
  listAttempts,
  listEvents,
  listJournals,
  listPayments,
} from './operations.ts'
import { getDeposit, listDeposits } from './operations-deposits.ts'

export const withOrigins = (originsOf: (services: Services) => PaymentOrigins) => ({
  operations: [
    listPayments,
    getPayment,
    listAttempts,
    listEvents,
    listJournals,
    getBalance,
    listDeposits,
    getDeposit,
    ...changingOperations(originsOf),
  ],
})
