import * as z from 'zod'
import { contract, decides } from '../../../src/http/contract.ts'
import { tenantId, uuid } from '../../../src/http/schemas.ts'
import { Attempt, exampleAttempt } from './contract.ts'

export const decisions = ['recheck', 'void_or_refund', 'settled_elsewhere'] as const

export const resolve = contract({
  ...decides,
  id: 'payments.resolve',
  path: '/v1/payment-operations/payments/:id/resolve',
  tag: 'Payments',
  summary: 'Decide what becomes of a payment under review',
  description:
    'For a payment whose attempt is `amount_mismatch`: what the processor holds or took is not what was asked for. Nothing is booked, and `review` of the attempt shows both. Spindle asks the processor again at growing intervals of up to an hour, and the payment continues once the two agree. `recheck` asks now. `void_or_refund` returns to the buyer all that the processor holds or took: an authorization is voided, a card charge refunded in full; the payment is then canceled and nothing is ever booked. Where the processor refuses to return it, the review stays open and nothing is booked by itself: after that `recheck` is the decision to go on with the payment if the two agree, unless a part went back. `settled_elsewhere` closes the review without asking the processor: you have resolved it there, nothing is owed, and the payment is canceled. Transfers that were counted towards it are unapplied funds then. The reply comes at once; read the attempts, or wait for `payment.canceled` or `payment.reversal_failed`. The step-up proof has the action `payment.resolve` and the scope `refunds:write`; its params_hash is over {payment_id: the path id, decision}.',
  access: { session: { role: 'admin', stepUp: { action: 'payment.resolve', scope: 'refunds:write' } } },
  tables: ['payments', 'payment_attempts', 'vouchers', 'clabes', 'unapplied_funds'],
  params: z.strictObject({ id: uuid }),
  notFound: 'payment_not_found',
  body: z.strictObject({
    tenant_id: tenantId,
    decision: z.enum(decisions).describe('Whose numbers hold, and what becomes of the money.'),
  }),
  reply: { status: 200, schema: Attempt },
  errors: [
    'payment_not_found',
    'payment_not_under_review',
    'payment_change_in_progress',
    'void_or_refund_unavailable',
    'payments_not_configured',
    'workspace_not_found',
    'insufficient_role',
  ],
  example: {
    body: { tenant_id: 'tn_demo', decision: 'void_or_refund' },
    reply: {
      ...exampleAttempt,
      status: 'amount_mismatch',
      review: {
        status: 'reversing',
        resolution: null,
        ours: { amount: '120000', currency: 'mxn' },
        theirs: { status: 'captured', amount: '120001', currency: 'mxn' },
        void_or_refund_failure: null,
      },
      resolved_at: null,
    },
  },
})
