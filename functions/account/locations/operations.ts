import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import * as contracts from './contract.ts'
import { planArchive, planCreate, planRestore, planUpdate } from './plan.ts'
import { presentLocation } from './present.ts'
import { locationById, locationsPage } from './store.ts'

const createLocation = operation(contracts.create, (call) => call.publish(planCreate(call.body, call)))

const listLocations = listOperation(contracts.list, locationsPage, presentLocation)
const getLocation = getOperation(contracts.get, locationById, presentLocation)

const updateLocation = operation(contracts.update, async (call) => {
  const [location] = await call.read(locationById(call.params))
  return location ? call.publish(planUpdate(location, call.body, call)) : call.fail('location_not_found')
})

const moves = (declared: typeof contracts.archive, plan: typeof planArchive | typeof planRestore) =>
  operation(declared, async (call) => {
    const [location] = await call.read(locationById(call.params))
    return location ? call.publish(plan(location, call)) : call.fail('location_not_found')
  })

const archiveLocation = moves(contracts.archive, planArchive)
const restoreLocation = moves(contracts.restore, planRestore)

export const operations = [
  createLocation,
  listLocations,
  getLocation,
  updateLocation,
  archiveLocation,
  restoreLocation,
]
