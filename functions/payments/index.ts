import { area } from '../../src/http/mount.ts'
import { getBalance, getPayment, listAttempts, listEvents, listJournals, listPayments } from './operations.ts'

export const paymentOperations = [
  listPayments,
  getPayment,
  listAttempts,
  listEvents,
  listJournals,
  getBalance,
]
export const paymentsArea = area(...paymentOperations)
