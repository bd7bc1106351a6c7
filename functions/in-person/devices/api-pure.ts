/** The shape of a device. No I/O. */
export type { DeviceRow, LocationRow } from './store.ts'
