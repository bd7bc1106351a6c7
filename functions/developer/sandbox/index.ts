import type { PaymentOrigins } from '../../money/payments/api.ts'
import { bankOperations } from './operations-bank.ts'
import { advanceClock, getClock } from './operations-clock.ts'
import { disputeOperations } from './operations-disputes.ts'
import { inPersonOperations } from './operations-in-person.ts'
import { oxxoOperations } from './operations-oxxo.ts'
import { refundOperations } from './operations-refunds.ts'
import { speiOperations } from './operations-spei.ts'
import { webhookOperations } from './operations-webhooks.ts'

/** Only in the sandbox: test controls of the simulated outside world. */
export const withOrigins = (origins: PaymentOrigins) => ({
  operations: [
    getClock,
    advanceClock,
    ...oxxoOperations(origins),
    ...speiOperations(origins),
    ...bankOperations(origins),
    ...disputeOperations(origins),
    ...refundOperations(origins),
    ...inPersonOperations(origins),
    ...webhookOperations,
  ],
})
