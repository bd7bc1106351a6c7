import {
  approveTransfer,
  cancelTransfer,
  createTransfer,
  getTransfer,
  listIncomingTransfers,
  listTransfers,
  rejectTransfer,
} from './operations.ts'

export const operations = [
  createTransfer,
  listTransfers,
  listIncomingTransfers,
  getTransfer,
  cancelTransfer,
  approveTransfer,
  rejectTransfer,
]
