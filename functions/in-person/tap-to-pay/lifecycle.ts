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

/** A phone takes cards while its session is open: a merchant ends it, the next one does, and the end of its pairing. */
export const tapSessionLifecycle = lifecycle({
  resource: 'tap_sessions',
  initial: ['open'],
  moves: { end: { from: ['open'], to: 'ended' } },
})
