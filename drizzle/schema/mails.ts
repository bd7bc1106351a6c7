import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { mailNoticeLifecycle } from '../../functions/mails/lifecycle.ts'
import { changes, known, ownKey, statusOf, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

/**
 * What the owners of a workspace are to be mailed, written in the publish that caused it. A row names no recipient: the
 * owners are looked up when it is handed over to the outbox of the identity database.
 */
export const mailNotices = pgTable(
  'mail_notices',
  {
    ...tenantRow,
    kind: text('kind', { enum: ['api_key_created', 'api_key_revoked'] }).notNull(),
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
