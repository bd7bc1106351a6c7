import * as z from 'zod'
import { contract, decides } from '../../../src/http/contract.ts'
import { tenantId, uuid } from '../../../src/http/schemas.ts'
import { exampleRefund, Refund } from './contract.ts'

export const resolve = contract({
  ...decides,
  id: 'refunds.resolve',
  path: '/v1/refunds/:id/resolve',
  tag: 'Refunds',
  summary: 'Decide what became of a refund under review',
  description:
    'For a refund with the failure_code `amount_mismatch` that is `processing`: the processor reports another amount or currency than was sent, and `review` shows both. Spindle asks again at growing intervals of up to an hour, and the refund succeeds or fails once the result is clear. `recheck` asks now. `succeeded` and `failed` record what you have learned at the processor: the books follow our amount, which the buyer has, or which can be refunded again. Likewise for one that was made at the processor and is `amount_mismatch`, of which nothing is booked: `recheck` asks within the minute and books it also out of what a dispute took meanwhile, `succeeded` books it if the payment now covers it and is of its currency, `failed` closes it without booking anything: you have resolved it there. The step-up proof has the action `refund.resolve` and the scope `refunds:write`; its params_hash is over {refund_id: the path id, decision}.',
  access: { session: { role: 'admin', stepUp: { action: 'refund.resolve', scope: 'refunds:write' } } },
  tables: ['refunds', 'payments', 'unapplied_funds', 'ledger_journals', 'outgoing_mails'],
  params: z.strictObject({ id: uuid }),
  notFound: 'refund_not_found',
  body: z.strictObject({
    tenant_id: tenantId,
    decision: z
      .enum(['recheck', 'succeeded', 'failed'])
      .describe('Whether to ask the processor again, or how it ended.'),
  }),
  reply: { status: 200, schema: Refund },
  errors: [
    'refund_not_found',
    'refund_not_under_review',
    'refund_exceeds_captured',
    'refund_currency_mismatch',
    'workspace_not_found',
    'insufficient_role',
  ],
  example: {
    body: { tenant_id: 'tn_demo', decision: 'succeeded' },
    reply: {
      ...exampleRefund,
      status: 'succeeded',
      review: {
        ours: { amount: '60000', currency: 'mxn' },
        theirs: { amount: '60001', currency: 'mxn' },
      },
      resolved_at: '2026-06-14T13:00:00.000Z',
    },
  },
})
