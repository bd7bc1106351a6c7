/** What the surface of devices mounts of Tap to Pay. */
export { operations as tapToPayOperations } from './operations.ts'
