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
import type { PaymentOrigins } from './payment-origin.ts'

export const paymentOperations = (origins: PaymentOrigins) => [
  listPayments(Object.values(origins)),
  getPayment,
  listAttempts,
  listEvents,
  listJournals,
  getBalance,
  listDeposits,
  getDeposit,
  ...changingOperations(origins),
]
