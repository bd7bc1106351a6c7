import { and, asc, desc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { balanceActivity, ledgerAccounts } from '../../drizzle/schema/ledger.ts'
import { payments } from '../../drizzle/schema/payments.ts'
import { payoutEntries, payoutSettings, payouts } from '../../drizzle/schema/payouts.ts'
import { build, inWindow, ownTenant, rowsLimit, select, slot } from '../../src/platform/query.ts'

export type PayoutRow = typeof payouts.$inferSelect
export type EntryRow = typeof payoutEntries.$inferSelect
export type SettingsRow = typeof payoutSettings.$inferSelect
export type ActivityRow = typeof balanceActivity.$inferSelect
export type AccountRow = typeof ledgerAccounts.$inferSelect

/** A movement with the fees of the payment that it released; null for any other. */
export interface OpenActivity extends ActivityRow {
  readonly feeProcessingMinor: bigint | null
  readonly feeInstallmentsMinor: bigint | null
  readonly feeIvaMinor: bigint | null
}

export const payoutById = select<PayoutRow>(() =>
  build
    .select()
    .from(payouts)
    .where(and(ownTenant(payouts), eq(payouts.id, slot('id')))),
)

export const payoutsPage = select<PayoutRow>((has) =>
  build
    .select()
    .from(payouts)
    .where(
      and(
        ...inWindow(payouts, has),
        has('status') ? eq(payouts.status, slot('status')) : undefined,
        has('currency') ? eq(payouts.currency, slot('currency')) : undefined,
      ),
    )
    .orderBy(desc(payouts.createdAt), desc(payouts.id))
    .limit(rowsLimit),
)

export const entriesPage = select<EntryRow>((has) =>
  build
    .select()
    .from(payoutEntries)
    .where(and(...inWindow(payoutEntries, has), eq(payoutEntries.payoutId, slot('payoutId'))))
    .orderBy(desc(payoutEntries.createdAt), desc(payoutEntries.id))
    .limit(rowsLimit),
)

export const activityPage = select<ActivityRow>((has) =>
  build
    .select()
    .from(balanceActivity)
    .where(
      and(
        ...inWindow(balanceActivity, has),
        has('currency') ? eq(balanceActivity.currency, slot('currency')) : undefined,
        has('payoutId') ? eq(balanceActivity.payoutId, slot('payoutId')) : undefined,
        has('sourceType') ? eq(balanceActivity.sourceType, slot('sourceType')) : undefined,
      ),
    )
    .orderBy(desc(balanceActivity.createdAt), desc(balanceActivity.id))
    .limit(rowsLimit),
)

export const settingsOf = select<SettingsRow>((has) =>
  build
    .select()
    .from(payoutSettings)
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
