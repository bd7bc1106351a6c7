import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import {
  mailNoticeLifecycle,
  mailSuppressionLifecycle,
  outgoingMailLifecycle,
} from '../../functions/account/mails/lifecycle.ts'
import { noticeKinds, outgoingMailKinds } from '../../src/generated/mail-kinds.ts'
import { changes, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { payments } from './payments.ts'
import { ofTenant } from './tenants.ts'

/**
 * What members of a workspace are to be mailed, written in the publish that caused it. A row names no recipient: they
 * are looked up when it is handed over to the outbox of the identity database.
 */
export const mailNotices = pgTable(
  'mail_notices',
  {
    ...tenantRow,
    kind: text('kind', { enum: noticeKinds }).notNull(),
    /** What the mails say; emptied when it is handed over. */
    data: jsonb('data').$type<Readonly<Record<string, string>>>().notNull(),
    status: statusOf(mailNoticeLifecycle),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('mail_notices', t.tenantId),
      check('mail_notices_kind_known', known(t.kind)),
      check('mail_notices_status_known', known(t.status)),
      check('mail_notices_forget_data', sql`${t.status} = 'waiting' or ${t.data} = '{}'`),
      index('mail_notices_due').on(t.createdAt).where(sql`status = 'waiting'`),
    ]
  },
)

export const mailCauses = ['money', 'invitation', 'sent', 'form', 'report'] as const
export const dropReasons = [
  'email_not_confirmed',
  'recipient_form',
  'recipient_limit',
  'network_limit',
  'workspace_limit',
  'account_limit',
] as const

export const suppressionReasons = ['hard_bounce', 'complaint', 'unsubscribed'] as const

/**
 * Mails to a person who may have no account, written in the publish that causes them. drizzle/sql/058_mails.sql fills in
 * the digests and drops a mail that is too many, or whose address could name a second recipient.
 */
export const outgoingMails = pgTable(
  'outgoing_mails',
  {
    ...tenantRow,
    kind: text('kind', { enum: outgoingMailKinds }).notNull(),
    locale: text('locale', { enum: ['es-MX', 'en'] }).notNull(),
    /** The payment whose buyer gets it: the database looks up the address, and writes nothing without one. */
    paymentId: uuid('payment_id'),
    /** Emptied when it is over, as `data` is. */
    recipient: text('recipient'),
    /** A keyed digest of the recipient, by which suppressions are found; null where it was dropped. */
    recipientDigest: text('recipient_digest'),
    /** By which mails are counted: addresses of one mailbox have one. */
    mailboxDigest: text('mailbox_digest'),
    /** Of the network of the form that caused it, as the attempt of a payment has it; null for others. */
    networkDigest: text('network_digest'),
    /** What mails are counted by: money, an invitation, a merchant who sends, a form that any person fills in. */
    cause: text('cause', { enum: mailCauses }).notNull().default('form'),
    /** Whether the workspace was reviewed when it was written. */
    ofReviewed: boolean('of_reviewed').notNull().default(false),
    data: jsonb('data').$type<Readonly<Record<string, string>>>().notNull(),
    status: statusOf(outgoingMailLifecycle),
    /** Why we held it back. */
    droppedFor: text('dropped_for', { enum: dropReasons }),
    /** Why it was not sent: what its recipient, or their mail server, said of an earlier one. */
    suppressedFor: text('suppressed_for', { enum: suppressionReasons }),
    /** What the provider reported of it after it was sent. */
    report: text('report', { enum: ['delivered', 'bounced', 'complained'] }),
    /** The wait until then is the lease of a run that sends it; null when it is over. */
    nextCheckAt: instant('next_check_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('outgoing_mails_payment', t, t.paymentId, payments),
      check('outgoing_mails_kind_known', known(t.kind)),
      check('outgoing_mails_locale_known', known(t.locale)),
      check('outgoing_mails_status_known', known(t.status)),
      check(
        'outgoing_mails_one_recipient',
        sql`${t.recipient} ~ '^[A-Za-z0-9_+.&''-]+@[A-Za-z0-9.-]+$' and char_length(${t.recipient}) <= 254`,
      ),
      check(
        'outgoing_mails_forget_recipient',
        sql`(${t.status} = 'waiting') = (${t.recipient} is not null) and (${t.status} = 'waiting') = (${t.nextCheckAt} is not null) and (${t.status} = 'waiting' or ${t.data} = '{}')`,
      ),
      index('outgoing_mails_due').on(t.nextCheckAt).where(sql`next_check_at is not null`),
      index('outgoing_mails_to').on(t.mailboxDigest, t.createdAt),
      index('outgoing_mails_from').on(t.networkDigest, t.createdAt).where(sql`network_digest is not null`),
      index('outgoing_mails_list').on(t.tenantId, t.createdAt, t.id),
      check('outgoing_mails_cause_known', known(t.cause)),
      check('outgoing_mails_dropped_for_known', known(t.droppedFor)),
      check('outgoing_mails_dropped_for', sql`(${t.status} = 'dropped') = (${t.droppedFor} is not null)`),
      index('outgoing_mails_by_age').on(t.createdAt),
      index('outgoing_mails_by_id').on(t.id),
      check('outgoing_mails_report_known', known(t.report)),
      check('outgoing_mails_suppressed_for_known', known(t.suppressedFor)),
      check(
        'outgoing_mails_suppressed_for',
        sql`(${t.status} = 'suppressed') = (${t.suppressedFor} is not null)`,
      ),
    ]
  },
)

/**
 * Recipients that a workspace no longer mails: the address was refused for good, or its reader complained; of `unsubscribed`
 * only reminders, of payments and of checkouts. drizzle/sql/058_mails.sql writes them, from a mail of the same workspace.
 */
export const mailSuppressions = pgTable(
  'mail_suppressions',
  {
    ...tenantRow,
    status: statusOf(mailSuppressionLifecycle),
    reason: text('reason', { enum: suppressionReasons }).notNull(),
    /** As `outgoing_mails` has it: a row holds no address. */
    recipientDigest: text('recipient_digest').notNull(),
    /** What kind of mail it was, and of which payment. */
    kind: text('kind', { enum: outgoingMailKinds }).notNull(),
    paymentId: uuid('payment_id'),
    /** The payment's contact that the mail went to, where it was one. Forgotten with its address. */
    contactId: uuid('contact_id'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('mail_suppressions', t.tenantId),
      refersTo('mail_suppressions_payment', t, t.paymentId, payments),
      check('mail_suppressions_status_known', known(t.status)),
      check('mail_suppressions_reason_known', known(t.reason)),
      check('mail_suppressions_kind_known', known(t.kind)),
      check(
        'mail_suppressions_only_bounces_lifted',
        sql`${t.status} = 'active' or ${t.reason} = 'hard_bounce'`,
      ),
      uniqueIndex('mail_suppressions_one')
        .on(t.tenantId, t.recipientDigest, t.reason)
        .where(sql`status = 'active'`),
      index('mail_suppressions_list').on(t.tenantId, t.createdAt, t.id),
    ]
  },
)
