import * as z from 'zod'
import { riskReviews } from '../../../drizzle/schema/risk.ts'
import { contract, originTables } from '../../../src/http/contract.ts'
import { exampleOf, shown } from '../../../src/http/contract-resource.ts'
import {
  currency,
  freeText,
  minorString,
  one,
  paged,
  tenantId,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { deciding, exampleAuthor, ofSession, reading, workspaceOfSession } from './contract.ts'
import { levels, score } from './contract-payments.ts'

const path = '/v1/intelligence/reviews'

const RiskReview = shown('risk_review', {
  status: z
    .enum(riskReviews.status.enumValues)
    .describe(
      '`open` waits for a decision. `approved` and `rejected` were decided. `refunded`: all that was left is refunded without a decision, or its authorization canceled; a refund that is canceled or fails opens it again. `expired`: the authorization lapsed.',
    ),
  payment_id: uuid.describe('The payment that is reviewed; its risk says why.'),
  attempt_id: uuid.describe('The attempt that your rules or lists sent to review.'),
  amount: minorString.describe('What was authorized or taken, in minor units.'),
  currency,
  score: score.describe('The sum of the points of that attempt, 0 to 100.'),
  level: z.enum(levels).describe('`low` below 30, `elevated` below 60, `high` from there on.'),
  expires_at: timestamp
    .nullable()
    .describe(
      'When the authorization lapses, and the review with it. Null once the money is taken: what is captured does not lapse, and the review waits.',
    ),
  note: z
    .string()
    .nullable()
    .describe(
      'What was said with the decision. Null without it, and in replies to changes: these are kept for a time.',
    ),
  decided_by: z
    .strictObject({
      user_id: z.string().describe('The id of their account.'),
      email: z.string().describe('Their e-mail address at that time.'),
    })
    .nullable()
    .describe('Who approved or rejected it; null where nobody did.'),
  ended_at: timestamp.nullable().describe('When it ended; null while it is open.'),
}).meta({ id: 'RiskReview' })

const exampleOpen = exampleOf('risk_review', '0190a6d2-7c3e-7b1a-9f00-000000000171', {
  status: 'open',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000011',
  attempt_id: '0190a6d2-7c3e-7b1a-9f00-000000000012',
  amount: '45000',
  currency: 'mxn',
  score: 30,
  level: 'elevated',
  expires_at: '2026-06-20T12:00:00.000Z',
  note: null,
  decided_by: null,
  ended_at: null,
})
const exampleEnded = {
  ...exampleOpen,
  decided_by: exampleAuthor,
  ended_at: '2026-06-13T12:05:00.000Z',
  version: 2,
}
const exampleBody = { tenant_id: 'tn_demo', note: 'Called the buyer: it is her card.' }

export const list = contract({
  ...reading,
  id: 'risk_reviews.list',
  path,
  summary: 'List reviews',
  ...paged(RiskReview, exampleOpen, {
    tenant_id: workspaceOfSession,
    status: z.enum(riskReviews.status.enumValues).optional().describe('Only what has this status.'),
  }),
})

export const get = contract({
  ...reading,
  id: 'risk_reviews.get',
  path: `${path}/:id`,
  summary: 'Get a review',
  versioned: true,
  ...one(RiskReview, exampleOpen, 'risk_review_not_found'),
  query: z.strictObject({ tenant_id: workspaceOfSession }),
})

const ending = {
  ...deciding,
  params: z.strictObject({ id: uuid }),
  notFound: 'risk_review_not_found',
  versioned: true,
  body: z.strictObject({
    tenant_id: tenantId,
    note: freeText(500).trim().min(1).optional().describe('Why, for those who answer the buyer.'),
  }),
  reply: { status: 200, schema: RiskReview },
} as const
const onReview = ['risk_review_not_found', ...ofSession, 'risk_review_ended'] as const

export const approve = contract({
  ...ending,
  id: 'risk_reviews.approve',
  path: `${path}/:id/approve`,
  summary: 'Approve a payment under review',
  description:
    'The review ends, and the payment stays as it is: an authorization is captured by you, as ever.',
  tables: ['risk_reviews'],
  errors: [...onReview],
  example: { body: exampleBody, reply: { ...exampleEnded, status: 'approved' } },
})

export const reject = contract({
  ...ending,
  id: 'risk_reviews.reject',
  path: `${path}/:id/reject`,
  summary: 'Reject a payment under review',
  description:
    'The review ends and the money goes back: an authorization is canceled; of a captured payment all that is left is refunded, as `fraudulent`. The reply confirms that both are recorded; `payment.canceled`, or `refund.succeeded`, `refund.failed` or `refund.canceled` of one that waited for your balance, reports the result: the review stays rejected, and a refund can be made again as any. The step-up proof has the action `risk_review.reject` and the scope `refunds:write`; its params_hash is over {review_id}.',
  access: { session: { role: 'admin', stepUp: { action: 'risk_review.reject', scope: 'refunds:write' } } },
  tables: [
    'risk_reviews',
    'payments',
    'payment_attempts',
    originTables,
    'refunds',
    'ledger_journals',
    'outgoing_mails',
  ],
  errors: [
    ...onReview,
    'risk_review_nothing_left',
    'payment_change_in_progress',
    'payment_under_review',
    'refund_blocked_by_dispute',
    'refund_unavailable',
    'refund_window_closed',
    'payments_not_configured',
  ],
  example: { body: { tenant_id: 'tn_demo' }, reply: { ...exampleEnded, status: 'rejected' } },
})

/** Publishes what triggers changed. */
export const announce = {
  id: 'risk_reviews.announce',
  access: { system: {} },
  tables: ['risk_reviews'],
} as const
