import { tableExternalPayments, tableLines, tableSessions } from '../../../drizzle/schema/table-pay.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { change, expect, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-external.ts'
import { freeLine } from './plan.ts'
import { expectServing } from './plan-waiters.ts'
import { presentExternalPayment } from './present.ts'
import type { ExternalPaymentRow, SessionRow, ShownLine, WaiterRow } from './store.ts'

const { created, changed } = changesOf(
  tableExternalPayments,
  'table_external_payment',
  presentExternalPayment,
)

/**
 * It pays at once: an amount of the bill, or lines at what they cost. `waiter`: to whom its tip is owed, absent where who
 * serves the bill.
 */
export function planRecord(
  session: SessionRow,
  { method, amount, amount_tip, line_ids, note }: BodyOf<typeof contracts.record>,
  waiter: WaiterRow | null | undefined,
  clock: Clock,
) {
  if (session.status !== 'open') return refuse('table_session_not_open')
  if (waiter?.status === 'archived') return refuse('waiter_archived', { param: 'waiter_id' })
  const amountMinor = BigInt(amount)
  const lines: ShownLine[] = []
  for (const [at, id] of line_ids.entries()) {
    const line = freeLine(session, id, `line_ids.${at}`)
    if ('refused' in line) return line
    lines.push(line)
  }
  const costMinor = lines.reduce((sum, { amount_total }) => sum + BigInt(amount_total), 0n)
  if (lines.length > 0 && costMinor !== amountMinor)
    return refuse('parameter_invalid', {
      param: 'amount',
      message: `The lines come to ${costMinor} minor units.`,
    })
  const restMinor = session.totalMinor - session.heldMinor - session.paidMinor
  if (amountMinor > restMinor)
    return refuse('table_session_amount_taken', {
      param: 'amount',
      message: `${restMinor} minor units of the bill are left; the rest is paid, or is being paid.`,
    })
  const payment: ExternalPaymentRow = {
    ...newRow(clock),
    sessionId: session.id,
    status: 'recorded',
    method,
    amountMinor,
    tipMinor: BigInt(amount_tip),
    waiterId: waiter === undefined ? session.waiterId : (waiter?.id ?? null),
    note,
  }
  const plan = created(payment, 'table_external_payment.recorded', clock)
  const claims = lines.map((line) =>
    change(tableLines, line, { externalPaymentId: payment.id, updatedAt: clock.now }),
  )
  return {
    ...plan,
    writes: [
      expect(tableSessions, session.id, { status: 'open', waiterId: session.waiterId }),
      ...(waiter ? [expectServing(waiter)] : []),
      ...plan.writes,
      ...claims,
    ],
  }
}

export const planCancelExternal = (payment: ExternalPaymentRow, clock: Clock) => {
  if (payment.status === 'canceled') return refuse('table_external_payment_canceled')
  const plan = changed(payment, { status: 'canceled' }, 'table_external_payment.canceled', clock)
  return {
    ...plan,
    writes: [expect(tableSessions, payment.sessionId, { status: 'open' }), ...plan.writes],
  }
}
