import { changeOperation, operation } from '../../../src/http/operation.ts'
import { entryOf } from '../../../src/http/problems.ts'
import { Stale } from '../../../src/http/publishing.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { isRefusedBy } from '../../../src/http/system-call.ts'
import { isRefusal, refuse } from '../../../src/kernel/plan.ts'
import * as contracts from './contract.ts'
import * as runContracts from './contract-runs.ts'
import { checked, whole } from './incoming.ts'
import { kinds } from './kinds.ts'
import { fileOperations } from './operations-files.ts'
import { stripeOperations } from './operations-stripe.ts'
import { planCreate, planDisconnect, planPause, planResume } from './plan.ts'
import { keysOf, planBatch, type RecordResult, refusalOf } from './plan-records.ts'
import { planCancel, planStart } from './plan-runs.ts'
import { presentRun, presentSource } from './present.ts'
import {
  filesOf,
  matchedContacts,
  matchedCustomers,
  matches,
  openRunOf,
  runById,
  runsPage,
  sourceById,
  sourcesPage,
} from './store.ts'

const moves = (
  declared: typeof contracts.pause | typeof contracts.resume | typeof contracts.disconnect,
  plan: typeof planPause | typeof planResume | typeof planDisconnect,
) =>
  operation(declared, async (call) => {
    const { id } = call.params
    const sourceId = id
    const [[source], [open], files] = await call.readAll(
      sourceById({ id }),
      openRunOf({ sourceId }),
      filesOf({ sourceId }),
    )
    return source ? call.publish(plan(source, open, call, files)) : call.fail('sync_source_not_found')
  })

const presentResult = async ({ fault, ...one }: RecordResult, index: number) => ({
  index,
  external_id: one.externalId,
  result: one.result,
  customer_id: one.customerId,
  kept: [...one.kept],
  error: fault && {
    code: fault.code,
    message: fault.message ?? (await entryOf(fault.code))[1],
    param: fault.param ?? null,
  },
})

const pushRecords = operation(contracts.pushRecords, async (call) => {
  const { mode, records } = call.body
  const incoming = records.map(checked)
  const keys = { keys: JSON.stringify(keysOf(call.params.id, incoming)) }
  const [[source], found, customers, contacts] = await call.readAll(
    sourceById(call.params),
    matches(keys),
    matchedCustomers(keys),
    matchedContacts(keys),
  )
  if (!source) return call.fail('sync_source_not_found')
  const plan = planBatch({ source, ...whole(found, customers, contacts) }, incoming, mode, call)
  if (isRefusal(plan)) return call.publish(plan)
  const results = await Promise.all(plan.reply.results.map(presentResult))
  try {
    return await call.publish({
      ...plan,
      reply: { object: 'sync_batch', run: plan.reply.run, results },
    })
  } catch (error) {
    // Another request gave a customer this id: the plan that knows it refuses the record alone.
    throw isRefusedBy('customers_external_id', error) ? new Stale() : error
  }
})

const startRun = operation(runContracts.start, async (call) => {
  const { id } = call.params
  const [[source], [open]] = await call.readAll(sourceById({ id }), openRunOf({ sourceId: id }))
  if (!source) return call.fail('sync_source_not_found')
  const closed = refusalOf(source)
  if (closed) return call.publish(closed)
  const load = kinds[source.kind]
  if (!load) return call.publish(refuse('sync_source_is_pushed'))
  if (open) return call.publish(refuse('sync_run_open'))
  const beginning = await (await load()).begin(call, source)
  return call.publish(isRefusal(beginning) ? beginning : planStart(source, beginning, call.body.mode, call))
})

const listRuns = listOperation(runContracts.list, runsPage, presentRun, {
  values: ({ params }) => ({ sourceId: params.id }),
  within: (params) => ({ query: sourceById(params), missing: 'sync_source_not_found' }),
})

export const operations = [
  ...stripeOperations,
  operation(contracts.create, (call) => call.publish(planCreate(call.body, call))),
  listOperation(contracts.list, sourcesPage, presentSource),
  getOperation(contracts.get, sourceById, presentSource),
  moves(contracts.pause, planPause),
  moves(contracts.resume, planResume),
  moves(contracts.disconnect, planDisconnect),
  pushRecords,
  startRun,
  listRuns,
  getOperation(runContracts.get, runById, presentRun),
  changeOperation(runContracts.cancel, runById, planCancel),
  ...fileOperations,
]
