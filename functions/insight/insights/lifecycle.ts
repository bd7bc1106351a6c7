import { lifecycle } from '../../../src/kernel/lifecycle.ts'

export const insightLifecycle = lifecycle({
  resource: 'insights',
  initial: ['open'],
  moves: {
    acknowledge: { from: ['open'], to: 'acknowledged' },
    dismiss: { from: ['open', 'acknowledged'], to: 'dismissed' },
    resolve: { from: ['open', 'acknowledged'], to: 'resolved' },
  },
})
