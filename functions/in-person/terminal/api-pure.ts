/** The shapes of a reader's action. No I/O. */
export { exampleAction, ReaderAction } from './contract-action.ts'
export { DeviceAction, exampleOrder } from './contract-device.ts'
export { presentAction, presentOrder } from './present.ts'
