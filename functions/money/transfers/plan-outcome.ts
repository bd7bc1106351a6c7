import { transfers } from '../../../drizzle/schema/transfers.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, type Plan, post } from '../../../src/kernel/plan.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import { type OrderStatus, orderOutcome, pollsAfter } from '../bank-orders/api-pure.ts'
import { about, can } from './plan.ts'
import { presentTransfer } from './present.ts'
import type { TransferRow } from './store.ts'

/** Only a transfer to another workspace fails for its destination. */
export type TransferStatus = OrderStatus<'destination_unknown'>

/** The changes for a state; null when there are none. */
export function planOutcome(
  transfer: TransferRow,
  state: TransferStatus,
  clock: Clock,
): Plan<ReturnType<typeof presentTransfer>> | null {
  const { now, newId } = clock
  const outcome = orderOutcome(state, transfer, (move) => can(transfer, move), now)
  if (!outcome) return null
  const status = outcome.status === 'sent' ? ('processing' as const) : outcome.status
  const set = { ...outcome.set, status, updatedAt: now }
  const reply = presentTransfer({ ...transfer, ...set })
  // A transfer that waited for approval was never debited.
  const movement = transfer.status === 'pending_approval' ? null : outcome.movement
  const booked =
    movement && movementJournal(`transfer.transfer_${movement}`, transfer, transfer.amountMinor, clock)
  return {
    writes: [change(transfers, transfer, set), ...(booked ? [post(booked)] : [])],
    events: [event(newId(), `transfer.${status}`, about(transfer), reply, presentTransfer(transfer))],
    reply,
    subjectId: transfer.id,
  }
}

export function planNextPoll(transfer: TransferRow, state: TransferStatus, now: Date): Plan<object> | null {
  const polls = pollsAfter(state, transfer, now)
  return polls && { writes: [change(transfers, transfer, polls)], events: [], reply: {} }
}
