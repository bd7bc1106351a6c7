/** Common to all orders to a bank or a processor: sending, polling, handling notifications and recording. */
export {
  handleOrderNotification,
  type Orders,
  resolveOrder,
  resolveOrders,
  sendAndApply,
  sendOrder,
} from './reconcile.ts'
export { dailySpendOf } from './store.ts'
