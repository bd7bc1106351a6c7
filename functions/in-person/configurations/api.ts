/** What the surface of devices mounts of configurations, and which one a device gets. */
export { operations as configurationOperations } from './operations.ts'
export {
  allowancesByKid,
  configurationByKid,
  configurationOfDevice,
  openAllowanceByKid,
} from './store.ts'
