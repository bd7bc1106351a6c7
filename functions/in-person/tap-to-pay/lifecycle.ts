import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** A token is redeemed once; one that is asked for after it takes its place. */
export const connectionTokenLifecycle = lifecycle({
  resource: 'connection_tokens',
  initial: ['issued'],
  moves: {
    redeem: { from: ['issued'], to: 'redeemed' },
    replace: { from: ['issued'], to: 'replaced' },
  },
})
