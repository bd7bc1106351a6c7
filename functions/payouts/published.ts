/** What others may know of payouts: that a bank told of one. */
export { heardOfPayout } from './send.ts'
export { payoutById } from './store.ts'
