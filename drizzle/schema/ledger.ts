import { sql } from 'drizzle-orm'
import { check, foreignKey, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, minor, tenantRow } from './columns.ts'
import { tenants } from './tenants.ts'

/** One balance per tenant, currency and account code: always the sum of its postings. */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    tenantId: text('tenant_id').notNull(),
    currency: text('currency').notNull(),
    code: text('code').notNull(),
    balanceMinor: minor('balance_minor').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.currency, t.code] }),
    foreignKey({ name: 'ledger_accounts_tenant', columns: [t.tenantId], foreignColumns: [tenants.tenantId] }),
    check('ledger_accounts_currency_form', sql`${t.currency} ~ '^[a-z]{3}$'`),
    check(
      'ledger_accounts_code_known',
      sql`${t.code} in ('processor_clearing', 'merchant_pending', 'merchant_available', 'fee_expense', 'iva_on_fees')`,
    ),
    check(
      'ledger_accounts_pending_not_negative',
      sql`${t.code} <> 'merchant_pending' or ${t.balanceMinor} >= 0`,
    ),
  ],
)

/** A double-entry journal. Its postings sum to zero (deferred trigger); it is never changed or deleted. */
export const ledgerJournals = pgTable(
  'ledger_journals',
  {
    ...tenantRow,
    sourceType: text('source_type').notNull(),
    sourceId: uuid('source_id').notNull(),
    entryKind: text('entry_kind').notNull(),
    currency: text('currency').notNull(),
    ...createdAt,
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    unique('ledger_journals_once').on(t.tenantId, t.sourceType, t.sourceId, t.entryKind),
    foreignKey({ name: 'ledger_journals_tenant', columns: [t.tenantId], foreignColumns: [tenants.tenantId] }),
  ],
)

/** One line of a journal: what it adds to (positive) or takes from (negative) an account. */
export const ledgerPostings = pgTable(
  'ledger_postings',
  {
    tenantId: text('tenant_id').notNull(),
    journalId: uuid('journal_id').notNull(),
    line: integer('line').notNull(),
    currency: text('currency').notNull(),
    accountCode: text('account_code').notNull(),
    amountMinor: minor('amount_minor').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.journalId, t.line] }),
    foreignKey({
      name: 'ledger_postings_journal',
      columns: [t.tenantId, t.journalId],
      foreignColumns: [ledgerJournals.tenantId, ledgerJournals.id],
    }),
    foreignKey({
      name: 'ledger_postings_account',
      columns: [t.tenantId, t.currency, t.accountCode],
      foreignColumns: [ledgerAccounts.tenantId, ledgerAccounts.currency, ledgerAccounts.code],
    }),
    check('ledger_postings_not_zero', sql`${t.amountMinor} <> 0`),
  ],
)
