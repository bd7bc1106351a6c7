import {
  diningTables,
  tableLines,
  tableSessionSums,
  tableSessions,
} from '../../../drizzle/schema/table-pay.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { amountMinorMax, splitLargestRemainder } from '../../../src/kernel/money.ts'
import { change, expect, insert, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import type { Governing } from '../../money/payment-policy/api-pure.ts'
import type { FeeSchedule } from '../../money/payments/api-pure.ts'
import { priced } from '../../order/lines/api-pure.ts'
import { problemOfTerms } from '../../order/sales/api-pure.ts'
import type * as contracts from './contract.ts'
import { linesMost } from './contract.ts'
import type { Making } from './plan-tables.ts'
import { expectServing } from './plan-waiters.ts'
import { presentSession } from './present.ts'
import type { LineRow, SessionRow, ShownLine, SumsRow, TableRow, WaiterRow } from './store.ts'

type Asked = BodyOf<typeof contracts.addLines>['line_items']

export const about = ({ id }: Pick<SessionRow, 'id'>) => ({ type: 'table_session', id })

const shownAs = (line: LineRow): ShownLine => ({
  id: line.id,
  status: line.status,
  item_id: line.itemId,
  name: line.name,
  quantity: line.quantity,
  unit_amount: line.unitAmountMinor.toString(),
  iva_rate: line.ivaRate,
  price_includes_tax: line.priceIncludesTax,
  amount_total: line.totalMinor.toString(),
  split_from: line.splitFrom,
  payment_id: line.paymentId,
  external_payment_id: line.externalPaymentId,
  version: line.version,
})

type Priced = Pick<
  LineRow,
  | 'itemId'
  | 'name'
  | 'quantity'
  | 'unitAmountMinor'
  | 'ivaRate'
  | 'priceIncludesTax'
  | 'totalMinor'
  | 'splitFrom'
>

const newLine = (
  session: Pick<SessionRow, 'id' | 'lines'>,
  line: Priced,
  at: number,
  making: Making,
): LineRow => ({
  ...newRow(making),
  ...line,
  sessionId: session.id,
  position: session.lines.length + at + 1,
  status: 'ordered',
  paymentId: null,
  externalPaymentId: null,
})

/** New lines of a bill at today's prices, each with its IVA rounded half up once. */
function linesOf(asked: Asked, items: readonly ItemForSale[], session: SessionRow, making: Making) {
  if (session.lines.length + asked.length > linesMost)
    return refuse('parameter_invalid', {
      param: 'line_items',
      message: `A bill has at most ${linesMost} lines.`,
    })
  const sold = priced(asked, items, session.currency)
  if ('refused' in sold) return sold
  const kept = sold.lines.findIndex(
    ({ takes, delivers }) => (takes?.length ?? 0) + (delivers?.length ?? 0) > 0,
  )
  const namedBy = (at: number) => `line_items.${at}.${'barcode' in asked[at]! ? 'barcode' : 'item_id'}`
  if (kept >= 0) return refuse('table_line_not_served', { param: namedBy(kept) })
  const free = sold.lines.findIndex(({ unit_amount }) => unit_amount === '0')
  if (free >= 0)
    return refuse('parameter_invalid', {
      param: namedBy(free),
      message: 'A line of a bill costs something.',
    })
  return sold.lines.map((line, at) =>
    newLine(
      session,
      {
        itemId: line.item_id,
        name: line.name,
        quantity: line.quantity,
        unitAmountMinor: BigInt(line.unit_amount),
        ivaRate: line.iva_rate,
        priceIncludesTax: line.price_includes_tax,
        totalMinor: BigInt(line.amount_total),
        splitFrom: null,
      },
      at,
      making,
    ),
  )
}

const sumOf = (lines: readonly Pick<LineRow, 'totalMinor'>[]) =>
  lines.reduce((sum, { totalMinor }) => sum + totalMinor, 0n)

/** What a new bill names, and its address. */
interface Found {
  readonly publicId: string
  readonly items: readonly ItemForSale[]
  readonly waiter: WaiterRow | null
  readonly pinHash: string | null
}

interface Opening extends Making, Governing {
  readonly schedule: FeeSchedule | null
}

export function planOpen(
  table: TableRow,
  {
    guests_count,
    waiter_id,
    line_items = [],
    payment_method_types,
    tips,
    client_reference_id,
    metadata,
  }: BodyOf<typeof contracts.open>,
  { publicId, items, waiter, pinHash }: Found,
  opening: Opening,
) {
  if (table.status === 'archived') return refuse('dining_table_archived', { param: 'tableId' })
  if (waiter?.status === 'archived') return refuse('waiter_archived', { param: 'waiter_id' })
  const bill: SessionRow = {
    ...newRow(opening),
    publicId,
    status: 'open',
    tableId: table.id,
    name: table.name,
    guestsCount: guests_count,
    waiterId: waiter_id,
    currency: 'mxn',
    paymentMethodTypes: payment_method_types,
    tipOptions: tips,
    discountMinor: 0n,
    pinHash,
    clientReferenceId: client_reference_id,
    metadata,
    termsVersion: 1,
    closedAt: null,
    mergedInto: null,
    policyVersion: opening.policyVersion,
    locationId: table.locationId,
    totalMinor: 0n,
    heldMinor: 0n,
    paidMinor: 0n,
    tipsMinor: 0n,
    lines: [],
  }
  const problem = problemOfMethods(bill, opening)
  if (problem) return problem
  const lines = linesOf(line_items, items, bill, opening)
  if ('refused' in lines) return lines
  const session = { ...bill, lines: lines.map(shownAs), totalMinor: sumOf(lines) }
  const { totalMinor: _, heldMinor: __, paidMinor: ___, tipsMinor: ____, lines: _____, ...row } = bill
  const reply = presentSession(session, opening)
  return {
    writes: [
      expectActive(table),
      ...(waiter ? [expectServing(waiter)] : []),
      insert(tableSessions, row),
      ...(lines.length === 0 ? [] : [insert(tableLines, ...lines)]),
    ],
    events: [event(opening.newId(), 'table_session.opened', about(session), reply)],
    reply,
    subjectId: session.id,
  } satisfies Plan<unknown>
}

/** Only an active table has a bill; who archives it waits. */
const expectActive = ({ id }: TableRow) => expect(diningTables, id, { status: 'active' })

/** How guests may pay; what parts of the bill come to is not known yet. */
function problemOfMethods(bill: SessionRow, { schedule, policy }: Opening) {
  const terms = {
    amountMinor: hundredPesos,
    currency: bill.currency,
    paymentMethodTypes: bill.paymentMethodTypes,
    captureMethod: 'automatic' as const,
    installmentMonths: [],
    installmentPlanMonths: null,
    feeAllocation: 'absorb' as const,
    merchantMarkupBps: 0,
  }
  const problem = problemOfTerms(terms, schedule, policy, 'payment_method_types')
  return problem?.refused.startsWith('amount_') ? null : problem
}

const hundredPesos = 10_000n

/** A change of a bill, with its event. `writes` beside it come first. */
export function planChange(
  session: SessionRow,
  set: Partial<SessionRow>,
  { type = 'table_session.updated', writes = [] }: { type?: EventType; writes?: readonly Write[] },
  making: Making,
) {
  const changed: SessionRow = { ...session, ...set, version: session.version + 1, updatedAt: making.now }
  const { lines: _, totalMinor: __, heldMinor: ___, paidMinor: ____, tipsMinor: _____, ...patch } = set
  const reply = presentSession(changed, making)
  return {
    writes: [change(tableSessions, session, { ...patch, updatedAt: making.now }), ...writes],
    events: [event(making.newId(), type, about(session), reply, presentSession(session, making))],
    reply,
    subjectId: session.id,
  } satisfies Plan<unknown>
}

const notOpen = (session: SessionRow) => (session.status === 'open' ? null : refuse('table_session_not_open'))

export function planAddLines(
  session: SessionRow,
  asked: Asked,
  items: readonly ItemForSale[],
  making: Making,
) {
  const closed = notOpen(session)
  if (closed) return closed
  const lines = linesOf(asked, items, session, making)
  if ('refused' in lines) return lines
  const totalMinor = session.totalMinor + sumOf(lines)
  if (totalMinor > amountMinorMax)
    return refuse('amount_above_maximum', {
      param: 'line_items',
      message: `The bill comes to more than ${amountMinorMax} minor units.`,
    })
  return planChange(
    session,
    { lines: [...session.lines, ...lines.map(shownAs)], totalMinor },
    { writes: [insert(tableLines, ...lines)] },
    making,
  )
}

/** The line, ordered and paid by nobody; or why it is not. */
export function freeLine(session: SessionRow, id: string, param?: string) {
  const at = param === undefined ? {} : { param }
  const line = session.lines.find((each) => each.id === id)
  if (!line) return refuse('table_line_not_found', at)
  return line.status === 'ordered' && line.payment_id === null && line.external_payment_id === null
    ? line
    : refuse('table_line_claimed', at)
}

const withLine = (session: SessionRow, id: string, set: Partial<ShownLine>) =>
  session.lines.map((line) => (line.id === id ? { ...line, ...set } : line))

export function planVoidLine(session: SessionRow, id: string, making: Making) {
  const closed = notOpen(session)
  if (closed) return closed
  const line = freeLine(session, id)
  if ('refused' in line) return line
  return planChange(
    session,
    {
      lines: withLine(session, id, { status: 'void' }),
      totalMinor: session.totalMinor - BigInt(line.amount_total),
    },
    { writes: [change(tableLines, line, { status: 'void', updatedAt: making.now })] },
    making,
  )
}

/** Equal parts that sum to the line: the cents left over go to the first ones. */
export function planSplitLine(session: SessionRow, id: string, count: number, making: Making) {
  const closed = notOpen(session)
  if (closed) return closed
  const line = freeLine(session, id)
  if ('refused' in line) return line
  if (session.lines.length + count > linesMost)
    return refuse('parameter_invalid', {
      param: 'parts_count',
      message: `A bill has at most ${linesMost} lines.`,
    })
  if (BigInt(line.amount_total) < BigInt(count))
    return refuse('parameter_invalid', {
      param: 'parts_count',
      message: 'A part costs at least one minor unit.',
    })
  const totals = splitLargestRemainder(BigInt(line.amount_total), Array<bigint>(count).fill(1n))
  const parts = totals.map((totalMinor, at) =>
    newLine(
      session,
      {
        itemId: line.item_id,
        name: `${line.name} (${at + 1}/${count})`,
        quantity: 1,
        unitAmountMinor: totalMinor,
        ivaRate: line.iva_rate,
        priceIncludesTax: true,
        totalMinor,
        splitFrom: line.id,
      },
      at,
      making,
    ),
  )
  const lines = [...withLine(session, id, { status: 'split' }), ...parts.map(shownAs)]
  const split = change(tableLines, line, { status: 'split', updatedAt: making.now })
  // The parts first: the bill never comes to less than it did.
  return planChange(session, { lines }, { writes: [insert(tableLines, ...parts), split] }, making)
}

export function planDiscount(session: SessionRow, amountMinor: bigint, making: Making) {
  const closed = notOpen(session)
  if (closed) return closed
  const subtotalMinor = session.totalMinor + session.discountMinor
  if (amountMinor > subtotalMinor)
    return refuse('parameter_invalid', {
      param: 'amount',
      message: `The lines come to ${subtotalMinor} minor units.`,
    })
  const set = { discountMinor: amountMinor, totalMinor: subtotalMinor - amountMinor }
  if (set.totalMinor < session.heldMinor + session.paidMinor)
    return refuse('table_session_amount_taken', { param: 'amount' })
  return planChange(session, set, {}, making)
}

/** To another table, to another waiter, or both; null: nobody serves it from now on, absent: who does now. */
export function planTransfer(
  session: SessionRow,
  {
    table,
    waiter,
  }: { readonly table?: TableRow | undefined; readonly waiter?: WaiterRow | null | undefined },
  making: Making,
) {
  if (table?.status === 'archived') return refuse('dining_table_archived', { param: 'table_id' })
  if (waiter?.status === 'archived') return refuse('waiter_archived', { param: 'waiter_id' })
  const set = {
    ...(table && { tableId: table.id, name: table.name }),
    ...(waiter !== undefined && { waiterId: waiter?.id ?? null }),
  }
  const writes = [...(table ? [expectActive(table)] : []), ...(waiter ? [expectServing(waiter)] : [])]
  return notOpen(session) ?? planChange(session, set, { writes }, making)
}

/** Whether enough is paid for it, the database says. */
export const planClose = (session: SessionRow, making: Making) =>
  notOpen(session) ??
  planChange(session, { status: 'closed', closedAt: making.now }, { type: 'table_session.closed' }, making)

export const planVoid = (session: SessionRow, making: Making) =>
  notOpen(session) ??
  planChange(session, { status: 'void', closedAt: making.now }, { type: 'table_session.voided' }, making)

export function planReopen(session: SessionRow, making: Making) {
  if (session.status === 'open') return refuse('table_session_open')
  if (session.status === 'merged') return refuse('table_session_merged')
  return planChange(session, { status: 'open', closedAt: null }, { type: 'table_session.reopened' }, making)
}

/** All of a bill is paid, which is published once; null where something is left again. */
export function planSettled(session: SessionRow, sums: SumsRow, making: Making): Plan<object> | null {
  if (sums.settledAt === null || sums.announcedAt !== null) return null
  return {
    // The event shows the bill as it is now, still paid: no payment or line moves the version of its sums.
    writes: [
      expect(tableSessions, session.id, { version: session.version }),
      expect(tableSessionSums, session.id, { settledAt: sums.settledAt }),
      change(tableSessionSums, sums, { announcedAt: making.now, updatedAt: making.now }),
    ],
    events: [event(making.newId(), 'table_session.settled', about(session), presentSession(session, making))],
    reply: {},
  }
}
