import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import * as contracts from './contract.ts'
import { planArchive, planCreate, planRestore, planUpdate } from './plan.ts'
import { presentLocation } from './present.ts'
import { locationById, locationsPage } from './store.ts'

export const operations = [
  operation(contracts.create, (call) => call.publish(planCreate(call.body, call))),
  listOperation(contracts.list, locationsPage, presentLocation),
  getOperation(contracts.get, locationById, presentLocation),
  changeOperation(contracts.update, locationById, (location, call) => planUpdate(location, call.body, call)),
  changeOperation(contracts.archive, locationById, planArchive),
  changeOperation(contracts.restore, locationById, planRestore),
]
