import * as z from 'zod'
import { apiKey, contract } from '../../src/http/contract.ts'
import { uuid } from '../../src/http/schemas.ts'
import { exampleRefund, Refund } from '../refunds/published-pure.ts'

export const returnRefund = contract({
  id: 'sandbox.refunds.return',
  method: 'POST',
  path: '/v1/sandbox/refunds/:id/return',
  tag: 'Sandbox',
  only: 'sandbox',
  summary: "Let the buyer's bank send a refund back",
  description:
    'As banks do days later, when the account is closed: a refund that has `succeeded` becomes `failed`, and the amount can be refunded again. Sending it back again changes nothing.',
  access: apiKey('refunds:write'),
  tables: [],
  idempotency: 'required',
  rate: 'write',
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
