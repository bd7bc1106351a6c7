/** What other areas may use of checkout sessions: an order of a buyer becomes one. */
export { type Order, planOrder } from './plan-order.ts'
