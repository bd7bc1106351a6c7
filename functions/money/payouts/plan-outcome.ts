import { payouts } from '../../../drizzle/schema/payouts.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { change, type Plan, post } from '../../../src/kernel/plan.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import type { BankState } from '../../../src/processors/port.ts'
import { noticeToOwners } from '../../account/mails/api-pure.ts'
import { orderOutcome, pollsAfter } from '../bank-orders/api-pure.ts'
import { about, can } from './plan.ts'
import { presentPayout } from './present.ts'
import type { PayoutRow } from './store.ts'

/** The changes for the bank's answer; null when there are none. */
export function planOutcome(
  payout: PayoutRow,
  state: BankState,
  clock: Clock,
): Plan<ReturnType<typeof presentPayout>> | null {
  const { now, newId } = clock
  const outcome = orderOutcome(state, payout, (move) => can(payout, move), now)
  if (!outcome) return null
  const { movement } = outcome
  const status = outcome.status === 'sent' ? ('in_transit' as const) : outcome.status
  const set = { ...outcome.set, status, updatedAt: now }
  const reply = presentPayout({ ...payout, ...set })
  const booked = movement && movementJournal(`payout.payout_${movement}`, payout, payout.amountMinor, clock)
  const eventId = newId()
  const notice =
    status === 'failed' || status === 'returned'
      ? [noticeToOwners(eventId, `payout_${status}`, facts({ ...payout, ...set }), now)]
      : []
  return {
    writes: [change(payouts, payout, set), ...(booked ? [post(booked)] : []), ...notice],
    events: [event(eventId, `payout.${status}`, about(payout), reply, presentPayout(payout))],
    reply,
    subjectId: payout.id,
  }
}

/** What the mail about a payout that came back says. */
const facts = ({ id, amountMinor, currency, failureCode, destinationClabe, updatedAt }: PayoutRow) => ({
  amount: toMinorString(amountMinor),
  currency,
  account: `···${destinationClabe?.slice(-4) ?? ''}`,
  failure: failureCode ?? '',
  reference: id,
  at: updatedAt.toISOString(),
})

export function planNextPoll(payout: PayoutRow, state: BankState, now: Date): Plan<object> | null {
  const polls = pollsAfter(state, payout, now)
  return polls && { writes: [change(payouts, payout, polls)], events: [], reply: {} }
}
