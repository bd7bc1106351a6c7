import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { amountMessage, textOf, uuid } from '../../../src/http/schemas.ts'
import { exampleRefund, Refund } from '../../money/refunds/api-pure.ts'
import { testControl } from './contract-control.ts'

const control = testControl('refunds:write')

export const makeRefund = contract({
  ...control,
  id: 'sandbox.refunds.make',
  path: '/v1/sandbox/refunds',
  location: '/v1/refunds/:id',
  summary: 'Refund a card payment at the processor',
  description:
    'As a user of the processor’s dashboard would, outside this API: all that the processor has left of it, or `amount`. The processor notifies us as it would in live, and the refund is recorded with the `origin` `processor`. What it takes need not be available: your balance may fall below zero.',
  body: z.strictObject({
    payment_id: uuid.describe('The card payment to refund.'),
    amount: textOf(/^[1-9]\d{0,17}$/, amountMessage)
      .optional()
      .describe('Minor units; all that is left when absent'),
  }),
  reply: { status: 201, schema: Refund },
  errors: ['payment_not_found', 'payment_not_refundable', 'refund_exceeds_captured'],
  example: {
    body: { payment_id: exampleRefund.payment_id, amount: '60000' },
    reply: {
      ...exampleRefund,
      origin: 'processor',
      status: 'succeeded',
      reason: 'other',
      metadata: {},
      resolved_at: '2026-06-14T12:00:00.000Z',
    },
  },
})

export const returnRefund = contract({
  ...control,
  id: 'sandbox.refunds.return',
  path: '/v1/sandbox/refunds/:id/return',
  summary: "Let the buyer's bank send a refund back",
  description:
    'As banks do days later, when the account is closed: a refund that has `succeeded` becomes `failed`, and the amount can be refunded again. Sending it back again changes nothing.',
  params: z.strictObject({ id: uuid }),
  notFound: 'refund_not_found',
  reply: { status: 200, schema: Refund },
  errors: ['refund_not_found', 'bank_order_not_returnable'],
  example: {
    reply: {
      ...exampleRefund,
      status: 'failed',
      failure_code: 'account_closed',
      resolved_at: '2026-06-16T12:00:00.000Z',
    },
  },
})
