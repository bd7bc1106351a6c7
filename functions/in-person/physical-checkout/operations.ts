import { changeOperation, type Operation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import { publishUnderPolicy } from '../../money/payment-policy/api.ts'
import { currentSchedule, requireConfigured } from '../../money/payments/api.ts'
import { itemsOf } from '../../order/lines/api.ts'
import { placedDevice, registerOperations } from '../devices/api.ts'
import * as codes from './contract-codes.ts'
import * as contracts from './contract-orders.ts'
import * as shifts from './contract-shifts.ts'
import { registerOrderOrigin } from './origin.ts'
import { type Making, planCreateCode, planRevokeCode } from './plan-codes.ts'
import {
  planCancel,
  planCreate,
  planDetach,
  planLapse,
  planPayCash,
  planRepeated,
  planReturnCash,
} from './plan-orders.ts'
import { planClose, planMoveCash, planOpen } from './plan-shifts.ts'
import {
  codeUrl,
  presentCode,
  presentMovement,
  presentOrder,
  presentReport,
  presentShift,
} from './present.ts'
import {
  cashSalesIn,
  codeById,
  codesPage,
  currentOrderOf,
  movementById,
  movementsPage,
  openInShift,
  openShiftAt,
  openShiftOf,
  orderByReference,
  orders,
  ordersPage,
  paidInShift,
  type ShownOrder,
  shiftById,
  shiftsPage,
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

const registerWith = (id: string) => placedDevice({ kind: 'register', id })
const noRegister = { param: 'register_id' } as const

const createCode = operation(codes.create, async (call) => {
  const [register] = await call.read(registerWith(call.body.register_id))
  if (!register) return call.fail('device_not_found', noRegister)
  return call.publish(planCreateCode(register, call.body.purpose, publicId('sreg'), makingOf(call)))
})

const qrSvg = operation(codes.qrSvg, async ({ params, read, fail, settings }) => {
  const [code] = await read(codeById({ id: params.id }))
  if (!code) return fail('register_code_not_found')
  const { qrSvg: drawn } = await import('../../../src/platform/qr.ts')
  return new Blob([drawn(codeUrl(code, settings), code.publicId)]).stream()
})

const create = operation(contracts.create, async (call) => {
  requireConfigured(call.settings)
  const { body, settings, now } = call
  const { register_id: registerId, client_reference_id: reference } = body
  const [[register], [current], [shift], [first]] = await call.readAll(
    registerWith(registerId),
    currentOrderOf({ registerId }),
    openShiftOf({ registerId }),
    orderByReference({ registerId, reference, day: mexicoCityDate(now) }),
  )
  if (!register) return call.fail('device_not_found', noRegister)
  if (first) return call.publish(planRepeated(first, body, makingOf(call)))
  const items = await itemsOf(call.read, body.line_items ?? [], { now, locationId: register.locationId })
  const found = { register, items, current, shift, publicId: publicId(registerOrderOrigin.publicIdPrefix) }
  const schedule = currentSchedule(settings, now, body.currency)
  return publishUnderPolicy(call, register.locationId, (governing) =>
    planCreate(body, found, { ...makingOf(call), ...governing, schedule }),
  )
})

const order = ({ id }: { readonly id: string }) => orders.at(id)

const payCash = operation(contracts.payCash, async (call) => {
  const { id } = call.params
  const [[found], [shift]] = await call.readAll(orders.byId(id), openShiftAt({ orderId: id }))
  return found
    ? call.publish(planPayCash(found, BigInt(call.body.amount_tendered), shift, makingOf(call)))
    : call.fail('register_order_not_found')
})

/** By the function of the buyer's pages, which are loaded with the first card. */
const payByCard: Operation = {
  contract: contracts.payByCard,
  proves: null,
  async run(input, request) {
    const { payByServer } = await import('../../page/hosted-payment/api.ts')
    return payByServer(contracts.payByCard, selling, input, request)
  },
}

const selling = {
  origin: registerOrderOrigin,
  notFound: 'register_order_not_found',
  notOpen: 'register_order_not_open',
  beingPaid: 'register_order_being_paid',
  placeOf: ({ registerId }: ShownOrder) => registerId,
} as const

const returnCash = operation(contracts.returnCash, async (call) => {
  const { id } = call.params
  const [[found], [shift]] = await call.readAll(orders.byId(id), openShiftAt({ orderId: id }))
  return found
    ? call.publish(planReturnCash(found, call.body, shift, makingOf(call)))
    : call.fail('register_order_not_found')
})

const openShift = operation(shifts.open, async (call) => {
  const [register] = await call.read(registerWith(call.body.register_id))
  return register
    ? call.publish(planOpen(register, call.body, call))
    : call.fail('device_not_found', noRegister)
})

const closeShift = operation(shifts.close, async (call) => {
  const [[shift], [open]] = await call.readAll(
    shiftById(call.params),
    openInShift({ shiftId: call.params.id }),
  )
  return shift
    ? call.publish(planClose(shift, call.body, open!.unsettledCount, call))
    : call.fail('register_shift_not_found')
})

const reportShift = operation(shifts.report, async (call) => {
  const shiftId = call.params.id
  const [[shift], paid, [cash], [open]] = await call.readAll(
    shiftById(call.params),
    paidInShift({ shiftId }),
    cashSalesIn({ shiftId }),
    openInShift({ shiftId }),
  )
  if (!shift) return call.fail('register_shift_not_found')
  return presentReport(shift, { paid, cashCount: cash?.count ?? 0, ...open! })
})

const moveCash = operation(shifts.moveCash, async (call) => {
  const [shift] = await call.read(shiftById(call.params))
  return shift ? call.publish(planMoveCash(shift, call.body, call)) : call.fail('register_shift_not_found')
})

/** Scheduled: ends orders at their time. */
export const expireOrders = (run: JobRun) =>
  eachDue(run, 'register_orders', async ({ services, read, publish, now }, id) => {
    const [[found]] = await read(contracts.sweep, orders.byId(id))
    const plan = found && planLapse(found, makingOf({ ...clockOf(now), settings: services.settings }))
    if (plan) await publish(contracts.sweep, plan)
  })

export const operations = [
  ...registerOperations,
  createCode,
  listOperation(codes.list, codesPage, presentCode),
  getOperation(codes.get, codeById, presentCode),
  changeOperation(codes.revoke, codeById, (code, call) => planRevokeCode(code, makingOf(call))),
  qrSvg,
  create,
  listOperation(contracts.list, ordersPage, presentOrder),
  getOperation(contracts.get, order, presentOrder),
  getOperation(contracts.current, ({ id }) => currentOrderOf({ registerId: id }), presentOrder),
  changeOperation(contracts.cancel, order, (found, call) => planCancel(found, makingOf(call))),
  changeOperation(contracts.detach, order, (found, call) => planDetach(found, makingOf(call))),
  payCash,
  payByCard,
  returnCash,
  openShift,
  listOperation(shifts.list, shiftsPage, presentShift),
  getOperation(shifts.get, shiftById, presentShift),
  closeShift,
  reportShift,
  moveCash,
  listOperation(shifts.listCash, movementsPage, presentMovement, {
    values: ({ params }) => ({ shiftId: params.id }),
    within: ({ id }) => ({ query: shiftById({ id }), missing: 'register_shift_not_found' }),
  }),
  getOperation(shifts.getCash, movementById, presentMovement),
]
