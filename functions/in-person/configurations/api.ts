/** What the surface of devices mounts of configurations, and which one a device gets. */
export { operations as configurationOperations } from './operations.ts'
export { configurationByKid, configurationOfDevice } from './store.ts'
