/** What other areas may import of payouts: handling a bank's notification. */
export { handlePayoutNotification } from './send.ts'
export { payoutById } from './store.ts'
