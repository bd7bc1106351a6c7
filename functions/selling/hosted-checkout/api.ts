/** What other areas may use of checkout sessions: an order of a buyer becomes one. */
export { partsOf } from './lines.ts'
export { type Order, planOrder } from './plan-order.ts'
