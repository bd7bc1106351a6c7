export { standingOf } from './store.ts'
