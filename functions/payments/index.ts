import type { Services } from '../../src/http/services.ts'
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
import type { Surfaces } from './record.ts'

export const paymentOperations = (surfacesOf: (services: Services) => Surfaces) => [
  listPayments,
  getPayment,
  listAttempts,
  listEvents,
  listJournals,
  getBalance,
  listDeposits,
  getDeposit,
  ...changingOperations(surfacesOf),
]
