/** What other areas may use of entitlements: what the buyer's receipt shows, and its downloads. */
export { type Delivered, deliveredOf, type RefusedDownload, takeDownload } from './download.ts'
export { type CountedFile, type Granted, type GrantedRow, grantedBeside, grantedFreely } from './store.ts'
