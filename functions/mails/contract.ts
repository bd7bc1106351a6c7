import * as z from 'zod'
import { mailSuppressions } from '../../drizzle/schema/mails.ts'
import { contract, decides, reads } from '../../src/http/contract.ts'
import { one, paged, tenantId, timestamp, uuid } from '../../src/http/schemas.ts'

const Suppression = z
  .strictObject({
    id: uuid,
    object: z.literal('mail_suppression'),
    status: z
      .enum(mailSuppressions.status.enumValues)
      .describe('While it is `active` the recipient is mailed no more.'),
    reason: z
      .enum(mailSuppressions.reason.enumValues)
      .describe(
        '`hard_bounce`: the mail server refused the address for good. `complaint`: the reader called a mail unwanted. `unsubscribed`: the reader wants no reminders; other mails are sent.',
      ),
    email_hint: z
      .string()
      .nullable()
      .describe('The first letter and the domain; null where the payment has no address any more.'),
    mail_kind: z.enum(mailSuppressions.kind.enumValues).describe('The mail that caused it.'),
    payment_id: uuid.nullable().describe('The payment that the mail was about.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'MailSuppression' })

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000061',
  object: 'mail_suppression',
  status: 'active',
  reason: 'hard_bounce',
  email_hint: 'a···@example.com',
  mail_kind: 'payment_receipt',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000004',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const path = '/v1/workspace/mail-suppressions'
const tag = 'Mail suppressions'

export const list = contract({
  ...reads,
  id: 'mail_suppressions.list',
  path,
  tag,
  access: { api_key: { scopes: ['workspace:read'] }, session: { role: 'member' } },
  summary: 'List mail suppressions',
  description: 'Recipients of mails of this workspace that are mailed no more.',
  ...paged(Suppression, example, {
    tenant_id: tenantId.optional().describe('With a session: the workspace. An API key reads its own.'),
    status: z.enum(mailSuppressions.status.enumValues).optional().describe('Only what has this status.'),
    reason: z.enum(mailSuppressions.reason.enumValues).optional().describe('Only what has this reason.'),
    payment_id: uuid.optional().describe('Only of this payment.'),
  }),
})

const suppression = one(Suppression, { ...example, status: 'lifted' } as const, 'mail_suppression_not_found')

export const lift = contract({
  ...decides,
  ...suppression,
  id: 'mail_suppressions.lift',
  path: `${path}/:id/lift`,
  tag,
  summary: 'Lift a mail suppression',
  description:
    'The recipient is mailed again from the next mail on. Only for a `hard_bounce`, after the address was repaired: complaints and unsubscriptions are what a person wants.',
  access: { session: { role: 'admin' } },
  tables: ['mail_suppressions'],
  body: z.strictObject({ tenant_id: tenantId }),
  errors: [...suppression.errors, 'workspace_not_found', 'insufficient_role', 'mail_suppression_stays'],
  example: { body: { tenant_id: 'tn_demo' }, reply: { ...example, status: 'lifted' } },
})

/** A notice becomes a mail to each owner, or admin too, of its workspace. */
export const handOver = { id: 'mails.hand_over', access: { system: {} }, tables: ['mail_notices'] } as const

/** The provider has taken mails to named recipients, or they are given up or suppressed. */
export const finish = { id: 'mails.finish', access: { system: {} }, tables: ['outgoing_mails'] } as const
