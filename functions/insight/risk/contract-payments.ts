import * as z from 'zod'
import { riskActions, riskDecisions } from '../../../drizzle/schema/risk.ts'
import { contract } from '../../../src/http/contract.ts'
import { timestamp, uuid } from '../../../src/http/schemas.ts'
import { reading, workspaceOfSession } from './contract.ts'

export const score = z.int().min(0).max(100)
export const levels = ['low', 'elevated', 'high'] as const
const decision = z
  .enum(riskDecisions)
  .describe('What your lists and rules decided: `block`, `confirm`, `review`, `allow`, or `none`.')

/** How a try is judged. */
export const judged = {
  decision,
  score: score.describe('The sum of its points, 0 to 100.'),
  level: z.enum(levels).describe('`low` below 30, `elevated` below 60, `high` from there on.'),
  points: z
    .array(
      z.strictObject({
        name: z.string().describe('What the points are for.'),
        points: z.int().describe('How many; less than zero speaks for the buyer.'),
      }),
    )
    .describe('What the score is made of.'),
  rules: z
    .array(
      z.strictObject({
        rule_id: uuid.describe('The rule that held.'),
        action: z.enum(riskActions).describe('What it would do.'),
        status: z.enum(['shadow', 'active']).describe('What it was then; one in shadow decided nothing.'),
      }),
    )
    .describe('All rules that held.'),
  list_ids: z.array(uuid).describe('The lists that named the card, the address or the customer.'),
  features: z
    .record(z.string(), z.unknown())
    .describe('What was known of the try, by the names that conditions have.'),
}

const PaymentRisk = z
  .strictObject({
    object: z.literal('payment_risk'),
    payment_id: uuid.describe('The payment that was judged.'),
    score: score.nullable().describe('Of the last try of a card; null where none was judged.'),
    level: z.enum(levels).nullable().describe('`low` below 30, `elevated` below 60, `high` from there on.'),
    decision: decision.nullable().describe('Of the last try of a card; null where none was judged.'),
    evaluations: z
      .array(
        z.strictObject({
          attempt_id: uuid.describe('The attempt.'),
          evaluated_at: timestamp.describe('When it was judged: in the moment in which it was recorded.'),
          ...judged,
        }),
      )
      .describe('How each try of a card was judged, the first one first.'),
  })
  .meta({ id: 'PaymentRisk' })

export const exampleJudged = {
  decision: 'confirm',
  score: 30,
  level: 'elevated',
  points: [
    { name: 'email_with_many_cards', points: 25 },
    { name: 'no_email', points: 5 },
  ],
  rules: [{ rule_id: '0190a6d2-7c3e-7b1a-9f00-000000000131', action: 'confirm', status: 'active' }],
  list_ids: [],
  features: { amount: '45000', currency: 'mxn', card_brand: 'visa', email_cards_day: 3 },
} as const

export const paymentRisk = contract({
  ...reading,
  id: 'payment_risk.get',
  path: '/v1/intelligence/payments/:id/risk',
  summary: 'See the risk of a payment',
  description:
    'How each card that was tried on your pages was judged, with what was known then and what your rules said, those in shadow too. Kept for 180 days. Vouchers, transfers and cards at a device are not judged: `decision` is null and `evaluations` is empty.',
  params: z.strictObject({ id: uuid }),
  notFound: 'payment_not_found',
  query: z.strictObject({ tenant_id: workspaceOfSession }),
  reply: { status: 200, schema: PaymentRisk },
  errors: ['payment_not_found'],
  example: {
    reply: {
      object: 'payment_risk',
      payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000011',
      score: 30,
      level: 'elevated',
      decision: 'confirm',
      evaluations: [
        {
          attempt_id: '0190a6d2-7c3e-7b1a-9f00-000000000012',
          evaluated_at: '2026-06-13T12:00:00.000Z',
          ...exampleJudged,
        },
      ],
    },
  },
})
