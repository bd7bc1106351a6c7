/** What payments in person and registers may use of devices. */
export { heardOf, operations as deviceOperations, registerOperations } from './operations.ts'
export { deviceById, deviceByKid, locationById } from './store.ts'
