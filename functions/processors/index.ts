import type { Operation } from '../../src/http/operation.ts'
import { listCredentials, updateCredentials } from './operations.ts'

export const operations: readonly Operation[] = [updateCredentials, listCredentials]
