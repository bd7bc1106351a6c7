import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import type { Services } from '../../../src/http/services.ts'
import { processorOf } from '../../money/payments/api.ts'
import * as contracts from './contract.ts'
import { planArchive, planCreate, planUpdate } from './plan.ts'
import { presentConfiguration } from './present.ts'
import { configurationById, configurationsPage } from './store.ts'

const forwards = (services: Services) => processorOf(services)?.inPerson?.forward !== undefined

export const operations = [
  operation(contracts.create, (call) => call.publish(planCreate(call.body, forwards(call.services), call))),
  listOperation(contracts.list, configurationsPage, presentConfiguration),
  getOperation(contracts.get, configurationById, presentConfiguration),
  changeOperation(contracts.update, configurationById, (row, call) =>
    planUpdate(row, call.body, forwards(call.services), call),
  ),
  changeOperation(contracts.archive, configurationById, planArchive),
]
