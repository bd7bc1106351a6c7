import * as z from 'zod'
import { withdrawalKinds } from '../../../drizzle/schema/push-payments.ts'
import type { Declaration } from '../../../src/http/declaration.ts'
import { uuid } from '../../../src/http/schemas.ts'
import { errors } from './errors.ts'

const refundOf = (description: string) => ({
  fields: { refund_id: uuid.describe(description) },
  example: { refund_id: '0190a6d2-7c3e-7b1a-9f00-000000000010' },
})

export const area: Declaration = {
  routes: [
    { at: ['/v1/payment-operations/unapplied-funds'], by: 'operations.ts#withOrigins', given: 'origins' },
  ],
  tags: [
    {
      at: 80,
      name: 'Unapplied funds',
      description:
        'Money that arrived by SPEI or at OXXO and belongs to no payment: too much, too late, twice, too little until the time was over, or to a CLABE that was never lent. It is `open` until all of it was applied to payments, sent back, or left the processor’s balance of its buyer, then `settled`.',
    },
  ],
  nouns: { 'unapplied-funds': 'unapplied funds' },
  appendOnly: ['unapplied_funds_applications'],
  events: {
    unapplied_funds: {
      scopes: ['reporting:read', 'refunds:read'],
      shownBy: 'unapplied_funds.get',
      types: {
        created: 'Money arrived that belongs to no open payment: too much, too late, unknown.',
        applied: {
          says: 'Unapplied funds were applied to a payment.',
          adds: {
            fields: { applied_to: uuid.describe('The payment that they were applied to.') },
            example: { applied_to: '0190a6d2-7c3e-7b1a-9f00-000000000002' },
          },
        },
        application_reversed: {
          says: 'The payment that unapplied funds were applied to ended unpaid; the amount is there again.',
          adds: {
            fields: { applied_to: uuid.describe('The payment that they were applied to.') },
            example: { applied_to: '0190a6d2-7c3e-7b1a-9f00-000000000002' },
          },
        },
        refunded: {
          says: 'An amount was taken from unapplied funds for a refund.',
          adds: refundOf('The refund that it was taken for.'),
        },
        withdrawn: {
          says: 'An amount of unapplied funds left the balance in which the processor keeps it for the buyer.',
          adds: {
            fields: {
              withdrawal: z
                .enum(withdrawalKinds)
                .describe(
                  'reversed: by the sending bank. returned: to the sender. taken: into your balance at the processor. unapplied, refilled: it made up for what the balance was below zero.',
                ),
            },
            example: { withdrawal: 'returned' },
          },
          unmade: 'the sandbox keeps no balance for a buyer',
        },
        refund_reversed: {
          says: 'A refund of unapplied funds failed, was canceled or came back; its amount is there again.',
          adds: refundOf('The refund that it came back from.'),
        },
      },
    },
  },
  errors,
  samples: {
    'unapplied_funds.apply': { other: { payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002', amount: '1' } },
  },
}
