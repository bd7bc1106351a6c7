import {
  createKey,
  getKey,
  listKeys,
  listTransferLimits,
  revokeKey,
  rotateKey,
  setTransferLimit,
} from './operations.ts'

export const operations = [
  createKey,
  rotateKey,
  revokeKey,
  listKeys,
  getKey,
  setTransferLimit,
  listTransferLimits,
]
