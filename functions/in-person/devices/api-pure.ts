/** The shape of a device, and what its processor calls its location. No I/O. */
export { newPlace, phoneAttested, placeAt } from './plan.ts'
export { presentDevice } from './present.ts'
export { signatureForm } from './signing-key.ts'
export type { DeviceRow, LocationRow, PlacedDevice, PlaceRow } from './store.ts'
