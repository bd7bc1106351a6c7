import { disputes } from '../../../drizzle/schema/disputes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, type EventDraft, post, type Write } from '../../../src/kernel/plan.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import { nextPoll } from './plan.ts'
import { type DisputeReply, presentDispute } from './present.ts'
import type { DisputeRow } from './store.ts'

/**
 * Part of what a dispute holds or has taken went back to the buyer by a refund: reduce it by that. A lost one is looked
 * at again, since it is no longer fully covered. `claimed`: the bank claims less. The caller updates the payment's
 * counters.
 */
export function planHoldDecreased(
  dispute: DisputeRow,
  byMinor: bigint,
  { now, newId }: Clock,
  claimed: Partial<Pick<DisputeRow, 'amountMinor'>> = {},
): { writes: Write[]; events: EventDraft[]; reply: DisputeReply } {
  const isLost = dispute.status === 'lost'
  const set = {
    ...claimed,
    heldMinor: dispute.heldMinor - byMinor,
    ...(isLost ? nextPoll('lost', now) : {}),
    updatedAt: now,
  }
  const object = presentDispute({ ...dispute, ...set })
  // Several refunds may do so in one of the bank's rounds: the row's version tells them apart.
  const source = { ...dispute, round: dispute.version }
  const from = isLost ? 'processor_clearing' : 'dispute_hold'
  return {
    writes: [
      change(disputes, dispute, set),
      post(movementJournal('dispute.reduced', source, byMinor, { now, newId }, from)),
    ],
    events: [
      event(
        newId(),
        'dispute.hold_decreased',
        { type: 'dispute', id: dispute.id },
        object,
        presentDispute(dispute),
      ),
    ],
    reply: object,
  }
}
