import { cashMovements, registerOrders, registerShifts } from '../../../drizzle/schema/physical-checkout.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { canMove } from '../../../src/kernel/lifecycle.ts'
import { change, expect, insert, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import { type ItemForSale, isSameBarcode } from '../../goods/digital-catalogs/api-pure.ts'
import type { Governing } from '../../money/payment-policy/api-pure.ts'
import type { FeeSchedule, PaymentRow } from '../../money/payments/api-pure.ts'
import { asksForOne, promisedBy, soldBy } from '../../order/lines/api-pure.ts'
import { presentTerms, problemOfTerms, termsOf } from '../../order/sales/api-pure.ts'
import type { PlacedDevice } from '../devices/api-pure.ts'
import type * as contracts from './contract-orders.ts'
import { orderLifecycle } from './lifecycle.ts'
import { expectSelling, type Making, problemOfRegister } from './plan-codes.ts'
import { presentOrder } from './present.ts'
import type { OrderRow, ShiftRow } from './store.ts'

type Asked = BodyOf<typeof contracts.create>

const about = ({ id }: OrderRow) => ({ type: 'register_order', id })

/** What a new order is made of, beside what was asked for. */
interface Found {
  readonly register: PlacedDevice
  readonly items: readonly ItemForSale[]
  /** The order that the register shows. */
  readonly current: OrderRow | undefined
  readonly shift: ShiftRow | undefined
  readonly publicId: string
}

interface Opening extends Making, Governing {
  readonly schedule: FeeSchedule | null
}

export function planCreate(
  asked: Asked,
  { register, items, current, shift, publicId }: Found,
  opening: Opening,
) {
  const closed = problemOfRegister(register)
  if (closed) return closed
  const sold = soldBy(asked, items, asked.currency)
  if ('refused' in sold) return sold
  const order: OrderRow = {
    ...newRow(opening),
    publicId,
    status: 'open',
    registerId: register.id,
    shiftId: shift?.id ?? null,
    mode: asked.mode,
    isCurrent: true,
    lines: sold.lines,
    ...promisedBy(sold.lines, register.locationId),
    tipOptions: asked.tips,
    amountMinor: sold.amountMinor,
    currency: asked.currency,
    ...termsOf(asked),
    termsVersion: 1,
    asksVersion: 1,
    description: asked.description,
    clientReferenceId: asked.client_reference_id,
    metadata: asked.metadata,
    paymentId: null,
    tenderedMinor: null,
    cashReturnedMinor: 0n,
    replacedBy: null,
    expiresAt: new Date(opening.now.getTime() + asked.expires_in_seconds * 1_000),
    endedAt: null,
    policyVersion: opening.policyVersion,
    locationId: register.locationId,
    livePaymentId: null,
  }
  const problem = problemOfTerms(
    order,
    opening.schedule,
    opening.policy,
    asked.line_items ? 'line_items' : 'amount',
  )
  if (problem) return problem
  const place = placeFor(order, current, asked.replaces_id, opening)
  if ('refused' in place) return place
  const { livePaymentId: _, ...row } = order
  const reply = presentOrder(order, opening)
  return {
    writes: [
      expectSelling(register),
      ...(shift ? [expect(registerShifts, shift.id, { status: 'open' })] : []),
      ...place.frees,
      insert(registerOrders, row),
      ...place.leads,
    ],
    events: [...place.events, event(opening.newId(), 'register_order.created', about(order), reply)],
    reply,
    subjectId: order.id,
  } satisfies Plan<unknown>
}

/** The register is free, or the order that it shows is replaced: its row leads to the new one, which must be there first. */
function placeFor(order: OrderRow, current: OrderRow | undefined, replacesId: string | null, making: Making) {
  if (!current) {
    if (replacesId !== null) return refuse('register_order_not_replaced', { param: 'replaces_id' })
    return { frees: [], leads: [], events: [] }
  }
  const lapsed = current.livePaymentId === null && replacesId === null ? planLapse(current, making) : null
  if (lapsed) return { frees: lapsed.writes, leads: [], events: lapsed.events }
  if (replacesId === null) return refuse('register_occupied', { param: 'register_id' })
  if (replacesId !== current.id) return refuse('register_order_not_replaced', { param: 'replaces_id' })
  const freed = canceledPlan(current, making)
  const ended: OrderRow = { ...current, ...freed.set, version: current.version + 1 }
  return {
    frees: freed.plan.writes,
    leads: [change(registerOrders, ended, { replacedBy: order.id })],
    events: [
      event(
        making.newId(),
        'register_order.canceled',
        about(current),
        presentOrder({ ...ended, replacedBy: order.id, version: ended.version + 1 }, making),
        presentOrder(current, making),
      ),
    ],
  }
}

function canceledPlan(order: OrderRow, making: Making) {
  const set = { status: 'canceled', isCurrent: false, endedAt: making.now, updatedAt: making.now } as const
  return { set, plan: planChange(order, set, 'register_order.canceled', making) }
}

/** A change of an order, with its event. */
function planChange(
  order: OrderRow,
  set: Partial<OrderRow>,
  type: Extract<EventType, `register_order.${string}`>,
  making: Making,
) {
  const changed: OrderRow = { ...order, ...set, version: order.version + 1, updatedAt: making.now }
  const { livePaymentId: _, ...patch } = set
  const reply = presentOrder(changed, making)
  return {
    writes: [change(registerOrders, order, { ...patch, updatedAt: making.now })],
    events: [event(making.newId(), type, about(order), reply, presentOrder(order, making))],
    reply,
    subjectId: order.id,
  } satisfies Plan<unknown>
}

/** A request may write an amount with zeros before it. */
const isSameMinor = (sold: bigint | string, asked = '') => asked !== '' && BigInt(sold) === BigInt(asked)

/** Whether a request asks for the lines, or the amount, of an order: what an item cost then is not asked. */
function asksFor({ line_items: asked, amount }: Asked, { lines, amountMinor }: OrderRow): boolean {
  if (!asked) return lines.length === 0 && isSameMinor(amountMinor, amount)
  const isLine = (line: (typeof asked)[number], at: number) => {
    const sold = lines[at]!
    return 'name' in line
      ? sold.item_id === null &&
          sold.name === line.name &&
          isSameMinor(sold.unit_amount, line.unit_amount) &&
          sold.quantity === line.quantity &&
          sold.iva_rate === line.iva_rate &&
          sold.price_includes_tax === line.price_includes_tax
      : ('item_id' in line
          ? sold.item_id === line.item_id
          : sold.barcode !== undefined && isSameBarcode(sold.barcode, line.barcode)) &&
          sold.quantity === line.quantity &&
          asksForOne(line, sold)
  }
  return lines.length === asked.length && asked.every(isLine)
}

/** How it may be paid, and what may be added. */
const termsIn = ({
  mode,
  currency,
  tipOptions,
  ...terms
}: Pick<OrderRow, 'mode' | 'currency' | 'tipOptions'> & Terms) =>
  canonicalJson(JSON.parse(JSON.stringify({ mode, currency, tipOptions, ...presentTerms(terms) })))

type Terms = Parameters<typeof presentTerms>[0]

/** The same request by the merchant's own name gets the first order, however that ended. */
export function planRepeated(first: OrderRow, asked: Asked, making: Making) {
  const { mode, currency, tips: tipOptions } = asked
  const isSame =
    asksFor(asked, first) &&
    termsIn(first) === termsIn({ mode, currency, tipOptions, ...termsOf(asked) }) &&
    asked.description === first.description &&
    asked.replaces_id !== first.id
  if (!isSame) return refuse('register_order_reference_used', { param: 'client_reference_id' })
  return { writes: [], events: [], reply: presentOrder(first, making), subjectId: first.id }
}

const notOpen = ({ status }: OrderRow) => (status === 'open' ? null : refuse('register_order_not_open'))

/** Whether a payment of it is under way, the database says. */
export const planCancel = (order: OrderRow, making: Making) =>
  notOpen(order) ?? canceledPlan(order, making).plan

export function planDetach(order: OrderRow, making: Making) {
  const closed = notOpen(order)
  if (closed) return closed
  if (!order.isCurrent) return refuse('register_order_detached')
  return planChange(order, { isCurrent: false }, 'register_order.detached', making)
}

/** Its time has come; null where it is over already or is being paid. */
export const planLapse = (order: OrderRow, making: Making) =>
  order.status === 'open' && order.expiresAt <= making.now
    ? planChange(
        order,
        { status: 'expired', isCurrent: false, endedAt: making.now },
        'register_order.expired',
        making,
      )
    : null

const ended = { status: 'paid', isCurrent: false } as const

/** A payment succeeded, in the same publish. */
export function planPaid(order: OrderRow, payment: PaymentRow, making: Making) {
  if (!canMove(orderLifecycle, order.status, 'pay')) return { writes: [], events: [] }
  const set = { ...ended, paymentId: payment.id, endedAt: making.now }
  return planChange(order, set, 'register_order.paid', making)
}

const noShift = refuse('register_shift_closed')

export function planPayCash(
  order: OrderRow,
  tenderedMinor: bigint,
  shift: ShiftRow | undefined,
  making: Making,
) {
  const closed = notOpen(order)
  if (closed) return closed
  if (order.delivers !== null) return refuse('register_order_delivers')
  if (tenderedMinor < order.amountMinor)
    return refuse('parameter_invalid', {
      param: 'amount_tendered',
      message: `The order comes to ${order.amountMinor} minor units.`,
    })
  if (!shift) return noShift
  if (order.currency !== shift.currency) return refuse('register_cash_currency')
  const sale = movement(shift, { kind: 'sale', amountMinor: order.amountMinor, orderId: order.id }, making)
  const plan = planChange(
    order,
    { ...ended, tenderedMinor, endedAt: making.now },
    'register_order.paid',
    making,
  )
  return { ...plan, writes: [...plan.writes, sale] }
}

export function planReturnCash(
  order: OrderRow,
  { amount, note }: BodyOf<typeof contracts.returnCash>,
  shift: ShiftRow | undefined,
  making: Making,
) {
  if (order.tenderedMinor === null) return refuse('register_order_not_paid_in_cash')
  const amountMinor = BigInt(amount)
  const cashReturnedMinor = order.cashReturnedMinor + amountMinor
  if (cashReturnedMinor > order.amountMinor)
    return refuse('cash_return_above_paid', {
      param: 'amount',
      message: `${order.amountMinor - order.cashReturnedMinor} minor units may be given back.`,
    })
  if (!shift) return noShift
  const plan = planChange(order, { cashReturnedMinor }, 'register_order.cash_returned', making)
  const returned = movement(shift, { kind: 'return', amountMinor, orderId: order.id, note }, making)
  return { ...plan, writes: [...plan.writes, returned] }
}

const movement = (
  shift: ShiftRow,
  moved: {
    readonly kind: 'sale' | 'return'
    readonly amountMinor: bigint
    readonly orderId: string
    readonly note?: string | null
  },
  { now, newId }: Making,
): Write => insert(cashMovements, { id: newId(), note: null, ...moved, shiftId: shift.id, createdAt: now })
