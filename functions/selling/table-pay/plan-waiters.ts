import { tipPayouts, waiters } from '../../../drizzle/schema/table-pay.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, named, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { expect, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract-waiters.ts'
import { presentTipPayout, presentWaiter } from './present-waiters.ts'
import type { TipPayoutRow, WaiterRow } from './store.ts'

const { created, changed } = changesOf(waiters, 'waiter', presentWaiter)
const payouts = changesOf(tipPayouts, 'tip_payout', presentTipPayout)

export const planCreateWaiter = (
  { name, payroll_reference: payrollReference }: BodyOf<typeof contracts.create>,
  clock: Clock,
) => created({ ...newRow(clock), status: 'active', name, payrollReference }, 'waiter.created', clock)

export const planUpdateWaiter = (
  waiter: WaiterRow,
  { name, payroll_reference: payrollReference }: BodyOf<typeof contracts.update>,
  clock: Clock,
) =>
  waiter.status === 'archived'
    ? refuse('waiter_archived')
    : changed(waiter, named({ name, payrollReference }), 'waiter.updated', clock)

export const planArchiveWaiter = (waiter: WaiterRow, clock: Clock) =>
  waiter.status === 'archived'
    ? refuse('waiter_archived')
    : changed(waiter, { status: 'archived' }, 'waiter.archived', clock)

export const planRestoreWaiter = (waiter: WaiterRow, clock: Clock) =>
  waiter.status === 'active'
    ? refuse('waiter_not_archived')
    : changed(waiter, { status: 'active' }, 'waiter.restored', clock)

/** Only an active waiter is newly named. */
export const expectServing = ({ id }: Pick<WaiterRow, 'id'>) => expect(waiters, id, { status: 'active' })

/** Whether they are owed that much, the database says. */
export const planPayOut = (
  { id: waiterId }: WaiterRow,
  { amount, note }: BodyOf<typeof contracts.payOut>,
  clock: Clock,
) =>
  payouts.created(
    { ...newRow(clock), status: 'recorded', waiterId, amountMinor: BigInt(amount), currency: 'mxn', note },
    'tip_payout.recorded',
    clock,
  )

export const planCancelPayout = (payout: TipPayoutRow, clock: Clock) =>
  payout.status === 'canceled'
    ? refuse('tip_payout_canceled')
    : payouts.changed(payout, { status: 'canceled' }, 'tip_payout.canceled', clock)
