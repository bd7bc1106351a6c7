import { operation } from '../../src/http/operation.ts'
import { entryOf } from '../../src/http/problems.ts'
import { Stale } from '../../src/http/publishing.ts'
import { getOperation, listOperation } from '../../src/http/reads.ts'
import { Misfit } from '../../src/http/schemas.ts'
import { problemIn } from '../../src/http/stages/validate.ts'
import { isRefusedBy } from '../../src/http/system-call.ts'
import { isRefusal } from '../../src/kernel/plan.ts'
import * as contracts from './contract.ts'
import { planCreate, planDisconnect, planPause, planResume } from './plan.ts'
import { type Incoming, keysOf, planBatch, type RecordResult, type SyncRecord } from './plan-records.ts'
import { presentRun, presentSource } from './present.ts'
import {
  matchedContacts,
  matchedCustomers,
  matches,
  runById,
  runsPage,
  sourceById,
  sourcesPage,
} from './store.ts'

const createSource = operation(contracts.create, (call) => call.publish(planCreate(call.body, call)))

const listSources = listOperation(contracts.list, sourcesPage, presentSource)
const getSource = getOperation(contracts.get, sourceById, presentSource)

const moves = (
  declared: typeof contracts.pause | typeof contracts.resume | typeof contracts.disconnect,
  plan: typeof planPause | typeof planResume | typeof planDisconnect,
) =>
  operation(declared, async (call) => {
    const [source] = await call.read(sourceById(call.params))
    return source ? call.publish(plan(source, call)) : call.fail('sync_source_not_found')
  })
const pauseSource = moves(contracts.pause, planPause)
const resumeSource = moves(contracts.resume, planResume)
const disconnectSource = moves(contracts.disconnect, planDisconnect)

/** What came as a record; a misfit keeps its id where that is one. */
function incomingOf(item: SyncRecord | Misfit): Incoming {
  if (!(item instanceof Misfit)) return { record: item }
  const { code, more } = problemIn({ issues: item.issues }, item.value)
  const named = contracts.SyncRecord.shape.external_id.safeParse(
    (item.value as { external_id?: unknown } | null)?.external_id,
  )
  return {
    externalId: named.success ? named.data : null,
    fault: { code, param: more.param, message: more.message },
  }
}

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
  const incoming = records.map(incomingOf)
  const keys = { keys: JSON.stringify(keysOf(call.params.id, incoming)) }
  const [[source], found, customers, contacts] = await call.readAll(
    sourceById(call.params),
    matches(keys),
    matchedCustomers(keys),
    matchedContacts(keys),
  )
  if (!source) return call.fail('sync_source_not_found')
  const plan = planBatch({ source, matches: found, customers, contacts }, incoming, mode, call)
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

const listRuns = listOperation(contracts.listRuns, runsPage, presentRun, {
  values: ({ params }) => ({ sourceId: params.id }),
  within: (params) => ({ query: sourceById(params), missing: 'sync_source_not_found' }),
})
const getRun = getOperation(contracts.getRun, runById, presentRun)

export const operations = [
  createSource,
  listSources,
  getSource,
  pauseSource,
  resumeSource,
  disconnectSource,
  pushRecords,
  listRuns,
  getRun,
]
