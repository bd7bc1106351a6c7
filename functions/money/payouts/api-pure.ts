/** What other areas may import of payouts: no I/O. */
export { refusalOfAccount } from './plan.ts'
export { type Interval, nextPayoutOn } from './plan-schedule.ts'
export type { SettingsRow } from './store.ts'
