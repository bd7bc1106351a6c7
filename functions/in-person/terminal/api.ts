/** What the sandbox drives of readers. */
export { settleAction } from './operations.ts'
export { inPersonOrigin } from './origin.ts'
export {
  actionById,
  actionInProgress,
  type InPersonRow,
  inPersonById,
  nextActionOf,
  ownActionById,
  type ReaderActionRow,
} from './store.ts'
