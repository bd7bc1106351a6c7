import { lifecycle } from '../../src/kernel/lifecycle.ts'

/**
 * Told in any order, and sometimes only once it is over: a dispute begins where the processor says that it stands. A
 * bank may ask again after it has looked, and may decide for the merchant after all. What was won stays won.
 */
export const disputeLifecycle = lifecycle({
  resource: 'disputes',
  initial: ['needs_response', 'under_review', 'won', 'lost'],
  moves: {
    review: { from: ['needs_response'], to: 'under_review' },
    ask: { from: ['under_review'], to: 'needs_response' },
    win: { from: ['needs_response', 'under_review'], to: 'won' },
    lose: { from: ['needs_response', 'under_review'], to: 'lost' },
    overturn: { from: ['lost'], to: 'won' },
  },
})
