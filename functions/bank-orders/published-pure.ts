/** What plans may import of orders: how much an API key may send in a day without approval. */
export { type Allowance, count, fits } from './plan-limit.ts'
