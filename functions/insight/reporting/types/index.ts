import type { ReportTypeName } from '../../../../drizzle/schema/reporting.ts'
import { balanceActivity } from './balance-activity.ts'
import { disputes } from './disputes.ts'
import { feesAndIva } from './fees-and-iva.ts'
import { methodMix } from './method-mix.ts'
import { msiTerms } from './msi-terms.ts'
import { paymentsDetail } from './payments-detail.ts'
import { payoutReconciliation } from './payout-reconciliation.ts'
import { refunds } from './refunds.ts'
import type { ReportType } from './type.ts'
import { unappliedFunds } from './unapplied-funds.ts'

/** The reports by their names. */
export const reportTypes: { readonly [Name in ReportTypeName]: ReportType } = {
  'balance.activity': balanceActivity,
  fees_and_iva: feesAndIva,
  'payout.reconciliation': payoutReconciliation,
  'payments.detail': paymentsDetail,
  method_mix: methodMix,
  'msi.terms': msiTerms,
  refunds,
  disputes,
  unapplied_funds: unappliedFunds,
}

export const typeOf = (name: ReportTypeName): ReportType => reportTypes[name]
