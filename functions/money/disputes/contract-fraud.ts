import * as z from 'zod'
import { contract, reads } from '../../../src/http/contract.ts'
import { one, paged, timestamp, uuid } from '../../../src/http/schemas.ts'

export const FraudWarning = z
  .strictObject({
    id: uuid,
    object: z.literal('fraud_warning'),
    payment_id: uuid.describe('The payment that the buyer’s bank reported as fraud.'),
    actionable: z
      .boolean()
      .describe(
        'Whether a refund may still keep it from being disputed: it is neither disputed nor wholly refunded',
      ),
    fraud_type: z
      .string()
      .describe(
        'As the bank reports it: made_with_stolen_card, unauthorized_use_of_card, card_never_received …',
      ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'FraudWarning' })

export const exampleFraudWarning = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000009',
  object: 'fraud_warning',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
  actionable: true,
  fraud_type: 'unauthorized_use_of_card',
  created_at: '2026-06-15T12:00:00.000Z',
  updated_at: '2026-06-15T12:00:00.000Z',
} as const

export const reading = {
  ...reads,
  tag: 'Disputes',
  access: { api_key: { scopes: ['reporting:read'] } },
} as const

export const list = contract({
  ...reading,
  id: 'fraud_warnings.list',
  path: '/v1/payment-operations/fraud-warnings',
  summary: 'List fraud warnings',
  ...paged(FraudWarning, exampleFraudWarning, { payment_id: uuid.optional() }),
})

export const get = contract({
  ...reading,
  id: 'fraud_warnings.get',
  path: '/v1/payment-operations/fraud-warnings/:id',
  summary: 'Get a fraud warning',
  ...one(FraudWarning, exampleFraudWarning, 'fraud_warning_not_found'),
})

/** Records what processors report of fraud warnings. */
export const fraudOutcome = {
  id: 'fraud_warnings.outcome',
  access: { system: {} },
  tables: ['fraud_warnings'],
} as const
