/** What the surface of devices mounts of attestations, and whether phones must be attested. */
export { operations as attestationOperations } from './operations.ts'
export { settingsOfPhones } from './store.ts'
