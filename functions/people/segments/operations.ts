import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { csvOf } from '../customers/api.ts'
import { presentCustomer } from '../customers/api-pure.ts'
import * as contracts from './contract.ts'
import { planCreate, planDelete, planPin, planUpdate } from './plan.ts'
import { presentSegment } from './present.ts'
import { countOf, customerById, membersPage, pinOf, pinsCount, segmentById, segmentsPage } from './store.ts'

const pinCustomer = operation(contracts.pin, async (call) => {
  const { customer_id: customerId } = call.body
  const [[segment], [customer], [pin], [pins]] = await call.readAll(
    segmentById(call.params),
    customerById({ id: customerId }),
    pinOf({ segmentId: call.params.id, customerId }),
    pinsCount(call.params),
  )
  if (!segment) return call.fail('segment_not_found')
  if (!customer || customer.status === 'erased')
    return call.fail('customer_not_found', { param: 'customer_id' })
  return call.publish(planPin(segment, { pin, count: Number(pins!.count) }, call.body, call))
})

const listMembers = operation(contracts.members, async (call) => {
  const [segment] = await call.read(segmentById(call.params))
  if (!segment) return call.fail('segment_not_found')
  const asked = { rule: segment.rule, segmentId: segment.id }
  return call.list((window) => membersPage(asked, { ...window }), presentCustomer)
})

const membersFile = operation(contracts.membersFile, async ({ params, read, fail }) => {
  const [segment] = await read(segmentById(params))
  if (!segment) return fail('segment_not_found')
  const asked = { rule: segment.rule, segmentId: segment.id }
  return csvOf((at) => read(membersPage(asked, { ...at })))
})

const previewed = 20

const previewRule = operation(contracts.preview, async (call) => {
  const { rule } = call.body
  const [[counted], rows] = await call.readAll(countOf(rule), membersPage({ rule }, { rows: previewed }))
  const count = Number(counted!.count)
  return {
    object: 'segment_preview' as const,
    count: Math.min(count, contracts.countMax),
    count_is_exact: count <= contracts.countMax,
    data: rows.map(presentCustomer),
  }
})

export const operations = [
  operation(contracts.create, (call) => call.publish(planCreate(call.body, call))),
  listOperation(contracts.list, segmentsPage, presentSegment),
  previewRule,
  getOperation(contracts.get, segmentById, presentSegment),
  changeOperation(contracts.update, segmentById, (segment, call) => planUpdate(segment, call.body, call)),
  changeOperation(contracts.remove, segmentById, planDelete),
  pinCustomer,
  listMembers,
  membersFile,
]
