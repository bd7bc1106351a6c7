import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { recoveryLifecycle } from '../../functions/selling/hosted-checkout/lifecycle.ts'
import { checkoutSessions } from './checkout-sessions.ts'
import { changes, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'

/**
 * A buyer's consent to one mail if a session ends unpaid; one row of a session. The mail's id is the row's, so that no
 * second one can be written. The address is emptied once it is not needed.
 */
export const checkoutRecoveries = pgTable(
  'checkout_recoveries',
  {
    ...tenantRow,
    sessionId: uuid('session_id').notNull(),
    status: statusOf(recoveryLifecycle),
    /** As `normalizeEmail` makes it; null where no mail waits. */
    email: text('email'),
    locale: text('locale', { enum: ['es-MX', 'en'] }).notNull(),
    consentedAt: instant('consented_at').notNull(),
    /** When the mail is due: set by the database when the session expires. */
    mailAt: instant('mail_at'),
    /** Until when the mail's address opens a session. */
    validUntil: instant('valid_until'),
    /** The public id of the session that it opened. */
    recoveredRef: text('recovered_ref'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('checkout_recoveries_session', t, t.sessionId, checkoutSessions),
      uniqueIndex('checkout_recoveries_one').on(t.tenantId, t.sessionId),
      check('checkout_recoveries_status_known', known(t.status)),
      check('checkout_recoveries_locale_known', known(t.locale)),
      check(
        'checkout_recoveries_email_form',
        sql`${t.email} ~ '^[^@[:space:]]+@[^@[:space:]]+$' and char_length(${t.email}) <= 254`,
      ),
      check(
        'checkout_recoveries_forget_email',
        sql`(${t.status} = 'waiting') = (${t.email} is not null) and (${t.mailAt} is null or ${t.status} = 'waiting')`,
      ),
      check(
        'checkout_recoveries_mailed',
        sql`(${t.status} in ('mailed', 'recovered')) = (${t.validUntil} is not null)
          and (${t.status} = 'recovered') = (${t.recoveredRef} is not null)`,
      ),
      index('checkout_recoveries_by_email').on(t.tenantId, t.email).where(sql`email is not null`),
      index('checkout_recoveries_due').on(t.mailAt).where(sql`mail_at is not null`),
    ]
  },
)
