import { lifecycle } from '../../src/kernel/lifecycle.ts'

/**
 * Told in any order, and sometimes only once it is over: a dispute begins where the processor says that it stands, and
 * goes where the processor says that it is. Nothing is final at a bank: what was won or lost may be looked at again
 * (pre-arbitration, arbitration, an appeal, a corrected report) and decided the other way.
 */
export const disputeLifecycle = lifecycle({
  resource: 'disputes',
  initial: ['needs_response', 'under_review', 'won', 'lost'],
  moves: {
    ask: { from: ['under_review', 'won', 'lost'], to: 'needs_response' },
    review: { from: ['needs_response', 'won', 'lost'], to: 'under_review' },
    win: { from: ['needs_response', 'under_review', 'lost'], to: 'won' },
    lose: { from: ['needs_response', 'under_review', 'won'], to: 'lost' },
  },
})
