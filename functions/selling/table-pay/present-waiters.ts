import type { TipDay, TipPayoutRow, TipRow, WaiterRow } from './store.ts'

/** A waiter as the interface shows them. */
export const presentWaiter = (waiter: WaiterRow) => ({
  id: waiter.id,
  object: 'waiter' as const,
  status: waiter.status,
  name: waiter.name,
  payroll_reference: waiter.payrollReference,
  version: waiter.version,
  created_at: waiter.createdAt.toISOString(),
  updated_at: waiter.updatedAt.toISOString(),
})

/** The tip of one payment, as the interface shows it. */
export const presentTip = (tip: TipRow) => ({
  id: tip.id,
  object: 'table_tip' as const,
  waiter_id: tip.waiterId,
  table_session_id: tip.sessionId,
  payment_id: tip.paymentId,
  external_payment_id: tip.externalPaymentId,
  currency: tip.currency,
  amount: tip.amountMinor.toString(),
  amount_returned: tip.returnedMinor.toString(),
  version: tip.version,
  created_at: tip.createdAt.toISOString(),
  updated_at: tip.updatedAt.toISOString(),
})

/** What a waiter was paid of tips, as the interface shows it. */
export const presentTipPayout = (payout: TipPayoutRow) => ({
  id: payout.id,
  object: 'tip_payout' as const,
  status: payout.status,
  waiter_id: payout.waiterId,
  currency: payout.currency,
  amount: payout.amountMinor.toString(),
  note: payout.note,
  version: payout.version,
  created_at: payout.createdAt.toISOString(),
  updated_at: payout.updatedAt.toISOString(),
})

const shownSums = (days: readonly TipDay[]) => {
  const sum = (part: 'tipsMinor' | 'returnedMinor' | 'paidOutMinor') =>
    days.reduce((total, each) => total + each[part], 0n).toString()
  return {
    tips_count: days.reduce((total, { tipsCount }) => total + tipsCount, 0),
    amount_tips: sum('tipsMinor'),
    amount_returned: sum('returnedMinor'),
    amount_paid_out: sum('paidOutMinor'),
  }
}

/** A waiter's tips by day, with their sums. `owedMinor`: what they are owed now. */
export const presentTipReport = (
  { id }: Pick<WaiterRow, 'id'>,
  days: readonly TipDay[],
  owedMinor: bigint,
  period: { readonly begins_on: string; readonly ends_on: string },
) => ({
  object: 'tip_report' as const,
  waiter_id: id,
  currency: 'mxn',
  ...period,
  ...shownSums(days),
  amount_owed: owedMinor.toString(),
  days: days.map((each) => ({ day: each.day, ...shownSums([each]) })),
})
