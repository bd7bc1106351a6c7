import { and, eq, getTableColumns, type SQLWrapper, sql } from 'drizzle-orm'
import { buyerDetails, type CollectedDetails } from '../../../drizzle/schema/buyer-details.ts'
import { checkoutRecoveries } from '../../../drizzle/schema/checkout-recoveries.ts'
import { checkoutSessions, checkoutSettings } from '../../../drizzle/schema/checkout-sessions.ts'
import { customers } from '../../../drizzle/schema/customers.ts'
import { discounts, discountUses } from '../../../drizzle/schema/discounts.ts'
import { payments } from '../../../drizzle/schema/payments.ts'
import { tenants } from '../../../drizzle/schema/tenants.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'
import { leftFor } from '../../goods/inventory/api.ts'
import { givenWith } from '../../money/payments/api.ts'
import { type Beside, collectedOf, livePaymentOf, queriesOf, saleList } from '../../order/sales/api.ts'
import type { Prefill } from '../../page/hosted-payment/api.ts'

type Sessions = Row<typeof checkoutSessions>
/** A session with the payment that is under way, if any. */
export type SessionRow = Sessions & {
  readonly livePaymentId: string | null
  /** What the buyer gave with the last attempt to pay. */
  readonly collected: CollectedDetails | null
}
/** As its page needs it. */
export type ShownRow = SessionRow & {
  /** How many are left of each item that it takes; null while a payment of it holds them, and where it takes none. */
  readonly left?: Readonly<Record<string, number>> | null
  /** Something of it is off sale. */
  readonly isOffSale?: boolean
  /** A discount of it no longer applies. */
  readonly isDiscountOver?: boolean
  /** The buyer consented to a mail in case it ends unpaid. */
  readonly isRecoveryGiven?: boolean
  /** A payment has been tried: what it costs no longer changes. */
  readonly isTried?: boolean
  /** What the merchant knows of its customer. */
  readonly prefill?: Prefill | null
  /** The origins whose pages may frame it; null where it is shown by itself. */
  readonly embeddedIn?: string[] | null
}
export type SettingsRow = Row<typeof checkoutSettings>

const kind = 'checkout_session'
const livePayment = livePaymentOf(kind, checkoutSessions.id)

// Drizzle leaves out the table of a column that stands in a field of SQL itself; within a nested one it stays.
const beside: Beside<Pick<SessionRow, 'livePaymentId' | 'collected'>> = {
  columns: (id) => ({
    livePaymentId: sql`${livePaymentOf(kind, id)}`.mapWith(payments.id),
    collected: sql`${collectedOf(id)}`.mapWith(buyerDetails.details),
  }),
  unread: { livePaymentId: null, collected: null },
}

export const sessions = queriesOf(checkoutSessions, kind, beside)

const left = sql`case when ${livePayment} is null then ${leftFor(checkoutSessions.stock)} end`

const isOffSale = sql`door.is_off_sale(${checkoutSessions.tenantId}, ${checkoutSessions.lines})`

const isDiscountOver = sql`(${livePayment} is null and exists (
  select from jsonb_to_recordset(${checkoutSessions.discounts}) n (discount_id uuid)
  join ${discounts} on ${ownTenant(discounts)} and ${discounts.id} = n.discount_id
  where not ${discounts.isActive} or ${discounts.startsAt} > now() or ${discounts.endsAt} <= now()
    or ${discounts.uses} >= ${discounts.usesMax}
    or ${discounts.usesPerCustomerMax} <= (select count(*) from ${discountUses}
      where ${ownTenant(discountUses)} and ${discountUses.discountId} = ${discounts.id} and ${discountUses.isCounted}
        and ${discountUses.customerId} = ${checkoutSessions.customerId})))`

const isTried = sql`exists (select from ${payments} where ${ownTenant(payments)}
  and ${payments.originType} = 'checkout_session' and ${payments.originId} = ${checkoutSessions.id})`

const isRecoveryGiven = sql`exists (select from ${checkoutRecoveries} where ${ownTenant(checkoutRecoveries)}
  and ${checkoutRecoveries.sessionId} = ${checkoutSessions.id} and ${checkoutRecoveries.status} = 'waiting')`

const prefill = sql`(select jsonb_build_object('name', coalesce(${customers.name}, ''),
    'email', coalesce(${customers.email}, ''), 'phone', coalesce(${customers.phone}, ''))
  from ${customers} where ${ownTenant(customers)} and ${customers.id} = ${checkoutSessions.customerId}
    and ${customers.status} = 'active')`

const embeddedIn = sql`(select ${checkoutSettings.returnOrigins} from ${checkoutSettings}
  where ${ownTenant(checkoutSettings)} and ${checkoutSessions.uiMode} = 'embedded')`

/** A session as its page needs it. */
export const sessionForSale = sessions.forSale<Omit<ShownRow, keyof SessionRow>>({
  left: sql`${left}`.mapWith(checkoutSessions.stock),
  isOffSale: sql`${isOffSale}`.mapWith(payments.exclusive),
  isDiscountOver: sql`${isDiscountOver}`.mapWith(payments.exclusive),
  prefill: sql`${prefill}`.mapWith(checkoutSessions.collects),
  isTried: sql`${isTried}`.mapWith(payments.exclusive),
  isRecoveryGiven: sql`${isRecoveryGiven}`.mapWith(payments.exclusive),
  embeddedIn: sql`${embeddedIn}`.mapWith(checkoutSettings.returnOrigins),
})

/** Sessions whose receipt's public id is within the slots: of their payment, or their own where they cost nothing. */
const ofReceipt = () =>
  build
    .select({ id: checkoutSessions.id })
    .from(checkoutSessions)
    .where(and(ownTenant(checkoutSessions), withinReceipts(checkoutSessions.receiptRef)))
    .unionAll(
      build
        .select({ id: payments.originId })
        .from(payments)
        .where(
          and(
            ownTenant(payments),
            eq(payments.originType, 'checkout_session'),
            withinReceipts(payments.publicId),
          ),
        ),
    )

const withinReceipts = (publicId: SQLWrapper) =>
  sql`${publicId} between ${slot('receiptFrom')} and ${slot('receiptTo')}`

export const sessionsPage = saleList(checkoutSessions, kind, beside, {
  filters: (has) => [
    ...filtered(checkoutSessions, has, ['clientReferenceId', 'customerId', 'status']),
    has('receiptFrom') ? sql`${checkoutSessions.id} in (${ofReceipt()})` : undefined,
    has('email') ? sql`${checkoutSessions.id} in ${givenWith('originId')}` : undefined,
  ],
  few: ['clientReferenceId', 'customerId', 'receiptFrom', 'email'],
})

export type RecoveryRow = Row<typeof checkoutRecoveries>

/** With whether its workspace takes payments. */
export type SellerRecovery = RecoveryRow & { readonly takesPayments: boolean }

const takesPayments = sql`exists (select from ${tenants} where ${ownTenant(tenants)} and ${tenants.status} = 'active')`

export const recoveryById = select<SellerRecovery>(() =>
  build
    .select({
      ...getTableColumns(checkoutRecoveries),
      takesPayments: sql`${takesPayments}`.mapWith(payments.exclusive),
    })
    .from(checkoutRecoveries)
    .where(and(ownTenant(checkoutRecoveries), eq(checkoutRecoveries.id, slot('id')))),
)

/** The recovery of a session by its public id. */
export const recoveryOf = select<RecoveryRow>(() =>
  build
    .select(getTableColumns(checkoutRecoveries))
    .from(checkoutRecoveries)
    .innerJoin(
      checkoutSessions,
      and(
        eq(checkoutSessions.tenantId, checkoutRecoveries.tenantId),
        eq(checkoutSessions.id, checkoutRecoveries.sessionId),
      ),
    )
    .where(and(ownTenant(checkoutRecoveries), eq(checkoutSessions.publicId, slot('publicId')))),
)

export const settingsOfCheckout = select<SettingsRow>(() =>
  build.select().from(checkoutSettings).where(ownTenant(checkoutSettings)),
)

export const discountById = rowsBy(discounts, 'id')

export const discountsPage = newest(discounts, ['code'])
