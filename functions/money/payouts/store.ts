import { and, asc, desc, eq, getTableColumns, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { bankAccounts } from '../../../drizzle/schema/bank-accounts.ts'
import { disputes } from '../../../drizzle/schema/disputes.ts'
import { balanceActivity, ledgerAccounts } from '../../../drizzle/schema/ledger.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { payoutEntries, payoutSettings, payouts } from '../../../drizzle/schema/payouts.ts'
import { refunds } from '../../../drizzle/schema/refunds.ts'
import {
  build,
  inWindow,
  ownTenant,
  rowsLimit,
  type Selectable,
  select,
  slot,
} from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'
import type { BankAccountRow } from '../bank-accounts/api-pure.ts'

export type PayoutRow = typeof payouts.$inferSelect
export type EntryRow = typeof payoutEntries.$inferSelect
/** With what payouts take from the account that they name. */
export type SettingsRow = typeof payoutSettings.$inferSelect &
  Pick<BankAccountRow, 'clabe' | 'holder' | 'coolDownEndsAt'> & {
    readonly accountStatus: BankAccountRow['status']
  }
export type ActivityRow = Omit<typeof balanceActivity.$inferSelect, 'commitOrder' | 'bookedAt'>
/** The available balance, and what refunds that wait for it will take. */
export interface AvailableRow {
  readonly balanceMinor: bigint
  readonly waitingMinor: bigint
}

/** A movement with the fees of the payment that it released; null for any other. */
export interface OpenActivity extends ActivityRow {
  readonly feeProcessingMinor: bigint | null
  readonly feeInstallmentsMinor: bigint | null
  readonly feeIvaMinor: bigint | null
}

export const payoutById = rowsBy(payouts, 'id')

export const payoutByRef = rowsBy(payouts, 'processor', 'processorRef')

/** What a processor's entries are of: its reference, and our id. */
export interface Link {
  readonly ref: string | null
  readonly id: string
}

const byRefs = ({
  tenantId,
  processor,
  processorRef: ref,
  id,
}: typeof refunds | typeof disputes | typeof payouts) =>
  select<Link>(() =>
    build
      .select({ ref, id })
      .from(tenantId.table)
      .where(
        and(
          ownTenant({ tenantId }),
          eq(processor, slot('processor')),
          sql`${ref} = any(${slot('refs')}::text[])`,
        ),
      ),
  )

/** What has one of the processor's references (`refs`): the payments of the account, and whatever it made by itself. */
export const linksOf = [
  {
    type: 'payment',
    find: select<Link>(() =>
      build
        .select({ ref: paymentAttempts.processorRef, id: paymentAttempts.paymentId })
        .from(paymentAttempts)
        .where(
          and(
            ownTenant(paymentAttempts),
            eq(paymentAttempts.accountId, slot('accountId')),
            sql`${paymentAttempts.processorRef} = any(${slot('refs')}::text[])`,
          ),
        ),
    ),
  },
  { type: 'refund', find: byRefs(refunds) },
  { type: 'dispute', find: byRefs(disputes) },
  { type: 'payout', find: byRefs(payouts) },
] as const

export const payoutsPage = newest(payouts, ['status', 'currency'])

/** Of the payment that a movement belongs to; null of a transfer and a payout. */
const sold = {
  paymentId: payments.id,
  clientReferenceId: payments.clientReferenceId,
  originType: payments.originType,
  originId: payments.originId,
}
export type Sold = {
  readonly [K in keyof typeof sold]: (typeof payments.$inferSelect)[PaymentColumn[K]] | null
}
type PaymentColumn = { paymentId: 'id' } & { [K in Exclude<keyof typeof sold, 'paymentId'>]: K }

/** The id of the payment behind a source: of a refund and a dispute theirs, else the source itself. */
const paymentBehind = (sourceId: SQLWrapper) => sql`coalesce(
  (select ${refunds.paymentId} from ${refunds} where ${ownTenant(refunds)} and ${refunds.id} = ${sourceId}),
  (select ${disputes.paymentId} from ${disputes} where ${ownTenant(disputes)} and ${disputes.id} = ${sourceId}),
  ${sourceId})`

/** A list's page, newest first, each row with its payment: the payments of the page's rows alone are looked up. */
const withPayments = <T extends typeof payoutEntries | typeof balanceActivity>(
  table: T,
  filters: readonly (keyof T['_']['columns'] & string)[],
  always?: SQL,
) =>
  select<T['$inferSelect'] & Sold>((has) => {
    const found = build
      .select()
      .from(table as PgTable)
      .where(and(...inWindow(table, has), always, ...filtered(table, has, filters)))
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(rowsLimit)
      .as('found') as unknown as T
    const columns = Object.keys(getTableColumns(table)).map((key) => [key, found[key as keyof T]])
    return build
      .select({ ...Object.fromEntries(columns), ...sold })
      .from(found as PgTable)
      .leftJoin(payments, and(ownTenant(payments), sql`${payments.id} = ${paymentBehind(found.sourceId)}`))
      .orderBy(desc(found.createdAt), desc(found.id)) as unknown as Selectable<T['$inferSelect'] & Sold>
  })

export const entriesPage = withPayments(payoutEntries, [], eq(payoutEntries.payoutId, slot('payoutId')))

export const activityPage = withPayments(balanceActivity, ['currency', 'payoutId', 'sourceType'])

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
  select<OpenActivity>((_) =>
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

/** At most one: of a currency. */
export const availableOf = select<AvailableRow>(() =>
  build
    .select({
      balanceMinor: ledgerAccounts.balanceMinor,
      waitingMinor:
        sql`(select coalesce(sum(${refunds.amountMinor}), 0)::bigint from ${refunds} where ${ownTenant(refunds)}
          and ${refunds.status} = 'pending' and ${refunds.currency} = ${slot('currency')})`.mapWith(
          refunds.amountMinor,
        ),
    })
    .from(ledgerAccounts)
    .where(
      and(
        ownTenant(ledgerAccounts),
        eq(ledgerAccounts.currency, slot('currency')),
        eq(ledgerAccounts.code, 'merchant_available'),
      ),
    ),
)
