import type { Operation } from '../../src/http/operation.ts'
import type { PaymentOrigins } from '../payments/api.ts'
import { bankOperations } from './operations-bank.ts'
import { advanceClock, getClock } from './operations-clock.ts'
import { disputeLevers } from './operations-disputes.ts'
import { oxxoOperations } from './operations-oxxo.ts'
import { refundLevers } from './operations-refunds.ts'
import { speiOperations } from './operations-spei.ts'
import { webhookLevers } from './operations-webhooks.ts'

/** Only in the sandbox: the levers of the simulated outside world. */
export const sandboxOperations = (origins: PaymentOrigins): Operation[] => [
  getClock,
  advanceClock,
  ...oxxoOperations(origins),
  ...speiOperations(origins),
  ...bankOperations(origins),
  ...disputeLevers(origins),
  ...refundLevers(origins),
  ...webhookLevers,
]
