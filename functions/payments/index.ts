import {
  changingOperations,
  getBalance,
  getDeposit,
  getPayment,
  listAttempts,
  listDeposits,
  listEvents,
  listJournals,
  listPayments,
} from './operations.ts'
import type { PaymentOrigins } from './payment-origin.ts'

export const withOrigins = (origins: PaymentOrigins) => ({
  operations: [
    listPayments(Object.values(origins)),
    getPayment,
    listAttempts,
    listEvents,
    listJournals,
    getBalance,
    listDeposits,
    getDeposit,
    ...changingOperations(origins),
  ],
})
