/** The shapes of a reader's action. No I/O. */
export { exampleAction, ReaderAction } from './contract-action.ts'
export { DeviceAction, exampleOrder } from './contract-device.ts'
export { inPerson } from './facts.ts'
export { expectPaired } from './plan-actions.ts'
export { presentAction, presentOrder } from './present.ts'
export type { InPersonRow } from './store.ts'
