import {
  approveRefund,
  cancelRefund,
  createRefund,
  getRefund,
  listRefunds,
  rejectRefund,
  resolveRefund,
  setRefundDestination,
} from './operations.ts'

export const operations = [
  createRefund,
  listRefunds,
  getRefund,
  cancelRefund,
  setRefundDestination,
  approveRefund,
  rejectRefund,
  resolveRefund,
]
