import { cashMovements, registerShifts } from '../../../drizzle/schema/physical-checkout.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type { PlacedDevice } from '../devices/api-pure.ts'
import type * as contracts from './contract-shifts.ts'
import { expectSelling, problemOfRegister } from './plan-codes.ts'
import { presentMovement, presentShift } from './present.ts'
import type { MovementRow, ShiftRow } from './store.ts'

const { created, changed } = changesOf(registerShifts, 'register_shift', presentShift)

export function planOpen(
  register: PlacedDevice,
  { amount_opening: opening, cashier_name: cashierName }: BodyOf<typeof contracts.open>,
  clock: Clock,
) {
  const problem = problemOfRegister(register)
  if (problem) return problem
  const shift: ShiftRow = {
    ...newRow(clock),
    status: 'open',
    registerId: register.id,
    cashierName,
    currency: 'mxn',
    openingMinor: BigInt(opening),
    salesMinor: 0n,
    returnsMinor: 0n,
    paidInMinor: 0n,
    paidOutMinor: 0n,
    countedMinor: null,
    unsettledCount: null,
    note: null,
    closedAt: null,
    commitOrder: null,
    bookedAt: null,
  }
  const plan = created(shift, 'register_shift.opened', clock)
  return { ...plan, writes: [expectSelling(register), ...plan.writes] }
}

/** What it expects is what its row says when it is closed: cash that moves meanwhile gives the row another version. */
export const planClose = (
  shift: ShiftRow,
  { amount_counted: counted, note }: BodyOf<typeof contracts.close>,
  unsettledCount: number,
  clock: Clock,
) =>
  shift.status === 'closed'
    ? refuse('register_shift_closed')
    : changed(
        shift,
        { status: 'closed', countedMinor: BigInt(counted), note, unsettledCount, closedAt: clock.now },
        'register_shift.closed',
        clock,
      )

/** Whether the drawer has as much, and whether the shift is open still, the database says. */
export function planMoveCash(
  shift: ShiftRow,
  { kind, amount, note }: BodyOf<typeof contracts.moveCash>,
  { now, newId }: Clock,
) {
  if (shift.status === 'closed') return refuse('register_shift_closed')
  const row: MovementRow = {
    id: newId(),
    shiftId: shift.id,
    kind,
    amountMinor: BigInt(amount),
    orderId: null,
    note,
    createdAt: now,
  }
  const reply = presentMovement(row)
  return {
    writes: [insert(cashMovements, row)],
    events: [event(newId(), 'cash_movement.recorded', { type: 'cash_movement', id: row.id }, reply)],
    reply,
    subjectId: row.id,
  } satisfies Plan<unknown>
}
