import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { invitationLifecycle } from '../../functions/account/members/lifecycle.ts'
import { changes, instant, known, ownKey, statusOf, tenantRow } from './columns.ts'
import { memberRoles, ofTenant } from './tenants.ts'

/**
 * Invitations to a workspace. The token of the link in the mail is derived from the id: a row opens nothing. The address is
 * emptied thirty days after the invitation is over.
 */
export const workspaceInvitations = pgTable(
  'workspace_invitations',
  {
    ...tenantRow,
    email: text('email'),
    role: text('role', { enum: memberRoles }).notNull(),
    /** The language of its mails. */
    locale: text('locale', { enum: ['es-MX', 'en'] }).notNull(),
    status: statusOf(invitationLifecycle),
    invitedBy: text('invited_by').notNull(),
    invitedByEmail: text('invited_by_email').notNull(),
    acceptedBy: text('accepted_by'),
    /** How often it was mailed. */
    sendsCount: integer('sends_count').notNull(),
    expiresAt: instant('expires_at').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('workspace_invitations', t.tenantId),
      uniqueIndex('workspace_invitations_id').on(t.id),
      uniqueIndex('workspace_invitations_one_pending').on(t.tenantId, t.email).where(sql`status = 'pending'`),
      check('workspace_invitations_role_known', known(t.role)),
      check('workspace_invitations_locale_known', known(t.locale)),
      check('workspace_invitations_status_known', known(t.status)),
      check(
        'workspace_invitations_email_form',
        sql`${t.email} ~ '^[^@[:space:]]+@[^@[:space:]]+$' and ${t.email} = lower(${t.email}) and char_length(${t.email}) <= 254`,
      ),
      check('workspace_invitations_to_an_address', sql`${t.status} <> 'pending' or ${t.email} is not null`),
      check(
        'workspace_invitations_accepted_by_one',
        sql`(${t.status} = 'accepted') = (${t.acceptedBy} is not null)`,
      ),
      check('workspace_invitations_sends_counted', sql`${t.sendsCount} between 1 and 5`),
      index('workspace_invitations_list').on(t.tenantId, t.createdAt, t.id),
      index('workspace_invitations_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('workspace_invitations_due').on(t.expiresAt).where(sql`status = 'pending'`),
      index('workspace_invitations_to_forget')
        .on(t.updatedAt)
        .where(sql`status <> 'pending' and email is not null`),
    ]
  },
)
