import { paymentLinks, paymentLinkUses } from '../../../drizzle/schema/payment-links.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, expect, type Plan } from '../../../src/kernel/plan.ts'
import { about, type Making, planChange } from './plan.ts'
import { presentLink } from './present.ts'
import type { LinkRow, UsesRow } from './store.ts'

/** The last use of a link is paid: it becomes inactive, and that is published once; null where uses are left again. */
export function planUsedUp(link: LinkRow, uses: UsesRow, making: Making): Plan<object> | null {
  if (uses.usedUpAt === null || uses.announcedAt !== null) return null
  const set = { announcedAt: making.now, updatedAt: making.now }
  const announced = change(paymentLinkUses, uses, set)
  if (link.status === 'active') {
    const closed = planChange(link, { status: 'inactive' }, 'payment_link.used_up', making)
    return { ...closed, writes: [...closed.writes, announced] }
  }
  return {
    // The event shows the link as it is now.
    writes: [expect(paymentLinks, link.id, { version: link.version }), announced],
    events: [
      event(making.newId(), 'payment_link.used_up', about(link), presentLink(link, making.linkBaseUrl)),
    ],
    reply: {},
  }
}
