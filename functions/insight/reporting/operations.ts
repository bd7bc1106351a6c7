import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import * as contracts from './contract.ts'
import { mappingOperations } from './operations-mapping.ts'
import { scheduleOperations } from './operations-schedules.ts'
import { summaryOperations } from './operations-summary.ts'
import { planCancel, planCreate } from './plan.ts'
import { allTypes, presentRow, presentRun } from './present.ts'
import { fileOf, isRemoved } from './run.ts'
import { heldAt, rowsOf, runById, runsPage } from './store.ts'
import { foundNow, verification } from './verify.ts'

const listTypes = operation(contracts.listTypes, async ({ readAll }) => {
  await readAll()
  return { object: 'list' as const, data: allTypes(), has_more: false, next_cursor: '' }
})

const listRows = operation(contracts.listRows, async (call) => {
  const { limit, after } = call.query
  const [run] = await call.read(runById(call.params))
  if (!run) return call.fail('report_run_not_found')
  if (run.status !== 'succeeded' && run.status !== 'expired') return call.fail('report_run_unfinished')
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

const getFile = operation(contracts.getFile, async ({ params, read, fail, services, now }) => {
  const [run] = await read(runById(params))
  if (!run) return fail('report_run_not_found')
  if (run.status !== 'succeeded' && run.status !== 'expired') return fail('report_run_unfinished')
  if (isRemoved(run, now)) return fail('report_file_expired')
  return fileOf(services.bucket, run)
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
  operation(contracts.create, (call) => call.publish(planCreate(call.body, call))),
  listOperation(contracts.list, runsPage, presentRun),
  getOperation(contracts.get, runById, presentRun),
  listRows,
  getFile,
  verify,
  changeOperation(contracts.cancel, runById, planCancel),
  getBalance,
  ...summaryOperations,
  ...scheduleOperations,
  ...mappingOperations,
]
