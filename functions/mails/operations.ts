import { operation } from '../../src/http/operation.ts'
import { listOperation } from '../../src/http/reads.ts'
import * as contracts from './contract.ts'
import { planLift } from './plan.ts'
import { presentSuppression } from './present.ts'
import { suppressionById, suppressionsPage } from './store.ts'

const list = listOperation(contracts.list, suppressionsPage, presentSuppression)

const lift = operation(contracts.lift, async (call) => {
  const [suppression] = await call.read(suppressionById(call.params))
  return suppression ? call.publish(planLift(suppression, call.now)) : call.fail('mail_suppression_not_found')
})

export const operations = [list, lift]
