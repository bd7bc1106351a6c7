/** What others may know of transfers: that a bank told of one. */
export { heardOfTransfer } from './send.ts'
export { type TransferRow, transferById } from './store.ts'
