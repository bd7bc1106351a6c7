/** What other areas may import of payouts: handling the notifications of banks and processors, and the settings. */
export { handlePayoutNotification } from './send.ts'
export { payoutById, settingsOf } from './store.ts'
export { handleProcessorPayout } from './sync.ts'
