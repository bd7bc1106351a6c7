/** What plans may know of orders: how much an API key may send in a day that no person approves. */
export { type Allowance, count, fits } from './plan-limit.ts'
