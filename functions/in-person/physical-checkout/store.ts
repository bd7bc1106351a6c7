import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { devices } from '../../../drizzle/schema/devices.ts'
import { mexicoCityDay } from '../../../drizzle/schema/in-person.ts'
import { holdsItsOrigin, payments } from '../../../drizzle/schema/payments.ts'
import {
  cashMovements,
  registerCodes,
  registerOrders,
  registerShifts,
} from '../../../drizzle/schema/physical-checkout.ts'
import { type Branding, tenants } from '../../../drizzle/schema/tenants.ts'
import type { Method } from '../../../src/kernel/payment-methods.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'
import { leftFor } from '../../goods/inventory/api.ts'
import { type Beside, livePaymentOf, queriesOf, saleList } from '../../order/sales/api.ts'

export type CodeRow = Row<typeof registerCodes>
export type ShiftRow = Row<typeof registerShifts>
export type MovementRow = Row<typeof cashMovements>

/** An order with the payment that is under way or made, if any. */
export type OrderRow = Row<typeof registerOrders> & { readonly livePaymentId: string | null }

/** As its page needs it. */
export type ShownOrder = OrderRow & {
  /** How many are left of each item that it takes; null while a payment of it holds them, and where it takes none. */
  readonly left?: Readonly<Record<string, number>> | null
  /** The public id of the order that took its place. */
  readonly leadsTo?: string | null
}

const kind = 'register_order'

const beside: Beside<Pick<OrderRow, 'livePaymentId'>> = {
  columns: (id) => ({ livePaymentId: sql`${livePaymentOf(kind, id)}`.mapWith(payments.id) }),
  unread: { livePaymentId: null },
}

export const orders = queriesOf(registerOrders, kind, beside)

const other = alias(registerOrders, 'other')

const leadsTo = sql`(select ${other.publicId} from ${registerOrders} other
  where ${ownTenant(other)} and ${other.id} = ${registerOrders.replacedBy})`

const left = sql`case when ${livePaymentOf(kind, registerOrders.id)} is null then ${leftFor(registerOrders.stock)} end`

// Within a nested one, Drizzle leaves a column its table.
export const orderForSale = orders.forSale<Pick<Required<ShownOrder>, 'left' | 'leadsTo'>>({
  left: sql`${left}`.mapWith(registerOrders.stock),
  leadsTo: sql`${leadsTo}`.mapWith(registerOrders.publicId),
})

export const ordersPage = saleList(registerOrders, kind, beside, {
  filters: (has) => filtered(registerOrders, has, ['status', 'registerId', 'clientReferenceId']),
  few: ['registerId', 'clientReferenceId'],
})

const shown = {
  ...getTableColumns(registerOrders),
  livePaymentId: sql`${livePaymentOf(kind, registerOrders.id)}`.mapWith(payments.id),
}

const found = () => build.select(shown).from(registerOrders)

/** The order that a register shows. */
export const currentOrderOf = select<OrderRow>(() =>
  found().where(
    and(
      ownTenant(registerOrders),
      eq(registerOrders.registerId, slot('registerId')),
      eq(registerOrders.isCurrent, true),
    ),
  ),
)

/** What a register made by the merchant's own name on a day in Mexico City. */
export const orderByReference = select<OrderRow>(() =>
  found().where(
    and(
      ownTenant(registerOrders),
      eq(registerOrders.registerId, slot('registerId')),
      eq(registerOrders.clientReferenceId, slot('reference')),
      sql`${mexicoCityDay(registerOrders.createdAt)} = ${slot('day')}::date`,
    ),
  ),
)

export const codeById = rowsBy(registerCodes, 'id')
export const codesPage = newest(registerCodes, ['registerId'])

export const shiftById = rowsBy(registerShifts, 'id')
export const shiftsPage = newest(registerShifts, ['status', 'registerId'])
export const openShiftOf = select<ShiftRow>(() =>
  build
    .select(getTableColumns(registerShifts))
    .from(registerShifts)
    .where(
      and(
        ownTenant(registerShifts),
        eq(registerShifts.registerId, slot('registerId')),
        eq(registerShifts.status, 'open'),
      ),
    ),
)

/** The open shift of the register at which an order was made. */
export const openShiftAt = select<ShiftRow>(() =>
  build
    .select(getTableColumns(registerShifts))
    .from(registerShifts)
    .innerJoin(
      registerOrders,
      and(
        eq(registerOrders.tenantId, registerShifts.tenantId),
        eq(registerOrders.registerId, registerShifts.registerId),
      ),
    )
    .where(
      and(
        ownTenant(registerShifts),
        eq(registerShifts.status, 'open'),
        eq(registerOrders.id, slot('orderId')),
      ),
    ),
)

export const movementById = rowsBy(cashMovements, 'id')
export const movementsPage = newest(cashMovements, [], eq(cashMovements.shiftId, slot('shiftId')))

/** Payments of a shift's orders, by method and currency. */
export interface PaidSum {
  readonly method: Method
  readonly currency: string
  readonly count: number
  readonly amountMinor: bigint
  readonly tipsMinor: bigint
  readonly refundedMinor: bigint
}

const tipCaptured = sql`least(${payments.tipAmountMinor}, ${payments.amountCapturedMinor})`

export const paidInShift = select<PaidSum>(() =>
  build
    .select({
      method: payments.method,
      currency: payments.currency,
      count: sql`count(*)`.mapWith(Number),
      amountMinor: sql`sum(${payments.amountCapturedMinor} - ${tipCaptured})`.mapWith(payments.amountMinor),
      tipsMinor: sql`sum(${tipCaptured})`.mapWith(payments.amountMinor),
      refundedMinor: sql`sum(${payments.amountRefundedMinor})`.mapWith(payments.amountMinor),
    })
    .from(registerOrders)
    .innerJoin(
      payments,
      and(eq(payments.tenantId, registerOrders.tenantId), eq(payments.id, registerOrders.paymentId)),
    )
    .where(and(ownTenant(registerOrders), eq(registerOrders.shiftId, slot('shiftId'))))
    .groupBy(payments.method, payments.currency)
    .orderBy(payments.method, payments.currency),
)

/** How many orders were paid in cash in a shift. */
export const cashSalesIn = select<{ readonly count: number }>(() =>
  build
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(cashMovements)
    .where(
      and(
        ownTenant(cashMovements),
        eq(cashMovements.shiftId, slot('shiftId')),
        eq(cashMovements.kind, 'sale'),
      ),
    ),
)

/** How many orders of a shift are open, and of how many of them a payment is under way. */
export interface OpenCount {
  readonly openCount: number
  readonly unsettledCount: number
}

export const openInShift = select<OpenCount>(() =>
  build
    .select({
      openCount: sql`count(*)`.mapWith(Number),
      unsettledCount: sql`count(${payments.id})`.mapWith(Number),
    })
    .from(registerOrders)
    .leftJoin(
      payments,
      and(
        eq(payments.tenantId, registerOrders.tenantId),
        eq(payments.originType, kind),
        eq(payments.originId, registerOrders.id),
        holdsItsOrigin(),
      ),
    )
    .where(
      and(
        ownTenant(registerOrders),
        eq(registerOrders.shiftId, slot('shiftId')),
        eq(registerOrders.status, 'open'),
      ),
    ),
)

/** What an active code of a register is, and whose. */
export interface CodeAt {
  readonly purpose: CodeRow['purpose']
  readonly registerName: string
  readonly workspaceName: string
  readonly branding: Branding | null
}

const atCode = and(
  ownTenant(registerCodes),
  eq(registerCodes.publicId, slot('publicId')),
  eq(registerCodes.status, 'active'),
)

export const codeAt = select<CodeAt>(() =>
  build
    .select({
      purpose: registerCodes.purpose,
      registerName: devices.name,
      workspaceName: tenants.name,
      branding: tenants.branding,
    })
    .from(registerCodes)
    .innerJoin(
      devices,
      and(eq(devices.tenantId, registerCodes.tenantId), eq(devices.id, registerCodes.registerId)),
    )
    .innerJoin(tenants, eq(tenants.tenantId, registerCodes.tenantId))
    .where(atCode),
)

/** An order with what its payment came to, tip included; null while it has none. */
export type ShownAtCode = OrderRow & { readonly paidMinor: bigint | null }

const paid = sql`(select ${payments.amountMinor} from ${payments}
  where ${ownTenant(payments)} and ${payments.id} = ${registerOrders.paymentId})`

const ofCode = sql`(select ${registerCodes.registerId} from ${registerCodes} where ${atCode})`

/** What the register of a code shows, or else its newest order. */
export const orderAtCode = select<ShownAtCode>(() =>
  build
    .select({
      ...shown,
      paidMinor: sql`${paid}`.mapWith(payments.amountMinor),
    })
    .from(registerOrders)
    .where(
      and(
        ownTenant(registerOrders),
        sql`${registerOrders.id} = (select coalesce(
          (select ${other.id} from ${registerOrders} other
            where ${ownTenant(other)} and ${other.registerId} = ${ofCode} and ${other.isCurrent}),
          (select ${other.id} from ${registerOrders} other
            where ${ownTenant(other)} and ${other.registerId} = ${ofCode}
            order by ${other.createdAt} desc, ${other.id} desc limit 1)))`,
      ),
    ),
)
