import * as z from 'zod'
import {
  dropReasons,
  mailSuppressions,
  outgoingMails,
  suppressionReasons,
} from '../../../drizzle/schema/mails.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import { one, paged, tenantId, timestamp, uuid } from '../../../src/http/schemas.ts'

const Suppression = z
  .strictObject({
    id: uuid,
    object: z.literal('mail_suppression'),
    status: z
      .enum(mailSuppressions.status.enumValues)
      .describe('`active`: we send this recipient no mails. `lifted`: we mail it again.'),
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
  description: 'Recipients to whom mails of this workspace are no longer sent, each with the reason.',
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

const Mail = z
  .strictObject({
    id: uuid,
    object: z.literal('mail'),
    kind: z.enum(outgoingMails.kind.enumValues).describe('The kind of mail.'),
    status: z
      .enum(outgoingMails.status.enumValues)
      .describe(
        '`waiting`: not handed over yet. `sent`: the provider has it. `dropped`: we held it back. `suppressed`: its recipient wants none, or cannot be reached. `given_up`: the provider did not take it in time.',
      ),
    dropped_for: z
      .enum(dropReasons)
      .nullable()
      .describe(
        'Why we held it back. `email_not_confirmed`: no owner of the workspace has confirmed an address. `recipient_form`: an address that we do not send to. `recipient_limit`: its mailbox got ten of the same cause from you within an hour, or thirty in all, or forty reports of yours within a day. `network_limit`: forms of one network caused too many within an hour. `workspace_limit`, `account_limit`: what a workspace, or its owners’ workspaces together, may send in a day; more once we have reviewed it.',
      ),
    suppressed_for: z.enum(suppressionReasons).nullable().describe('Why we no longer mail its recipient.'),
    report: z
      .enum(outgoingMails.report.enumValues)
      .nullable()
      .describe('What the provider reported after it was sent.'),
    payment_id: uuid.nullable().describe('The payment that it is about.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Mail' })

const exampleMail = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000095',
  object: 'mail',
  kind: 'payment_link',
  status: 'dropped',
  dropped_for: 'recipient_limit',
  suppressed_for: null,
  report: null,
  payment_id: null,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const readsMails = {
  ...reads,
  tag,
  access: { api_key: { scopes: ['workspace:read'] }, session: { role: 'member' } },
} as const
const ofWorkspace = tenantId.optional().describe('With a session: the workspace. An API key reads its own.')

export const listMails = contract({
  ...readsMails,
  id: 'mails.list',
  path: '/v1/workspace/mails',
  summary: 'List mails',
  description:
    'Mails to buyers and to people who are invited, newest first, with what became of each and why one was held back. They are kept for thirty days, and name no recipient.',
  ...paged(Mail, exampleMail, {
    tenant_id: ofWorkspace,
    kind: z.enum(outgoingMails.kind.enumValues).optional().describe('Only of this kind.'),
    status: z.enum(outgoingMails.status.enumValues).optional().describe('Only what has this status.'),
    dropped_for: z.enum(dropReasons).optional().describe('Only what was held back for this reason.'),
    payment_id: uuid.optional().describe('Only about this payment.'),
  }),
})

export const getMail = contract({
  ...readsMails,
  ...one(Mail, exampleMail, 'mail_not_found'),
  id: 'mails.get',
  path: '/v1/workspace/mails/:id',
  summary: 'Get a mail',
  query: z.strictObject({ tenant_id: ofWorkspace }),
})

/** A notice becomes a mail to each owner, or admin too, of its workspace. */
export const handOver = { id: 'mails.hand_over', access: { system: {} }, tables: ['mail_notices'] } as const

/** The provider has taken mails to named recipients, or they are given up or suppressed. */
export const finish = {
  id: 'mails.finish',
  access: { system: {} },
  tables: ['memberships', 'outgoing_mails'],
} as const
