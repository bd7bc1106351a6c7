// What other areas ask of payments that were counted.
export { blocked, declined, outcomes, wasAccepted } from './store.ts'
