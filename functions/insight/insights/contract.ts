import * as z from 'zod'
import { declineCodes } from '../../../drizzle/schema/declines.ts'
import { insightKinds, insights } from '../../../drizzle/schema/insights.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import { exampleOf, shown } from '../../../src/http/contract-resource.ts'
import { one, paged, tenantId, timestamp, uuid } from '../../../src/http/schemas.ts'

const path = '/v1/intelligence/insights'
const count = z.int().min(0)

const reading = {
  ...reads,
  tag: 'Intelligence',
  access: { api_key: { scopes: ['intelligence:read'] }, session: { role: 'member' } },
} as const
const workspaceOfSession = tenantId
  .optional()
  .describe('With a session: the workspace. An API key reads its own.')

const Insight = shown('insight', {
  status: z
    .enum(insights.status.enumValues)
    .describe(
      '`open` is going on. `acknowledged`: a member has seen it. `resolved`: it was over for three hours. `dismissed`: a member said that it is none.',
    ),
  kind: z
    .enum(insightKinds)
    .describe(
      'What is unusual: fewer or more payments, or cards declined, or first deliveries to webhook endpoints failed, in an hour; more refunds, disputes or failed payouts in a day.',
    ),
  advice: z
    .strictObject({ es: z.string().describe('In Spanish.'), en: z.string().describe('In English.') })
    .describe('What you can do.'),
  evidence: z
    .strictObject({
      begins_at: timestamp.describe('The beginning of the hour or the day in which it began.'),
      ends_at: timestamp.describe('The end of that.'),
      count: count.describe('How many there were.'),
      of_count: count.nullable().describe('Of how many; null where the count stands by itself.'),
      expected_count: count.describe(
        'The median of the same hours of the weeks before, in proportion to `of_count` where there is one; half up.',
      ),
      spread_count: count.describe(
        'How far the weeks are from that: 1.4826 times the median deviation, at least the square root of the median; half up. More than four of it are unusual.',
      ),
      weeks_count: count.describe('How many weeks it is compared with: four to eight, without holidays.'),
      decline_code: z
        .enum(declineCodes)
        .nullable()
        .describe('Why most of the cards were declined; null of other kinds.'),
    })
    .describe('What it was opened for.'),
  answered_by: z
    .strictObject({
      user_id: z.string().describe('The id of their account.'),
      email: z.string().describe('Their e-mail address at that time.'),
    })
    .nullable()
    .describe('Who acknowledged or dismissed it last.'),
  ended_at: timestamp.nullable().describe('When it was resolved or dismissed.'),
}).meta({ id: 'Insight' })

const exampleOpen = exampleOf('insight', '0190a6d2-7c3e-7b1a-9f00-000000000181', {
  status: 'open',
  kind: 'cards_declined',
  advice: {
    es: 'Mira en los rechazos por qué: si son muchas tarjetas distintas, alguien las está probando.',
    en: 'See the declines for the reason: many different cards mean that somebody is trying them out.',
  },
  evidence: {
    begins_at: '2026-06-13T10:00:00.000Z',
    ends_at: '2026-06-13T11:00:00.000Z',
    count: 41,
    of_count: 60,
    expected_count: 8,
    spread_count: 3,
    weeks_count: 8,
    decline_code: 'card_declined',
  },
  answered_by: null,
  ended_at: null,
})
const answered = {
  ...exampleOpen,
  answered_by: { user_id: 'usr_0190a6d2', email: 'ana@cafeazul.example' },
  version: 2,
}

export const list = contract({
  ...reading,
  id: 'insights.list',
  path,
  summary: 'List insights',
  description:
    'Each hour of yours is compared with the same hours of up to eight weeks, from the fifth week of a workspace on. What your own rules block is not counted.',
  ...paged(Insight, exampleOpen, {
    tenant_id: workspaceOfSession,
    status: z.enum(insights.status.enumValues).optional().describe('Only what has this status.'),
  }),
})

export const get = contract({
  ...reading,
  id: 'insights.get',
  path: `${path}/:id`,
  summary: 'Get an insight',
  versioned: true,
  ...one(Insight, exampleOpen, 'insight_not_found'),
  query: z.strictObject({ tenant_id: workspaceOfSession }),
})

const answering = {
  ...decides,
  tag: 'Intelligence',
  access: { session: { role: 'admin' } },
  params: z.strictObject({ id: uuid }),
  notFound: 'insight_not_found',
  versioned: true,
  body: z.strictObject({ tenant_id: tenantId }),
  reply: { status: 200, schema: Insight },
  tables: ['insights'],
} as const
const onInsight = ['insight_not_found', 'workspace_not_found', 'insufficient_role', 'insight_ended'] as const

export const acknowledge = contract({
  ...answering,
  id: 'insights.acknowledge',
  path: `${path}/:id/acknowledge`,
  summary: 'Acknowledge an insight',
  description: 'The other members see that somebody looks at it. It still ends by itself.',
  errors: [...onInsight, 'insight_acknowledged'],
  example: { body: { tenant_id: 'tn_demo' }, reply: { ...answered, status: 'acknowledged' } },
})

export const dismiss = contract({
  ...answering,
  id: 'insights.dismiss',
  path: `${path}/:id/dismiss`,
  summary: 'Dismiss an insight',
  description: 'It ends. As long as the same goes on, no other insight opens for it.',
  errors: [...onInsight],
  example: {
    body: { tenant_id: 'tn_demo' },
    reply: { ...answered, status: 'dismissed', ended_at: '2026-06-13T12:05:00.000Z' },
  },
})

/** Counts the hours that are over, and opens and ends insights. */
export const watching = {
  id: 'insights.watch',
  access: { system: {} },
  tables: ['insights', 'insight_hours', 'insight_watches'],
} as const
