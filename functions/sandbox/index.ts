import type { Operation } from '../../src/http/operation.ts'
import type { Services } from '../../src/http/services.ts'
import type { Surfaces } from '../payments/published.ts'
import { bankOperations } from './operations-bank.ts'
import { advanceClock, getClock } from './operations-clock.ts'
import { disputeLevers } from './operations-disputes.ts'
import { oxxoOperations } from './operations-oxxo.ts'
import { refundLevers } from './operations-refunds.ts'
import { speiOperations } from './operations-spei.ts'
import { webhookLevers } from './operations-webhooks.ts'

/** Only in the sandbox: the levers of the simulated outside world. */
export const sandboxOperations = (surfacesOf: (services: Services) => Surfaces): Operation[] => [
  getClock,
  advanceClock,
  ...oxxoOperations(surfacesOf),
  ...speiOperations(surfacesOf),
  ...bankOperations(surfacesOf),
  ...disputeLevers(surfacesOf),
  ...refundLevers(surfacesOf),
  ...webhookLevers,
]
