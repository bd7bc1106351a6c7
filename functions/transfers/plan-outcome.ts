import { incomingTransfers, transfers } from '../../drizzle/schema/transfers.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { event } from '../../src/kernel/events.ts'
import { change, insert, type Plan, post, type Write } from '../../src/kernel/plan.ts'
import { firstWatch, nextPoll, pollAgain, watchAgain } from '../../src/kernel/poll-schedule.ts'
import { movementJournal } from '../../src/ledger/journals.ts'
import type { BankState } from '../../src/processors/port.ts'
import { about, can } from './plan.ts'
import { presentIncomingTransfer, presentTransfer } from './present.ts'
import type { IncomingTransferRow, TransferRow } from './store.ts'

/** The state of a transfer: the bank's answer, or the result of moving it to another workspace. */
export type OrderStatus =
  | BankState
  | { readonly state: 'arrived' }
  | { readonly state: 'failed'; readonly code: 'destination_unknown' }

/** The changes for a standing; null when there are none. */
export function planOutcome(
  transfer: TransferRow,
  standing: OrderStatus,
  clock: Clock,
): Plan<ReturnType<typeof presentTransfer>> | null {
  switch (standing.state) {
    case 'processing':
      return can(transfer, 'send')
        ? planMove(
            transfer,
            'processing',
            { nextCheckAt: nextPoll(transfer.checksCount, clock.now) },
            [],
            clock,
          )
        : null
    case 'arrived':
      return can(transfer, 'pay') ? planPaid(transfer, null, null, clock) : null
    case 'paid':
      return can(transfer, 'pay')
        ? planPaid(transfer, standing.claveRastreo, firstWatch(clock.now), clock)
        : null
    case 'failed':
      return can(transfer, 'fail') ? planReversed(transfer, 'failed', standing.code, clock) : null
    case 'canceled':
      return can(transfer, 'cancel') ? planReversed(transfer, 'canceled', null, clock) : null
    case 'returned':
      // Returned before we knew that it was paid: record `paid` now, `returned` at the next look.
      if (can(transfer, 'pay')) return planPaid(transfer, null, clock.now, clock)
      return can(transfer, 'return') ? planReturned(transfer, standing, clock) : null
    default:
      return null
  }
}

function planPaid(transfer: TransferRow, claveRastreo: string | null, nextPollAt: Date | null, clock: Clock) {
  const set = { claveRastreo, resolvedAt: clock.now, nextCheckAt: nextPollAt, checksCount: 0 }
  return planMove(
    transfer,
    'paid',
    set,
    [post(movementJournal('transfer.transfer_paid', transfer, transfer.amountMinor, clock))],
    clock,
  )
}

function planReversed(
  transfer: TransferRow,
  status: 'failed' | 'canceled',
  failureCode: TransferRow['failureCode'],
  clock: Clock,
) {
  const set = { failureCode, resolvedAt: clock.now, nextCheckAt: null }
  // A transfer that waited for approval was never debited.
  const writes =
    transfer.status === 'pending_approval'
      ? []
      : [post(movementJournal('transfer.transfer_reversed', transfer, transfer.amountMinor, clock))]
  return planMove(transfer, status, set, writes, clock)
}

function planReturned(
  transfer: TransferRow,
  { code, claveRastreo }: Extract<BankState, { state: 'returned' }>,
  clock: Clock,
) {
  const set = {
    failureCode: code,
    returnClaveRastreo: claveRastreo,
    resolvedAt: clock.now,
    nextCheckAt: null,
  }
  const journal = movementJournal('transfer.transfer_returned', transfer, transfer.amountMinor, clock)
  return planMove(transfer, 'returned', set, [post(journal)], clock)
}

function planMove(
  transfer: TransferRow,
  status: 'processing' | 'paid' | 'failed' | 'canceled' | 'returned',
  set: Partial<TransferRow>,
  writes: readonly Write[],
  { now, newId }: Clock,
) {
  const moved = { ...set, status, updatedAt: now }
  const reply = presentTransfer({ ...transfer, ...moved })
  return {
    writes: [change(transfers, transfer, moved), ...writes],
    events: [event(newId(), `transfer.${status}`, about(transfer), reply, presentTransfer(transfer))],
    reply,
    subjectId: transfer.id,
  }
}

/** Nothing new, or no answer: look again at growing intervals. A paid transfer is watched for some days. */
export function planNextPoll(transfer: TransferRow, { state }: OrderStatus, now: Date): Plan<object> | null {
  if (transfer.nextCheckAt === null) return null
  const looks =
    transfer.status === 'paid' ? watchAgain(transfer, state !== 'unknown', now) : pollAgain(transfer, now)
  return { writes: [change(transfers, transfer, looks)], events: [], reply: {} }
}

/**
 * The receiving side of a transfer between workspaces: published in the receiver's, where the database accepts it once.
 */
export function planReceive(transfer: TransferRow, { now, newId }: Clock): Plan<object> {
  const { amountMinor, currency, concept } = transfer
  const incoming: IncomingTransferRow = {
    tenantId: transfer.destinationTenantId!,
    id: newId(),
    sourceTransferId: transfer.id,
    sourceTenantId: transfer.tenantId,
    amountMinor,
    currency,
    concept,
    createdAt: now,
  }
  const journal = movementJournal('incoming_transfer.incoming', incoming, amountMinor, { now, newId })
  const received = { type: 'incoming_transfer', id: incoming.id }
  return {
    writes: [insert(incomingTransfers, incoming), post(journal)],
    events: [event(newId(), 'incoming_transfer.received', received, presentIncomingTransfer(incoming))],
    reply: {},
  }
}
