import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** A `merged` customer answers as the one in `merged_into`; an `erased` one has no data of the person any more. */
export const customerLifecycle = lifecycle({
  resource: 'customers',
  initial: ['active'],
  moves: {
    block: { from: ['active'], to: 'blocked' },
    unblock: { from: ['blocked'], to: 'active' },
    merge: { from: ['active'], to: 'merged' },
    unmerge: { from: ['merged'], to: 'active' },
    erase: { from: ['blocked', 'merged'], to: 'erased' },
  },
})

export const contactLifecycle = lifecycle({
  resource: 'customer_contacts',
  initial: ['active'],
  moves: { remove: { from: ['active'], to: 'removed' } },
})

export const consentLifecycle = lifecycle({
  resource: 'customer_consents',
  initial: ['given'],
  moves: { withdraw: { from: ['given'], to: 'withdrawn' } },
})

export const noteLifecycle = lifecycle({
  resource: 'customer_notes',
  initial: ['active'],
  moves: { delete: { from: ['active'], to: 'deleted' } },
})

export const mergeLifecycle = lifecycle({
  resource: 'customer_merges',
  initial: ['merged'],
  moves: { undo: { from: ['merged'], to: 'undone' } },
})
