import { attestationOperations } from '../attestation/api.ts'
import { configurationOperations } from '../configurations/api.ts'
import { deviceOperations } from '../devices/api.ts'
import { tapToPayOperations } from '../tap-to-pay/api.ts'
import { operations as ofReaders } from './operations.ts'
import { operations as ofActions } from './operations-actions.ts'
import { operations as ofReceipts } from './operations-receipt.ts'

/** All that is asked of devices, and by them. */
export const operations = [
  ...deviceOperations,
  ...configurationOperations,
  ...ofReaders,
  ...ofActions,
  ...ofReceipts,
  ...tapToPayOperations,
  ...attestationOperations,
]
