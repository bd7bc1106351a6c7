import type { Operation } from '../../src/http/operation.ts'
import {
  cancelPayout,
  createPayout,
  getPayout,
  listBalanceActivity,
  listPayoutEntries,
  listPayoutSettings,
  listPayouts,
  updatePayoutSettings,
} from './operations.ts'

export const operations: readonly Operation[] = [
  listPayoutSettings,
  updatePayoutSettings,
  createPayout,
  listPayouts,
  getPayout,
  listPayoutEntries,
  cancelPayout,
  listBalanceActivity,
]
