import { area } from '../../src/http/mount.ts'
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
export const apiKeysArea = area(...apiKeyOperations)
