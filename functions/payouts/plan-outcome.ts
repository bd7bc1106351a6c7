import { payouts } from '../../drizzle/schema/payouts.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { event } from '../../src/kernel/events.ts'
import { change, type Plan, post, type Write } from '../../src/kernel/plan.ts'
import { firstWatch, nextPoll, pollAgain, watchAgain } from '../../src/kernel/poll-schedule.ts'
import { movementJournal } from '../../src/ledger/journals.ts'
import type { BankState } from '../../src/processors/port.ts'
import { about, can } from './plan.ts'
import { presentPayout } from './present.ts'
import type { PayoutRow } from './store.ts'

/** The changes for the bank's answer; null when there are none. */
export function planOutcome(
  payout: PayoutRow,
  standing: BankState,
  clock: Clock,
): Plan<ReturnType<typeof presentPayout>> | null {
  switch (standing.state) {
    case 'processing':
      return can(payout, 'send')
        ? planMove(payout, 'in_transit', { nextCheckAt: nextPoll(payout.checksCount, clock.now) }, [], clock)
        : null
    case 'paid':
      return can(payout, 'pay') ? planPaid(payout, standing.claveRastreo, firstWatch(clock.now), clock) : null
    case 'failed':
      return can(payout, 'fail') ? planReversed(payout, 'failed', standing.code, clock) : null
    case 'canceled':
      return can(payout, 'cancel') ? planReversed(payout, 'canceled', null, clock) : null
    case 'returned':
      // Returned before we knew that it was paid: record `paid` now, `returned` at the next look.
      if (can(payout, 'pay')) return planPaid(payout, null, clock.now, clock)
      return can(payout, 'return') ? planReturned(payout, standing, clock) : null
    default:
      return null
  }
}

function planPaid(payout: PayoutRow, claveRastreo: string | null, nextPollAt: Date, clock: Clock) {
  const set = { claveRastreo, resolvedAt: clock.now, nextCheckAt: nextPollAt, checksCount: 0 }
  const journal = movementJournal('payout.payout_paid', payout, payout.amountMinor, clock)
  return planMove(payout, 'paid', set, [post(journal)], clock)
}

function planReversed(
  payout: PayoutRow,
  status: 'failed' | 'canceled',
  failureCode: PayoutRow['failureCode'],
  clock: Clock,
) {
  const set = { failureCode, resolvedAt: clock.now, nextCheckAt: null }
  const journal = movementJournal('payout.payout_reversed', payout, payout.amountMinor, clock)
  return planMove(payout, status, set, [post(journal)], clock)
}

function planReturned(
  payout: PayoutRow,
  { code, claveRastreo }: Extract<BankState, { state: 'returned' }>,
  clock: Clock,
) {
  const set = {
    failureCode: code,
    returnClaveRastreo: claveRastreo,
    resolvedAt: clock.now,
    nextCheckAt: null,
  }
  const journal = movementJournal('payout.payout_returned', payout, payout.amountMinor, clock)
  return planMove(payout, 'returned', set, [post(journal)], clock)
}

function planMove(
  payout: PayoutRow,
  status: 'in_transit' | 'paid' | 'failed' | 'canceled' | 'returned',
  set: Partial<PayoutRow>,
  writes: readonly Write[],
  { now, newId }: Clock,
) {
  const moved = { ...set, status, updatedAt: now }
  const reply = presentPayout({ ...payout, ...moved })
  return {
    writes: [change(payouts, payout, moved), ...writes],
    events: [event(newId(), `payout.${status}`, about(payout), reply, presentPayout(payout))],
    reply,
    subjectId: payout.id,
  }
}

/** Nothing new, or no answer: look again at growing intervals. A paid payout is watched for some days. */
export function planNextPoll(payout: PayoutRow, { state }: BankState, now: Date): Plan<object> | null {
  if (payout.nextCheckAt === null) return null
  const looks =
    payout.status === 'paid' ? watchAgain(payout, state !== 'unknown', now) : pollAgain(payout, now)
  return { writes: [change(payouts, payout, looks)], events: [], reply: {} }
}
