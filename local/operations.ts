import { sweep as sweepApiKeys } from '../functions/api-keys/contract.ts'
import { outcome as disputeOutcome } from '../functions/disputes/contract.ts'
import { submit, view } from '../functions/hosted-payment/contract.ts'
import { sweep as sweepLinks } from '../functions/payment-links/contract.ts'
import { deposit, outcome, settle } from '../functions/payments/contract.ts'
import { schedule as payOut, outcome as payoutOutcome } from '../functions/payouts/contract.ts'
import { reseal as resealCredentials } from '../functions/processors/contract.ts'
import { outcome as refundOutcome } from '../functions/refunds/contract.ts'
import { receive as receiveTransfer, outcome as transferOutcome } from '../functions/transfers/contract.ts'
import {
  record as recordWebhooks,
  recoverySteps,
  reseal as resealSecrets,
} from '../functions/webhooks/contract.ts'
import { areas } from '../src/app.ts'
import type { Publishing } from '../src/http/contract.ts'
import type { Operation } from '../src/http/operation.ts'

// Only for tools and tests: the Worker loads each area with its first request.

const loaded = await Promise.all(areas.map(({ load }) => load()))

/** Every operation of the interface. Rights in the database, OpenAPI and the test matrix read this list. */
export const operations: readonly Operation[] = loaded.flatMap((each) => ('length' in each ? each : []))

/** Publishes that are not operations of the interface: buyers' pages and scheduled work. */
export const inner: readonly Publishing[] = [
  view,
  submit,
  outcome,
  deposit,
  settle,
  refundOutcome,
  disputeOutcome,
  transferOutcome,
  payoutOutcome,
  payOut,
  receiveTransfer,
  resealCredentials,
  sweepApiKeys,
  sweepLinks,
  recordWebhooks,
  recoverySteps,
  resealSecrets,
]
