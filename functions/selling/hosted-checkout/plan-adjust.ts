import type { Plan } from '../../../src/kernel/plan.ts'
import { type Adjustment, adjusted, type Unchanged } from '../../order/lines/api-pure.ts'
import { planChange, problemOfPaying, type Selling } from './plan.ts'
import type { SessionRow } from './store.ts'

/** A buyer changes the order. Null where nothing changes. */
export function planAdjust(
  session: SessionRow,
  asked: Adjustment,
  read: Parameters<typeof adjusted>[2],
  selling: Selling,
): Plan<unknown> | Unchanged | null {
  if (session.status !== 'open' || session.expiresAt <= selling.now) return { problem: 'order.closed' }
  const next = adjusted(session, asked, read, selling.now)
  if (next === null || 'problem' in next) return next
  const patch = { ...next, policyVersion: selling.policyVersion, termsVersion: session.termsVersion + 1 }
  if (problemOfPaying({ ...session, ...patch }, selling)) return { problem: 'order.amount' }
  return planChange(session, patch, 'checkout_session.updated', selling)
}
