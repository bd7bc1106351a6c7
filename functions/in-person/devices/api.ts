/** What payments in person may use of devices. */
export { heardOf, operations as deviceOperations } from './operations.ts'
export { deviceById, deviceByKid, locationById } from './store.ts'
