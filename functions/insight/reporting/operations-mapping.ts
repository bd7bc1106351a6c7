import { operation } from '../../../src/http/operation.ts'
import * as contracts from './contract-mapping.ts'
import { planMapping } from './plan-mapping.ts'
import { presentMapping } from './present.ts'
import { newestMapping } from './store.ts'

export const mappingOperations = [
  operation(contracts.get, async ({ read }) => presentMapping((await read(newestMapping({})))[0])),
  operation(contracts.put, async (call) => call.publish(planMapping(call.body, await call.session(), call))),
]
