import { type Call, changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import * as contracts from './contract.ts'
import { asking, showing } from './contract-addresses.ts'
import { list as listDeliveries } from './contract-deliveries.ts'
import { mappingOperations } from './operations-mapping.ts'
import { scheduleOperations } from './operations-schedules.ts'
import { summaryOperations } from './operations-summary.ts'
import { planCancel, planCreate, planNoted } from './plan.ts'
import { allTypes, presentDelivery, presentRow, presentRun } from './present.ts'
import { fileOf, isRemoved, savedAs } from './run.ts'
import { deliveriesPage, heldAt, type RunRow, rowsOf, runById, runsPage } from './store.ts'
import { foundNow, verification } from './verify.ts'

const listTypes = operation(contracts.listTypes, async ({ readAll }) => {
  await readAll()
  return { object: 'list' as const, data: allTypes(), has_more: false, next_cursor: '' }
})

const create = operation(contracts.create, async (call) => {
  const plan = planCreate(call.body, call)
  if (isRefusal(plan) || !plan.showsPersons) return call.publish(plan)
  // A replay ends here, and asks for nothing.
  await call.readAll()
  await call.publishStep(planNoted(plan.subjectId), asking.id)
  return call.publish(plan)
})

/** Why a key may not read a run that shows addresses; null where it may, or the run shows none. */
const unreadable = ({ showsPersons }: RunRow, { scopes = [] }: { readonly scopes?: readonly string[] }) =>
  showsPersons && !asking.access.api_key.scopes.some((scope) => scopes.includes(scope))
    ? { message: 'This run shows addresses: the API key lacks the scope customer_hub:read.' }
    : null

/** Says in the audit trail that addresses are read, before the first of them is: a Worker that dies leaves an entry too many. */
const noted = async (
  { publishStep }: Pick<Call<unknown, unknown, unknown, unknown>, 'publishStep'>,
  { id, showsPersons }: RunRow,
) => {
  if (showsPersons) await publishStep(planNoted(id), showing.id)
}

const listRows = operation(contracts.listRows, async (call) => {
  const { limit, after } = call.query
  const { principal, rows: found } = await call.reading(runById(call.params))
  const [run] = found[0]
  if (!run) return call.fail('report_run_not_found')
  const hidden = unreadable(run, principal)
  if (hidden) return call.fail('insufficient_scope', hidden)
  if (run.status !== 'succeeded' && run.status !== 'expired') return call.fail('report_run_unfinished')
  await noted(call, run)
  const [at = '', id = ''] = after?.split('_') ?? []
  const rows = await call.read(rowsOf(run, after === undefined ? null : { at, id }, limit + 1))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    object: 'report_rows' as const,
    data: shown.map(presentRow(run)),
    next: last && rows.length > limit ? `${last.createdAt.toISOString()}_${last.id}` : null,
  }
})

const getFile = operation(contracts.getFile, async (call) => {
  const { params, reading, fail, services, now } = call
  const { principal, rows } = await reading(runById(params))
  const [run] = rows[0]
  if (!run) return fail('report_run_not_found')
  const hidden = unreadable(run, principal)
  if (hidden) return fail('insufficient_scope', hidden)
  if (run.status !== 'succeeded' && run.status !== 'expired') return fail('report_run_unfinished')
  if (isRemoved(run, now)) return fail('report_file_expired')
  await noted(call, run)
  return { stream: fileOf(services.bucket, run), ...savedAs(run) }
})

const verify = operation(contracts.verify, async (call) => {
  const [run] = await call.read(runById(call.params))
  if (!run) return call.fail('report_run_not_found')
  if (run.status !== 'succeeded' && run.status !== 'expired') return call.fail('report_run_unfinished')
  return verification(run, await foundNow(call, run), call.now)
})

const getBalance = operation(contracts.balance, async ({ query, read, fail, now }) => {
  const at = query.at === undefined ? now : new Date(query.at)
  const accounts = await read(heldAt(at))
  if (at > now) return fail('report_time_ahead', { param: 'at' })
  return {
    object: 'balance_at' as const,
    at: at.toISOString(),
    accounts: accounts.map(({ account, currency, amountMinor }) => ({
      account,
      currency,
      amount: toMinorString(amountMinor),
    })),
  }
})

export const operations = [
  listTypes,
  create,
  listOperation(contracts.list, runsPage, presentRun),
  getOperation(contracts.get, runById, presentRun),
  listRows,
  getFile,
  verify,
  changeOperation(contracts.cancel, runById, planCancel),
  listOperation(listDeliveries, deliveriesPage, presentDelivery, {
    values: ({ params: { id } }) => ({ runId: id }),
    within: ({ id }) => ({ query: runById({ id }), missing: 'report_run_not_found' }),
  }),
  getBalance,
  ...summaryOperations,
  ...scheduleOperations,
  ...mappingOperations,
]
