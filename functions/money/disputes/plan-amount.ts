import { disputes } from '../../../drizzle/schema/disputes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, type Plan } from '../../../src/kernel/plan.ts'
import type { DisputeFacts } from '../../../src/processors/claims.ts'
import { countDisputed, type DisputeContext } from './plan.ts'
import { planHoldDecreased } from './plan-hold.ts'
import { type DisputeReply, presentDispute } from './present.ts'
import { counts, isInquiry } from './standing.ts'

/**
 * The bank claims another amount than before, as when an inquiry about a whole payment becomes a dispute of a part: a
 * change of its own, before any other of the same facts. What is held or lost beyond the claim comes back; what a larger
 * claim takes, the next look takes. Null where the amount is the same.
 */
export function planOtherAmount(
  { payment, dispute }: DisputeContext,
  { amountMinor, state }: DisputeFacts,
  clock: Clock,
): Plan<DisputeReply> | null {
  if (!dispute || dispute.amountMinor === amountMinor) return null
  // The processor's answer from before the inquiry became a dispute.
  if (isInquiry(state) && !isInquiry(dispute.status)) return null
  const { heldMinor } = dispute
  const excessMinor = heldMinor > amountMinor ? heldMinor - amountMinor : 0n
  if (excessMinor > 0n && counts(dispute.status)) {
    const lowered = planHoldDecreased(dispute, excessMinor, clock, { amountMinor })
    const moved = countDisputed(payment, { disputedMinor: -excessMinor, open: 0 }, clock)
    return {
      writes: [...moved.writes, ...lowered.writes],
      events: [...lowered.events, ...moved.events],
      reply: lowered.reply,
    }
  }
  const set = { amountMinor, heldMinor: heldMinor - excessMinor, updatedAt: clock.now }
  const object = presentDispute({ ...dispute, ...set })
  const about = { type: 'dispute', id: dispute.id }
  return {
    writes: [change(disputes, dispute, set)],
    events: [event(clock.newId(), 'dispute.amount_changed', about, object, presentDispute(dispute))],
    reply: object,
  }
}
