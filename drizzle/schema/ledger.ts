import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, known, minor, ownKey, tenantRow, workspaceKey } from './columns.ts'
import { ofTenant } from './tenants.ts'

/**
 * The chart of accounts of one merchant, per currency. Signs are the merchant's: what is owed to it, what is
 * held or in flight for it and what it spent is positive. `processor_clearing` is the outside world
 * (processors and banks), where money comes from and goes to; it mirrors the rest. `buyer_overdrafts` is what
 * buyers' balances are below zero. `tips_owed` is below zero by what the merchant owes its waiters: beside these, each
 * waiter has an account of its own, `waiter:` and their id, and all of them sum to nothing with `tips_owed`.
 */
const accountCodes = [
  'processor_clearing',
  'merchant_pending',
  'merchant_available',
  'merchant_reserve',
  'fee_expense',
  'iva_on_fees',
  'refunds_in_flight',
  'dispute_hold',
  'transfers_in_flight',
  'payouts_in_flight',
  'unapplied_funds',
  'buyer_overdrafts',
  'tips_owed',
] as const

/** One balance per tenant, currency and account code: always the sum of its postings. */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    tenantId: workspaceKey('tenant_id').notNull(),
    currency: text('currency').notNull(),
    code: text('code', { enum: accountCodes }).notNull(),
    balanceMinor: minor('balance_minor').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.tenantId, t.currency, t.code] }),
      ofTenant('ledger_accounts', t.tenantId),
      check('ledger_accounts_currency_form', sql`${t.currency} ~ '^[a-z]{3}$'`),
      check(
        'ledger_accounts_code_known',
        sql`${known(t.code)} or ${t.code} ~ '^waiter:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`,
      ),
      // The 18 digits that the interface shows; a sum stays within Postgres's bigint.
      check('ledger_accounts_bounds', sql`abs(${t.balanceMinor}) <= 999999999999999999`),
      // A refund or a dispute may take merchant_available below zero; a transfer or payout may not (door.apply_postings).
      // A refund may take a waiter's account below zero; what is paid to them may not. No other balance held for the
      // merchant may be negative.
      check(
        'ledger_accounts_not_negative',
        sql`${t.code} in ('processor_clearing', 'merchant_available', 'fee_expense', 'iva_on_fees', 'buyer_overdrafts', 'tips_owed')
        or ${t.code} like 'waiter:%' or ${t.balanceMinor} >= 0`,
      ),
    ]
  },
)

/**
 * When the database booked it: the number of its transaction, and the clock after that number was taken. The database fills
 * both (drizzle/sql/055_ledger_order.sql), so that a day that is over never changes once its transactions are.
 */
export const booked = {
  commitOrder: bigint('commit_order', { mode: 'bigint' }).notNull().default(sql`0`),
  bookedAt: instant('booked_at').notNull().default(sql`now()`),
}

/** A double-entry journal. The statement that posts it leaves it at zero (door.apply_postings); it is never changed or deleted. */
export const ledgerJournals = pgTable(
  'ledger_journals',
  {
    ...tenantRow,
    sourceType: text('source_type').notNull(),
    sourceId: uuid('source_id').notNull(),
    entryKind: text('entry_kind').notNull(),
    /** A source that begins again is posted once per kind and round. */
    round: integer('round').notNull().default(1),
    currency: text('currency').notNull(),
    ...createdAt,
    ...booked,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      index('ledger_journals_booked').on(t.tenantId, t.bookedAt, t.id),
      // The summaries of reports follow the journals of all workspaces by it. They are written in that order, so ranges of
      // pages are enough, and a journal writes no entry.
      index('ledger_journals_followed')
        .using('brin', t.commitOrder)
        .with({ autosummarize: true, pages_per_range: 16 }),
      unique('ledger_journals_once').on(t.tenantId, t.sourceType, t.sourceId, t.entryKind, t.round),
    ]
  },
)

/** One line of a journal: what it adds to (positive) or takes from (negative) an account. */
export const ledgerPostings = pgTable(
  'ledger_postings',
  {
    tenantId: workspaceKey('tenant_id').notNull(),
    journalId: uuid('journal_id').notNull(),
    line: integer('line').notNull(),
    currency: text('currency').notNull(),
    accountCode: text('account_code').notNull(),
    amountMinor: minor('amount_minor').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.tenantId, t.journalId, t.line] }),
      // Its journal and its account are there: door.apply_postings looks for them, and they stay. A foreign key would lock
      // their rows once more for each posting, which costs much where many post at once.
      check('ledger_postings_not_zero', sql`${t.amountMinor} <> 0`),
    ]
  },
)

export const activitySources = [
  'payment',
  'refund',
  'dispute',
  'transfer',
  'incoming_transfer',
  'payout',
  'buyer_balance_movement',
] as const

/** Every movement of merchant_available, one row per journal, written by a trigger; in one payout at most. */
export const balanceActivity = pgTable(
  'balance_activity',
  {
    ...tenantRow,
    currency: text('currency').notNull(),
    sourceType: text('source_type', { enum: activitySources }).notNull(),
    sourceId: uuid('source_id').notNull(),
    entryKind: text('entry_kind').notNull(),
    amountMinor: minor('amount_minor').notNull(),
    /** The payout that contains it; null while it is in the balance. */
    payoutId: uuid('payout_id'),
    ...createdAt,
    ...booked,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      index('balance_activity_open')
        .on(t.tenantId, t.currency, t.createdAt, t.id)
        .where(sql`payout_id is null`),
      // Few among what came in, which nothing pays out where a processor does.
      index('balance_activity_open_outgoing')
        .on(t.tenantId, t.currency, t.createdAt, t.id)
        .where(sql`payout_id is null and amount_minor < 0`),
      index('balance_activity_booked').on(t.tenantId, t.bookedAt, t.id),
      index('balance_activity_list').on(t.tenantId, t.createdAt, t.id),
      // Of what is rare alone, so that the release of a payment in pesos writes no entry: the list itself finds those soon.
      index('balance_activity_list_by_source')
        .on(t.tenantId, t.sourceType, t.createdAt, t.id)
        .where(sql`source_type <> 'payment'`),
      index('balance_activity_list_by_currency')
        .on(t.tenantId, t.currency, t.createdAt, t.id)
        .where(sql`currency <> 'mxn'`),
      index('balance_activity_list_by_payout')
        .on(t.tenantId, t.payoutId, t.createdAt, t.id)
        .where(sql`payout_id is not null`),
    ]
  },
)
