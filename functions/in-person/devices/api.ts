/** What payments in person, phones and registers may use of devices. */
export { heardOf, operations as deviceOperations, registerOperations } from './operations.ts'
export { isSignedBy, signingKeyOf } from './signing-key.ts'
export { deviceById, deviceByKid, locationById, placedDevice, placesOfDevice } from './store.ts'
