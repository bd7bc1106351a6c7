import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { changes, instant, known, ownKey, refersTo, tenantRow } from './columns.ts'
import { payments } from './payments.ts'

/**
 * Where the mails about a payment go. The address stands nowhere else once they are sent: without this row it
 * is forgotten. The newest row of a payment counts.
 */
export const paymentContacts = pgTable(
  'payment_contacts',
  {
    ...tenantRow,
    paymentId: uuid('payment_id').notNull(),
    /** As `normalizeEmail` makes it. */
    email: text('email').notNull(),
    locale: text('locale', { enum: ['es-MX', 'en'] }).notNull(),
    /** The path of the payment's page. */
    page: text('page').notNull(),
    /** When the buyer is reminded of a voucher or CLABE; the database sets it with the instructions. */
    remindAt: instant('remind_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('payment_contacts_payment', t, t.paymentId, payments),
      check('payment_contacts_locale_known', known(t.locale)),
      check(
        'payment_contacts_email_form',
        sql`${t.email} ~ '^[^@[:space:]]+@[^@[:space:]]+$' and char_length(${t.email}) <= 254`,
      ),
      check('payment_contacts_page_form', sql`${t.page} ~ '^/[a-z]+_[a-z0-9]{32}/spcs_[a-z0-9]{32}$'`),
      index('payment_contacts_of').on(t.tenantId, t.paymentId, t.createdAt),
      index('payment_contacts_by_email').on(t.tenantId, t.email),
      index('payment_contacts_due').on(t.remindAt).where(sql`remind_at is not null`),
    ]
  },
)
