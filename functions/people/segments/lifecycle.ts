import { lifecycle } from '../../../src/kernel/lifecycle.ts'

export const segmentLifecycle = lifecycle({
  resource: 'segments',
  initial: ['active'],
  moves: { delete: { from: ['active'], to: 'deleted' } },
})
