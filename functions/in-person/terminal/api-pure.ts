/** The shapes of a reader's action. No I/O. */
export { exampleAction, ReaderAction } from './contract-action.ts'
export { presentAction } from './present.ts'
