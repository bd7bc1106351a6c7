/** What plans may import of orders: how much an API key may send in a day without approval, and what a bank's answer changes. */
export { count, type SpendLimit, spentOn, withinLimit } from './plan-limit.ts'
export { type OrderStatus, orderOutcome, pollsAfter } from './plan-outcome.ts'
