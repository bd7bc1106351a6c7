/** What plans may import of orders: how much an API key may send in a day without approval. */
export { count, type SpendLimit, withinLimit } from './plan-limit.ts'
