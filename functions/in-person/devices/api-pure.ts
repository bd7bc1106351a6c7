/** The shape of a device. No I/O. */

export { signatureForm } from './signing-key.ts'
export type { DeviceRow, LocationRow } from './store.ts'
