import { lifecycle } from '../../../src/kernel/lifecycle.ts'

const inquiries = ['inquiry_needs_response', 'inquiry_under_review', 'inquiry_closed'] as const

/**
 * Reports come in any order, and sometimes only once the dispute is over: it starts in, and moves to, whatever state
 * the processor reports. No bank decision is final: a won or lost dispute may be reviewed again (pre-arbitration,
 * arbitration, an appeal, a corrected report) and decided the other way. An inquiry may become a dispute at any time; a
 * dispute never becomes an inquiry.
 */
export const disputeLifecycle = lifecycle({
  resource: 'disputes',
  initial: ['needs_response', 'under_review', 'won', 'lost', ...inquiries],
  moves: {
    ask: { from: ['under_review', 'won', 'lost', ...inquiries], to: 'needs_response' },
    review: { from: ['needs_response', 'won', 'lost', ...inquiries], to: 'under_review' },
    win: { from: ['needs_response', 'under_review', 'lost', ...inquiries], to: 'won' },
    lose: { from: ['needs_response', 'under_review', 'won', ...inquiries], to: 'lost' },
    inquire: { from: ['inquiry_under_review', 'inquiry_closed'], to: 'inquiry_needs_response' },
    look_at: { from: ['inquiry_needs_response', 'inquiry_closed'], to: 'inquiry_under_review' },
    close: { from: ['inquiry_needs_response', 'inquiry_under_review'], to: 'inquiry_closed' },
  },
})

/** Files for evidence: each has a day from the first on which it goes. */
export const evidenceFileLifecycle = lifecycle({
  resource: 'dispute_files',
  initial: ['uploading'],
  moves: {
    store: { from: ['uploading'], to: 'stored' },
    remove: { from: ['uploading', 'stored'], to: 'removing' },
    removed: { from: ['removing'], to: 'removed' },
  },
})
