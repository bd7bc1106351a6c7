import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import type { Services } from '../../../src/http/services.ts'
import { currentSchedule, processorOf } from '../../money/payments/api.ts'
import * as contracts from './contract.ts'
import { planArchive, planCreate, planUpdate } from './plan.ts'
import { presentConfiguration } from './present.ts'
import { configurationById, configurationsPage } from './store.ts'

const takenOf = (
  { services, now }: { readonly services: Services; readonly now: Date },
  offline: { readonly currency: string } | undefined,
) => ({
  forwards: processorOf(services)?.inPerson?.forward !== undefined,
  schedule: offline ? currentSchedule(services.settings, now, offline.currency) : null,
})

export const operations = [
  operation(contracts.create, (call) =>
    call.publish(planCreate(call.body, takenOf(call, call.body.offline), call)),
  ),
  listOperation(contracts.list, configurationsPage, presentConfiguration),
  getOperation(contracts.get, configurationById, presentConfiguration),
  changeOperation(contracts.update, configurationById, (row, call) =>
    planUpdate(row, call.body, takenOf(call, call.body.offline), call),
  ),
  changeOperation(contracts.archive, configurationById, planArchive),
]
