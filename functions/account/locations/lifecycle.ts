import { lifecycle } from '../../../src/kernel/lifecycle.ts'

export const locationLifecycle = lifecycle({
  resource: 'locations',
  initial: ['active'],
  moves: {
    archive: { from: ['active'], to: 'archived' },
    restore: { from: ['archived'], to: 'active' },
  },
})
