import { lifecycle } from '../../src/kernel/lifecycle.ts'

/** The file of a logo: its row comes before it and outlives it, so that no file is forgotten. */
export const logoLifecycle = lifecycle({
  resource: 'logos',
  initial: ['uploading'],
  moves: {
    store: { from: ['uploading'], to: 'stored' },
    retire: { from: ['stored'], to: 'retired' },
    remove: { from: ['uploading', 'retired'], to: 'removing' },
    removed: { from: ['removing'], to: 'removed' },
  },
})
