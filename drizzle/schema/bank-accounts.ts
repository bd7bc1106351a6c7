import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bankAccountLifecycle } from '../../functions/money/bank-accounts/lifecycle.ts'
import { bankFailures, changes, instant, known, ownKey, polled, statusOf, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

/** A merchant's own account. Its id is the reference of the deposit that verifies it. */
export const bankAccounts = pgTable(
  'bank_accounts',
  {
    ...tenantRow,
    status: statusOf(bankAccountLifecycle),
    clabe: text('clabe').notNull(),
    holder: text('holder').notNull(),
    /** Whether the holder is who the fiscal profile named when it was added; null without a profile. */
    holderMatches: boolean('holder_matches'),
    /** `review`: no bank is connected, so people look at it. */
    verification: text('verification', { enum: ['deposit', 'review'] }).notNull(),
    rejectionCode: text('rejection_code', { enum: [...bankFailures, 'refused_in_review'] }),
    verifiedAt: instant('verified_at'),
    /** Counted from its verification, so that the owners have time to notice an account that is not theirs. */
    coolDownEndsAt: instant('cool_down_ends_at'),
    ...polled,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('bank_accounts', t.tenantId),
      uniqueIndex('bank_accounts_reference').on(t.id),
      uniqueIndex('bank_accounts_live')
        .on(t.tenantId, t.clabe)
        .where(sql`status in ('pending_verification', 'verified')`),
      check('bank_accounts_status_known', known(t.status)),
      check('bank_accounts_verification_known', known(t.verification)),
      check('bank_accounts_rejection_known', known(t.rejectionCode)),
      check('bank_accounts_clabe_form', sql`${t.clabe} ~ '^[0-9]{18}$'`),
      check('bank_accounts_holder_length', sql`char_length(${t.holder}) between 1 and 40`),
      check('bank_accounts_rejected_why', sql`(${t.status} = 'rejected') = (${t.rejectionCode} is not null)`),
      check('bank_accounts_verified_when', sql`${t.status} <> 'verified' or ${t.verifiedAt} is not null`),
      index('bank_accounts_list').on(t.tenantId, t.createdAt, t.id),
      index('bank_accounts_due').on(t.nextCheckAt).where(sql`next_check_at is not null`),
    ]
  },
)
