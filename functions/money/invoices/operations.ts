import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import * as contracts from './contract.ts'
import { planRecord, planRemove, planReplace } from './plan.ts'
import { presentInvoice } from './present.ts'
import { invoiceById, invoicesPage } from './store.ts'

export const operations = [
  operation(contracts.record, (call) => call.publish(planRecord(call.body, call))),
  listOperation(contracts.list, invoicesPage, presentInvoice),
  getOperation(contracts.get, invoiceById, presentInvoice),
  changeOperation(contracts.replace, invoiceById, (invoice, call) => planReplace(invoice, call.body, call)),
  changeOperation(contracts.remove, invoiceById, planRemove),
]
