import { lifecycle } from '../../src/kernel/lifecycle.ts'

/**
 * Reports come in any order, and sometimes only once the dispute is over: it starts in, and moves to, whatever state
 * the processor reports. No bank decision is final: a won or lost dispute may be reviewed again (pre-arbitration,
 * arbitration, an appeal, a corrected report) and decided the other way.
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
