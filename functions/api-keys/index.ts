import {
  createKey,
  getKey,
  listKeys,
  listTransferLimits,
  revokeKey,
  rotateKey,
  setTransferLimit,
} from './operations.ts'

export const apiKeyOperations = [
  createKey,
  rotateKey,
  revokeKey,
  listKeys,
  getKey,
  setTransferLimit,
  listTransferLimits,
]
