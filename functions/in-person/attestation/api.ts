/** What the surface of devices mounts of attestations. */
export { operations as attestationOperations } from './operations.ts'
