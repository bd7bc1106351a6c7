import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { amountMessage, textOf, uuid } from '../../../src/http/schemas.ts'
import { Dispute, exampleDispute, exampleFraudWarning, FraudWarning } from '../../money/disputes/api-pure.ts'
import { testControl } from './contract-control.ts'

const reasons = [
  'fraudulent',
  'product_not_received',
  'product_unacceptable',
  'duplicate',
  'credit_not_processed',
  'general',
] as const

const control = testControl('refunds:write')

export const open = contract({
  ...control,
  id: 'sandbox.disputes.open',
  path: '/v1/sandbox/disputes',
  location: '/v1/payment-operations/disputes/:id',
  summary: 'Let a buyer dispute a card payment',
  description:
    'The simulated bank claims all of it, or `amount`, and the processor notifies us as it would in live. The card `tok_sbx_dispute_next_day` does so automatically a day after it was charged.',
  body: z.strictObject({
    payment_id: uuid.describe('The card payment to dispute.'),
    amount: textOf(/^[1-9]\d{0,17}$/, amountMessage)
      .optional()
      .describe('Minor units; all of it when absent, and never more'),
    reason: z.enum(reasons).default('fraudulent').describe('What the buyer tells the bank.'),
    inquiry: z
      .boolean()
      .default(false)
      .describe('Whether the bank only asks for now: an inquiry, which moves no money'),
  }),
  reply: { status: 201, schema: Dispute },
  errors: ['payment_not_found', 'payment_not_disputable'],
  example: { body: { payment_id: exampleDispute.payment_id }, reply: exampleDispute },
})

export const resolve = contract({
  ...control,
  id: 'sandbox.disputes.resolve',
  path: '/v1/sandbox/disputes/:id/resolve',
  summary: 'Decide a dispute as the buyer’s bank',
  description: 'Once; the processor notifies us as it would in live. A bank may reopen it: see `reconsider`.',
  params: z.strictObject({ id: uuid }),
  notFound: 'dispute_not_found',
  body: z.strictObject({
    outcome: z.enum(['won', 'lost']).describe('What the bank decides, seen from you.'),
  }),
  reply: { status: 200, schema: Dispute },
  errors: ['dispute_not_found', 'dispute_over', 'dispute_is_inquiry'],
  example: {
    body: { outcome: 'won' },
    reply: { ...exampleDispute, status: 'won', resolved_at: '2026-06-16T12:00:00.000Z' },
  },
})

export const endInquiry = contract({
  ...control,
  id: 'sandbox.disputes.end_inquiry',
  path: '/v1/sandbox/disputes/:id/inquiry',
  summary: 'End an inquiry as the buyer’s bank',
  description:
    'The bank closes the inquiry (`closed`), or disputes the payment after all (`disputed`): the inquiry becomes the dispute. The processor notifies us as it would in live.',
  params: z.strictObject({ id: uuid }),
  notFound: 'dispute_not_found',
  body: z.strictObject({ outcome: z.enum(['closed', 'disputed']).describe('What the bank does.') }),
  reply: { status: 200, schema: Dispute },
  errors: ['dispute_not_found', 'dispute_not_inquiry'],
  example: { body: { outcome: 'disputed' }, reply: exampleDispute },
})

export const reconsider = contract({
  ...control,
  id: 'sandbox.disputes.reconsider',
  path: '/v1/sandbox/disputes/:id/reconsider',
  summary: 'Come back to a decided dispute as the buyer’s bank',
  description:
    'What was `won` or `lost` is asked about again (`needs_response`, with seven days for evidence), looked at again (`under_review`), or decided the other way, as by pre-arbitration, arbitration or a corrected report. The processor notifies us as it would in live. When it is open again, `resolve` decides it.',
  params: z.strictObject({ id: uuid }),
  notFound: 'dispute_not_found',
  body: z.strictObject({
    status: z
      .enum(['needs_response', 'under_review', 'won', 'lost'])
      .describe('Where it stands from now on.'),
  }),
  reply: { status: 200, schema: Dispute },
  errors: ['dispute_not_found', 'dispute_not_decided'],
  example: { body: { status: 'needs_response' }, reply: exampleDispute },
})

/** Stripe's: https://docs.stripe.com/api/radar/early_fraud_warnings/object */
const fraudTypes = [
  'card_never_received',
  'fraudulent_card_application',
  'made_with_counterfeit_card',
  'made_with_lost_card',
  'made_with_stolen_card',
  'misc',
  'unauthorized_use_of_card',
] as const

export const warn = contract({
  ...control,
  id: 'sandbox.fraud_warnings.open',
  path: '/v1/sandbox/fraud-warnings',
  location: '/v1/payment-operations/fraud-warnings/:id',
  summary: 'Let a buyer’s bank report a card payment as fraud',
  description:
    'No money moves. The warning is `actionable` until the payment is disputed or wholly refunded, of which the processor notifies us as it would in live.',
  body: z.strictObject({
    payment_id: uuid.describe('The card payment to report.'),
    fraud_type: z.enum(fraudTypes).default('unauthorized_use_of_card').describe('What the bank reports.'),
  }),
  reply: { status: 201, schema: FraudWarning },
  errors: ['payment_not_found', 'payment_not_disputable'],
  example: { body: { payment_id: exampleFraudWarning.payment_id }, reply: exampleFraudWarning },
})
