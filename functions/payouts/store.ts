import { and, asc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { bankAccounts } from '../../drizzle/schema/bank-accounts.ts'
import { balanceActivity, ledgerAccounts } from '../../drizzle/schema/ledger.ts'
import { payments } from '../../drizzle/schema/payments.ts'
import { payoutEntries, payoutSettings, payouts } from '../../drizzle/schema/payouts.ts'
import { build, ownTenant, rowsLimit, select, slot } from '../../src/platform/query.ts'
import { newest, rowsBy } from '../../src/platform/rows.ts'
import type { BankAccountRow } from '../bank-accounts/api-pure.ts'

export type PayoutRow = typeof payouts.$inferSelect
export type EntryRow = typeof payoutEntries.$inferSelect
/** With what payouts take from the account that they name. */
export type SettingsRow = typeof payoutSettings.$inferSelect &
  Pick<BankAccountRow, 'clabe' | 'holder' | 'coolDownEndsAt'> & {
    readonly accountStatus: BankAccountRow['status']
  }
export type ActivityRow = typeof balanceActivity.$inferSelect
export type AccountRow = typeof ledgerAccounts.$inferSelect

/** A movement with the fees of the payment that it released; null for any other. */
export interface OpenActivity extends ActivityRow {
  readonly feeProcessingMinor: bigint | null
  readonly feeInstallmentsMinor: bigint | null
  readonly feeIvaMinor: bigint | null
}

export const payoutById = rowsBy(payouts, 'id')

export const payoutsPage = newest(payouts, ['status', 'currency'])

export const entriesPage = newest(payoutEntries, [], eq(payoutEntries.payoutId, slot('payoutId')))

export const activityPage = newest(balanceActivity, ['currency', 'payoutId', 'sourceType'])

export const settingsOf = select<SettingsRow>((has) =>
  build
    .select({
      ...getTableColumns(payoutSettings),
      clabe: bankAccounts.clabe,
      holder: bankAccounts.holder,
      coolDownEndsAt: bankAccounts.coolDownEndsAt,
      accountStatus: bankAccounts.status,
    })
    .from(payoutSettings)
    .innerJoin(
      bankAccounts,
      and(
        eq(bankAccounts.tenantId, payoutSettings.tenantId),
        eq(bankAccounts.id, payoutSettings.bankAccountId),
      ),
    )
    .where(
      and(
        ownTenant(payoutSettings),
        has('currency') ? eq(payoutSettings.currency, slot('currency')) : undefined,
        has('id') ? eq(payoutSettings.id, slot('id')) : undefined,
      ),
    )
    .orderBy(asc(payoutSettings.currency)),
)

const released = and(
  eq(payments.tenantId, balanceActivity.tenantId),
  eq(payments.id, balanceActivity.sourceId),
  eq(balanceActivity.sourceType, 'payment'),
  eq(balanceActivity.entryKind, 'release'),
)

/** Movements that no payout includes yet, oldest first. */
const open = (direction: SQL) =>
  select<OpenActivity>(() =>
    build
      .select({
        ...getTableColumns(balanceActivity),
        feeProcessingMinor: payments.feeProcessingMinor,
        feeInstallmentsMinor: payments.feeInstallmentsMinor,
        feeIvaMinor: payments.feeIvaMinor,
      })
      .from(balanceActivity)
      .leftJoin(payments, released)
      .where(
        and(
          ownTenant(balanceActivity),
          eq(balanceActivity.currency, slot('currency')),
          isNull(balanceActivity.payoutId),
          direction,
        ),
      )
      .orderBy(asc(balanceActivity.createdAt), asc(balanceActivity.id))
      .limit(rowsLimit),
  )

export const openIncoming = open(sql`${balanceActivity.amountMinor} > 0`)
export const openOutgoing = open(sql`${balanceActivity.amountMinor} < 0`)

/** At most one: the available balance in a currency. */
export const availableOf = select<AccountRow>(() =>
  build
    .select()
    .from(ledgerAccounts)
    .where(
      and(
        ownTenant(ledgerAccounts),
        eq(ledgerAccounts.currency, slot('currency')),
        eq(ledgerAccounts.code, 'merchant_available'),
      ),
    ),
)
