/** What other areas may use of entitlements: what the buyer's receipt shows, and its downloads. */
export { type Delivered, deliveredOf, type RefusedDownload, takeDownload } from './download.ts'
export { type Granted, grantedTo } from './store.ts'
