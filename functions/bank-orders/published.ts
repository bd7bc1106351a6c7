/** What all orders to a bank or a processor have in common: how they are sent, asked about, heard of and recorded. */
export { hearOfOrder, type Orders, resolveOrder, resolveOrders, sendAndRecord, sendOrder } from './follow.ts'
export { dailySumsOf } from './store.ts'
