/** What other areas may import of transfers: handling a bank's notification. */
export { handleTransferNotification } from './send.ts'
export { type TransferRow, transferById } from './store.ts'
