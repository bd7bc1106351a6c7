import type { ReportTypeName } from '../../../../drizzle/schema/reporting.ts'
import { balanceActivity } from './balance-activity.ts'
import { balanceSummary } from './balance-summary.ts'
import { customers } from './customers.ts'
import { disputes } from './disputes.ts'
import { feesAndIva } from './fees-and-iva.ts'
import { ivaCollected } from './iva-collected.ts'
import { methodMix } from './method-mix.ts'
import { msiTerms } from './msi-terms.ts'
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
  poliza,
  customers,
}

export const typeOf = (name: ReportTypeName): ReportType => reportTypes[name]

/** The columns that a run shows, each with its place among the cells of a row. */
export const columnsOf = ({
  type,
  typeVersion,
}: {
  readonly type: ReportTypeName
  readonly typeVersion: number
}) =>
  typeOf(type)
    .columns.map((column, at) => ({ column, at }))
    .filter(({ column: { since = 1 } }) => since <= typeVersion)
