import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import * as contracts from './contract-discounts.ts'
import { planCreate, planUpdate } from './plan-discounts.ts'
import { presentDiscount } from './present.ts'
import { discountById, discountsPage } from './store.ts'

export const discountOperations = [
  operation(contracts.create, (call) => call.publish(planCreate(call.body, call))),
  listOperation(contracts.list, discountsPage, presentDiscount),
  getOperation(contracts.get, discountById, presentDiscount),
  operation(contracts.update, async (call) => {
    const [discount] = await call.read(discountById(call.params))
    return discount ? call.publish(planUpdate(discount, call.body, call)) : call.fail('discount_not_found')
  }),
]
