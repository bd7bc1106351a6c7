import type { IsoDate } from '../../../src/kernel/bank-days.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import type { parts } from './contract-summary.ts'
import type { SummaryRow } from './store-summary.ts'
import type { timeZones } from './time-zones.ts'

interface Shown {
  readonly begins_on: IsoDate
  readonly ends_on: IsoDate
  readonly time_zone: (typeof timeZones)[number]
  readonly currency: string
  readonly by: (typeof parts)[number] | null
}

const figuresOf = (row: Omit<SummaryRow, 'group'>) => ({
  amount_gross: toMinorString(row.grossMinor),
  amount_refunds: toMinorString(row.refundsMinor),
  amount_disputes: toMinorString(row.disputesMinor),
  amount_fees: toMinorString(row.feesMinor),
  amount_iva: toMinorString(row.ivaMinor),
  amount_net: toMinorString(
    row.grossMinor - row.refundsMinor - row.disputesMinor - row.feesMinor - row.ivaMinor,
  ),
  payments_count: row.paymentsCount,
  refunds_count: row.refundsCount,
  disputes_count: row.disputesCount,
})

const nothing: Omit<SummaryRow, 'group'> = {
  grossMinor: 0n,
  refundsMinor: 0n,
  disputesMinor: 0n,
  feesMinor: 0n,
  ivaMinor: 0n,
  paymentsCount: 0,
  refundsCount: 0,
  disputesCount: 0,
}

const added = (one: typeof nothing, other: typeof nothing): typeof nothing => ({
  grossMinor: one.grossMinor + other.grossMinor,
  refundsMinor: one.refundsMinor + other.refundsMinor,
  disputesMinor: one.disputesMinor + other.disputesMinor,
  feesMinor: one.feesMinor + other.feesMinor,
  ivaMinor: one.ivaMinor + other.ivaMinor,
  paymentsCount: one.paymentsCount + other.paymentsCount,
  refundsCount: one.refundsCount + other.refundsCount,
  disputesCount: one.disputesCount + other.disputesCount,
})

/** The groups, and above them their sums. */
export const presentSummary = (shown: Shown, asOf: Date, rows: readonly SummaryRow[]) => ({
  object: 'reporting_summary' as const,
  ...shown,
  as_of: asOf.toISOString(),
  ...figuresOf(rows.reduce(added, nothing)),
  groups: shown.by === null ? [] : rows.map((row) => ({ group: row.group, ...figuresOf(row) })),
})

export type Summary = ReturnType<typeof presentSummary>
