/** What payments in person and registers may use of devices. */
export { heardOf, operations as deviceOperations, registerOperations } from './operations.ts'
export { isSignedBy, signingKeyOf } from './signing-key.ts'
export { deviceById, deviceByKid, locationById } from './store.ts'
