/** Common to all orders to a bank or a processor: sending, asking, handling notifications and recording. */
export {
  handleOrderNotification,
  type Orders,
  resolveOrder,
  resolveOrders,
  sendAndRecord,
  sendOrder,
} from './reconcile.ts'
export { dailySpendOf } from './store.ts'
