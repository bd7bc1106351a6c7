import {
  archiveLocation,
  createLocation,
  getLocation,
  listLocations,
  restoreLocation,
  updateLocation,
} from './operations.ts'

export const operations = [
  createLocation,
  listLocations,
  getLocation,
  updateLocation,
  archiveLocation,
  restoreLocation,
]
