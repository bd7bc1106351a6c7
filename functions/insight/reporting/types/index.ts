import type { ReportTypeName } from '../../../../drizzle/schema/reporting.ts'
import { balanceActivity } from './balance-activity.ts'
import { balanceSummary } from './balance-summary.ts'
import { cfdiPending } from './cfdi-pending.ts'
import { customers } from './customers.ts'
import { disputes } from './disputes.ts'
import { feesAndIva } from './fees-and-iva.ts'
import { ivaCollected } from './iva-collected.ts'
import { methodMix } from './method-mix.ts'
import { msiTerms } from './msi-terms.ts'
import { offlineLosses } from './offline-losses.ts'
import { paymentsDetail } from './payments-detail.ts'
import { payoutReconciliation } from './payout-reconciliation.ts'
import { poliza } from './poliza.ts'
import { refunds } from './refunds.ts'
import { shifts } from './shifts.ts'
import { tipsStaff } from './tips-staff.ts'
import type { ReportType } from './type.ts'
import { unappliedFunds } from './unapplied-funds.ts'

/** The reports by their names. */
export const reportTypes: { readonly [Name in ReportTypeName]: ReportType } = {
  'balance.activity': balanceActivity,
  'balance.summary': balanceSummary,
  fees_and_iva: feesAndIva,
  iva_collected: ivaCollected,
  'payout.reconciliation': payoutReconciliation,
  'payments.detail': paymentsDetail,
  method_mix: methodMix,
  'msi.terms': msiTerms,
  refunds,
  disputes,
  unapplied_funds: unappliedFunds,
  'tips.staff': tipsStaff,
  shifts,
  offline_losses: offlineLosses,
  poliza,
  customers,
  'cfdi.pending': cfdiPending,
}

export const typeOf = (name: ReportTypeName): ReportType => reportTypes[name]

interface Shown {
  readonly type: ReportTypeName
  readonly typeVersion: number
  readonly columns?: readonly string[] | null
}

/** The columns that a run shows, each with its place among the cells of a row: those that it names, else all but addresses. */
export function columnsOf({ type, typeVersion, columns: named }: Shown) {
  const all = typeOf(type)
    .columns.map((column, at) => ({ column, at }))
    .filter(({ column: { since = 1 } }) => since <= typeVersion)
  return named
    ? named.flatMap((name) => all.filter(({ column }) => column.name === name))
    : all.filter(({ column }) => !column.isPersonal)
}

export const hasPersons = (type: ReportTypeName): boolean =>
  typeOf(type).columns.some(({ isPersonal }) => isPersonal)
