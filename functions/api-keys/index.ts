import { area } from '../../src/http/mount.ts'
import { createKey, getKey, listKeys, revokeKey, rotateKey } from './operations.ts'

export const apiKeyOperations = [createKey, rotateKey, revokeKey, listKeys, getKey]
export const apiKeysArea = area(...apiKeyOperations)
