import {
  approveTransfer,
  cancelTransfer,
  createTransfer,
  getTransfer,
  listIncomingTransfers,
  listTransfers,
  rejectTransfer,
} from './operations.ts'

export const transferOperations = [
  createTransfer,
  listTransfers,
  listIncomingTransfers,
  getTransfer,
  cancelTransfer,
  approveTransfer,
  rejectTransfer,
]
