import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { hashPassword } from '../../../src/platform/passwords.ts'
import { publishUnderPolicy } from '../../money/payment-policy/api.ts'
import { currentSchedule, requireConfigured } from '../../money/payments/api.ts'
import { itemsOf } from '../../order/lines/api.ts'
import * as contracts from './contract.ts'
import * as external from './contract-external.ts'
import * as merging from './contract-merge.ts'
import * as tables from './contract-tables.ts'
import { ofWaiters } from './operations-waiters.ts'
import { tableSessionOrigin } from './origin.ts'
import {
  planAddLines,
  planClose,
  planDiscount,
  planOpen,
  planReopen,
  planSettled,
  planSplitLine,
  planTransfer,
  planVoid,
  planVoidLine,
} from './plan.ts'
import { planCancelExternal, planRecord } from './plan-external.ts'
import { planMerge } from './plan-merge.ts'
import {
  type Making,
  planArchiveTable,
  planCreateTable,
  planRestoreTable,
  planUpdateTable,
} from './plan-tables.ts'
import { presentExternalPayment, presentSession, presentTable, tableUrl } from './present.ts'
import {
  externalPaymentById,
  externalPaymentsPage,
  mergedBefore,
  sessions,
  sessionsPage,
  sumsById,
  tableById,
  tablesPage,
  waiterById,
} from './store.ts'

interface Makes {
  readonly now: Date
  readonly newId: () => string
  readonly settings: { readonly linkBaseUrl: string }
}

const makingOf = ({ now, newId, settings }: Makes): Making => ({
  now,
  newId,
  linkBaseUrl: settings.linkBaseUrl,
})

const qrSvg = operation(tables.qrSvg, async ({ params, read, fail, settings }) => {
  const [table] = await read(tableById({ id: params.id }))
  if (!table) return fail('dining_table_not_found')
  const { qrSvg: drawn } = await import('../../../src/platform/qr.ts')
  return new Blob([drawn(tableUrl(table, settings.linkBaseUrl), table.name)]).stream()
})

const open = operation(contracts.open, async (call) => {
  requireConfigured(call.settings)
  const { body, params, settings, now } = call
  const { waiter_id: waiterId } = body
  const [[table], [waiter]] = await call.readAll(
    tableById({ id: params.tableId }),
    waiterById({ id: waiterId }),
  )
  if (!table) return call.fail('dining_table_not_found')
  if (waiterId !== null && !waiter) return call.fail('waiter_not_found', { param: 'waiter_id' })
  const items = await itemsOf(call.read, body.line_items ?? [], { now, locationId: table.locationId })
  const pinHash = body.pin === null ? null : await hashPassword(body.pin)
  const made = {
    publicId: publicId(tableSessionOrigin.publicIdPrefix),
    items,
    waiter: waiter ?? null,
    pinHash,
  }
  const schedule = currentSchedule(settings, now, 'mxn')
  return publishUnderPolicy(call, table.locationId, (governing) =>
    planOpen(table, body, made, { ...makingOf(call), ...governing, schedule }),
  )
})

const addLines = operation(contracts.addLines, async (call) => {
  const [session] = await call.read(sessions.at(call.params.id))
  if (!session) return call.fail('table_session_not_found')
  const { line_items } = call.body
  const items = await itemsOf(call.read, line_items, { now: call.now, locationId: session.locationId })
  return call.publish(planAddLines(session, line_items, items, makingOf(call)))
})

const transfer = operation(contracts.transfer, async (call) => {
  const { table_id: tableId, waiter_id: waiterId } = call.body
  const [[session], [table], [found]] = await call.readAll(
    sessions.at(call.params.id),
    tableById({ id: tableId ?? null }),
    waiterById({ id: waiterId ?? null }),
  )
  if (!session) return call.fail('table_session_not_found')
  if (tableId && !table) return call.fail('dining_table_not_found', { param: 'table_id' })
  if (waiterId && !found) return call.fail('waiter_not_found', { param: 'waiter_id' })
  const waiter = waiterId === null ? null : found
  return call.publish(planTransfer(session, { table, waiter }, makingOf(call)))
})

const merge = operation(merging.merge, async (call) => {
  const { from_id: fromId } = call.body
  const [[session], [from], before] = await call.readAll(
    sessions.at(call.params.id),
    sessions.byId(fromId),
    mergedBefore(fromId),
  )
  if (!session) return call.fail('table_session_not_found')
  if (!from) return call.fail('table_session_not_found', { param: 'from_id' })
  return call.publish(planMerge(session, from, before, makingOf(call)))
})

const record = operation(external.record, async (call) => {
  const { waiter_id: waiterId } = call.body
  const [[session], [found]] = await call.readAll(
    sessions.at(call.params.id),
    waiterById({ id: waiterId ?? null }),
  )
  if (!session) return call.fail('table_session_not_found')
  if (waiterId && !found) return call.fail('waiter_not_found', { param: 'waiter_id' })
  const waiter = waiterId === null ? null : found
  return call.publish(planRecord(session, call.body, waiter, call))
})

/** Scheduled: announces bills that are paid, once each. */
export const announceSettled = (run: JobRun) =>
  eachDue(run, 'table_session_sums', async ({ services, read, publish, now }, id) => {
    const [[session], [sums]] = await read(contracts.sweep, sessions.byId(id), sumsById({ id }))
    const making = makingOf({ ...clockOf(now), settings: services.settings })
    const plan = session && sums && planSettled(session, sums, making)
    if (plan) await publish(contracts.sweep, plan)
  })

const bill = ({ id }: { readonly id: string }) => sessions.at(id)

export const operations = [
  operation(tables.create, (call) =>
    call.publish(planCreateTable(call.body, publicId('stable'), makingOf(call))),
  ),
  listOperation(tables.list, tablesPage, presentTable),
  getOperation(tables.get, tableById, presentTable),
  changeOperation(tables.update, tableById, (table, call) =>
    planUpdateTable(table, call.body, makingOf(call)),
  ),
  changeOperation(tables.archive, tableById, (table, call) => planArchiveTable(table, makingOf(call))),
  changeOperation(tables.restore, tableById, (table, call) => planRestoreTable(table, makingOf(call))),
  qrSvg,
  open,
  listOperation(contracts.list, sessionsPage, presentSession),
  getOperation(contracts.get, bill, presentSession),
  addLines,
  changeOperation(contracts.voidLine, bill, (session, call) =>
    planVoidLine(session, call.params.line_id, makingOf(call)),
  ),
  changeOperation(contracts.splitLine, bill, (session, call) =>
    planSplitLine(session, call.params.line_id, call.body.parts_count, makingOf(call)),
  ),
  changeOperation(contracts.discount, bill, (session, call) =>
    planDiscount(session, BigInt(call.body.amount), makingOf(call)),
  ),
  transfer,
  merge,
  changeOperation(contracts.close, bill, (session, call) => planClose(session, makingOf(call))),
  changeOperation(contracts.voidBill, bill, (session, call) => planVoid(session, makingOf(call))),
  changeOperation(contracts.reopen, bill, (session, call) => planReopen(session, makingOf(call))),
  record,
  listOperation(external.list, externalPaymentsPage, presentExternalPayment, {
    values: ({ params }) => ({ sessionId: params.id }),
    within: ({ id }) => ({ query: sessions.at(id), missing: 'table_session_not_found' }),
  }),
  getOperation(external.get, externalPaymentById, presentExternalPayment),
  changeOperation(external.cancel, externalPaymentById, planCancelExternal),
  ...ofWaiters,
]
