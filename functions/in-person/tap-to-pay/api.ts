/** What the surface of devices mounts of Tap to Pay, and the session in which a phone takes cards. */
export { operations as tapToPayOperations } from './operations.ts'
export { openSessionOf } from './store.ts'
