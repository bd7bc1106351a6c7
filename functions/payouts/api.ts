/** What other areas may import of payouts: handling a bank's notification, and the settings. */
export { handlePayoutNotification } from './send.ts'
export { payoutById, settingsOf } from './store.ts'
