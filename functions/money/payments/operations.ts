import { operation } from '../../../src/http/operation.ts'
import { carryOut } from './capture.ts'
import { cancel, capture } from './contract-authorization.ts'
import { resolve } from './contract-review.ts'
import { withFacts } from './operations-read.ts'
import type { PaymentOrigins } from './payment-origin.ts'
import { receiptOperation } from './receipt.ts'
import { decide } from './review.ts'

/** Needs the origins: a capture changes what was sold, and so may a second look. */
const changingOperations = (origins: PaymentOrigins) => [
  operation(capture(Object.values(origins)), (call) =>
    carryOut(call, origins, { kind: 'capture', amount: call.body.amount }),
  ),
  operation(cancel(Object.values(origins)), (call) => carryOut(call, origins, { kind: 'cancel' })),
  operation(
    resolve,
    (call) => decide(call, origins),
    ({ params, body }) => ({ payment_id: params.id, decision: body.decision }),
  ),
]

export const withOrigins = (origins: PaymentOrigins) => ({
  operations: [
    ...withFacts(Object.values(origins)).operations,
    receiptOperation(origins),
    ...changingOperations(origins),
  ],
})
