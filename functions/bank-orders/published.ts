/** Common to all orders to a bank or a processor: sending, asking, handling notifications and recording. */
export { hearOfOrder, type Orders, resolveOrder, resolveOrders, sendAndRecord, sendOrder } from './follow.ts'
export { dailySumsOf } from './store.ts'
