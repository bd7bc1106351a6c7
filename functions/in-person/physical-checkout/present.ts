import { linesAlone, presentOrder as presentBought } from '../../order/lines/api-pure.ts'
import { presentTerms } from '../../order/sales/api-pure.ts'
import type { CodeRow, MovementRow, OpenCount, OrderRow, PaidSum, ShiftRow } from './store.ts'

export interface At {
  /** Host and port, without a scheme. */
  readonly linkBaseUrl: string
}

export const codeUrl = ({ publicId }: Pick<CodeRow, 'publicId'>, { linkBaseUrl }: At) =>
  `https://${linkBaseUrl}/r/${publicId}`

/** A code of a register as the interface shows it. */
export const presentCode = (code: CodeRow, at: At) => ({
  id: code.id,
  object: 'register_code' as const,
  public_id: code.publicId,
  url: codeUrl(code, at),
  status: code.status,
  register_id: code.registerId,
  purpose: code.purpose,
  version: code.version,
  created_at: code.createdAt.toISOString(),
  updated_at: code.updatedAt.toISOString(),
})

/** What an order sells, as the pages and the payment need it. */
export const boughtOf = ({
  lines,
  tipOptions,
  amountMinor,
}: Pick<OrderRow, 'lines' | 'tipOptions' | 'amountMinor'>) => ({
  ...linesAlone(lines),
  tipOptions,
  amountMinor,
})

function paymentStatusOf({ status, livePaymentId }: OrderRow) {
  if (status === 'paid') return 'paid' as const
  return livePaymentId === null ? ('unpaid' as const) : ('pending' as const)
}

function paidByOf({ paymentId, tenderedMinor }: OrderRow) {
  if (tenderedMinor !== null) return 'cash' as const
  return paymentId === null ? null : ('payment' as const)
}

/** An order as the interface shows it. */
export const presentOrder = (order: OrderRow, { linkBaseUrl }: At) => {
  const { line_items, tips, amount, amount_tax, taxes } = presentBought(boughtOf(order))
  return {
    id: order.id,
    object: 'register_order' as const,
    public_id: order.publicId,
    url: `https://${linkBaseUrl}/${order.publicId}`,
    status: order.status,
    payment_status: paymentStatusOf(order),
    register_id: order.registerId,
    shift_id: order.shiftId,
    mode: order.mode,
    current: order.isCurrent,
    line_items,
    tips,
    amount,
    amount_tax,
    taxes,
    currency: order.currency,
    ...presentTerms(order),
    description: order.description,
    client_reference_id: order.clientReferenceId,
    metadata: order.metadata,
    payment_id: order.paymentId ?? order.livePaymentId,
    paid_by: paidByOf(order),
    amount_tendered: order.tenderedMinor?.toString() ?? null,
    amount_change: order.tenderedMinor === null ? null : (order.tenderedMinor - order.amountMinor).toString(),
    amount_cash_returned: order.cashReturnedMinor.toString(),
    replaced_by: order.replacedBy,
    location_id: order.locationId,
    policy_version: String(order.policyVersion),
    expires_at: order.expiresAt.toISOString(),
    ended_at: order.endedAt?.toISOString() ?? null,
    version: order.version,
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
  }
}

/** What must be in the drawer. */
export const expectedIn = ({ openingMinor, salesMinor, returnsMinor, paidInMinor, paidOutMinor }: ShiftRow) =>
  openingMinor + salesMinor + paidInMinor - returnsMinor - paidOutMinor

/** A shift as the interface shows it. */
export const presentShift = (shift: ShiftRow) => ({
  id: shift.id,
  object: 'register_shift' as const,
  status: shift.status,
  register_id: shift.registerId,
  cashier_name: shift.cashierName,
  currency: shift.currency,
  amount_opening: shift.openingMinor.toString(),
  amount_cash_sales: shift.salesMinor.toString(),
  amount_cash_returned: shift.returnsMinor.toString(),
  amount_paid_in: shift.paidInMinor.toString(),
  amount_paid_out: shift.paidOutMinor.toString(),
  amount_expected: expectedIn(shift).toString(),
  amount_counted: shift.countedMinor?.toString() ?? null,
  amount_difference: shift.countedMinor === null ? null : (shift.countedMinor - expectedIn(shift)).toString(),
  unsettled_count: shift.unsettledCount,
  note: shift.note,
  closed_at: shift.closedAt?.toISOString() ?? null,
  version: shift.version,
  created_at: shift.createdAt.toISOString(),
  updated_at: shift.updatedAt.toISOString(),
})

/** What a report counts beside the shift itself. */
interface Counted extends OpenCount {
  readonly paid: readonly PaidSum[]
  readonly cashCount: number
}

/** A shift with what was paid in it by method. */
export function presentReport(shift: ShiftRow, { paid, cashCount, openCount, unsettledCount }: Counted) {
  const cash = {
    method: 'cash' as const,
    currency: shift.currency,
    count: cashCount,
    amountMinor: shift.salesMinor,
    tipsMinor: 0n,
    refundedMinor: shift.returnsMinor,
  }
  const isUsed = cash.count > 0 || cash.refundedMinor > 0n
  return {
    object: 'register_shift_report' as const,
    shift: presentShift(shift),
    paid: [...paid, ...(isUsed ? [cash] : [])].map(({ amountMinor, tipsMinor, refundedMinor, ...of }) => ({
      ...of,
      amount: amountMinor.toString(),
      amount_tips: tipsMinor.toString(),
      amount_refunded: refundedMinor.toString(),
    })),
    open_count: openCount,
    unsettled_count: unsettledCount,
  }
}

/** A movement of cash as the interface shows it. */
export const presentMovement = (movement: MovementRow) => ({
  id: movement.id,
  object: 'cash_movement' as const,
  shift_id: movement.shiftId,
  kind: movement.kind,
  amount: movement.amountMinor.toString(),
  order_id: movement.orderId,
  note: movement.note,
  created_at: movement.createdAt.toISOString(),
})
