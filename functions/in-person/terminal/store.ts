import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  isNotNull,
  isNull,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { isOneOf } from '../../../drizzle/schema/columns.ts'
import { deviceCredentials, devices } from '../../../drizzle/schema/devices.ts'
import { inPersonPayments, mexicoCityDay, readerActions } from '../../../drizzle/schema/in-person.ts'
import { type Address, locations } from '../../../drizzle/schema/locations.ts'
import { offlinePayments } from '../../../drizzle/schema/offline-payments.ts'
import { type CardDetails, payments } from '../../../drizzle/schema/payments.ts'
import { refunds } from '../../../drizzle/schema/refunds.ts'
import { waiters } from '../../../drizzle/schema/table-pay.ts'
import { tenants } from '../../../drizzle/schema/tenants.ts'
import { methodsOf } from '../../../src/kernel/payment-methods.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, inWindow, ownTenant, pages, rowsLimit, select, slot } from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'
import type { PaymentRow } from '../../money/payments/api-pure.ts'
import { merchantColumns, queriesOf } from '../../order/sales/api.ts'
import { inPerson } from './facts.ts'
import type { InPersonStatus, OfflineStatus } from './lifecycle.ts'

export type ReaderActionRow = Row<typeof readerActions>
export type InPersonRow = Row<typeof inPersonPayments>
/** Its terms are null where it takes no payment. */
export type NextActionRow = ReaderActionRow & {
  readonly [K in 'amountMinor' | 'currency' | 'installmentMonths' | 'description']: InPersonRow[K] | null
}

export const actionById = rowsBy(readerActions, 'id')
export const actionsPage = newest(readerActions, ['status', 'readerId', 'type'])
/** What a reader is busy with. */
export const actionInProgress = select<ReaderActionRow>(() =>
  build
    .select()
    .from(readerActions)
    .where(
      and(
        ownTenant(readerActions),
        eq(readerActions.readerId, slot('readerId')),
        eq(readerActions.status, 'in_progress'),
      ),
    ),
)

/** Who served: to whom a tip is owed. */
export type WaiterRow = Row<typeof waiters>
export const waiterById = rowsBy(waiters, 'id')

export const inPersonById = rowsBy(inPersonPayments, 'id')

/** A payment in person with what its action and its payment say of it. */
export type TakenRow = InPersonRow & {
  readonly paymentId: string
  readonly paymentStatus: PaymentRow['status']
  readonly captureMethod: PaymentRow['captureMethod']
  readonly captureBefore: Date | null
  readonly tipMinor: bigint
  readonly amountAuthorizedMinor: bigint
  readonly amountCapturedMinor: bigint
  /** Null before the bank has approved it. */
  readonly card: CardDetails | null
  /** Null, as its status, where no reader was asked. */
  readonly actionId: string | null
  readonly actionStatus: ReaderActionRow['status'] | null
  readonly step: ReaderActionRow['step']
  /** Null, as its times, where a reader did not store it. */
  readonly offlineStatus: (typeof offlinePayments.$inferSelect)['status'] | null
  readonly storedAt: Date | null
  readonly forwardedAt: Date | null
}

const ofSale = and(
  eq(payments.tenantId, inPersonPayments.tenantId),
  eq(payments.originId, inPersonPayments.id),
  eq(payments.originType, inPerson.kind),
)
const ofPayment = and(eq(readerActions.tenantId, payments.tenantId), eq(readerActions.paymentId, payments.id))

/** What a reader stored was asked of none: where there is an action, nothing is looked for. */
const stored = build
  .select({
    offlineStatus: offlinePayments.status,
    takenAt: offlinePayments.takenAt,
    forwardedAt: offlinePayments.createdAt,
  })
  .from(offlinePayments)
  .where(
    and(
      isNull(readerActions.id),
      eq(offlinePayments.tenantId, inPersonPayments.tenantId),
      eq(offlinePayments.inPersonPaymentId, inPersonPayments.id),
    ),
  )
  .limit(1)
  .as('stored')

const takenColumns = {
  ...getTableColumns(inPersonPayments),
  paymentId: payments.id,
  paymentStatus: payments.status,
  captureMethod: payments.captureMethod,
  captureBefore: payments.captureBefore,
  tipMinor: payments.tipAmountMinor,
  amountAuthorizedMinor: payments.amountAuthorizedMinor,
  amountCapturedMinor: payments.amountCapturedMinor,
  card: sql`${payments.methodDetails}`.mapWith(payments.methodDetails) as SQL as SQL<CardDetails | null>,
  actionId: readerActions.id,
  actionStatus: readerActions.status,
  step: readerActions.step,
  offlineStatus: stored.offlineStatus,
  storedAt: stored.takenAt,
  forwardedAt: stored.forwardedAt,
}

const taken = () =>
  build
    .select(takenColumns)
    .from(inPersonPayments)
    .innerJoin(payments, ofSale)
    .leftJoin(readerActions, ofPayment)
    .leftJoinLateral(stored, sql`true`)

export const takenById = select<TakenRow>(() =>
  taken().where(and(ownTenant(inPersonPayments), eq(inPersonPayments.id, slot('id')))),
)

/** A payment in person with all that its receipt says of it, of its merchant and of where it was made. */
export type ReceiptRow = TakenRow &
  Pick<PaymentRow, 'amountRefundedMinor' | 'order' | 'taxes' | 'succeededAt'> &
  Pick<
    typeof tenants.$inferSelect,
    'branding' | 'fiscalProfile' | 'supportEmail' | 'supportPhone' | 'websiteUrl'
  > & {
    readonly paymentPublicId: string
    readonly approvedAt: Date | null
    readonly merchantName: string
    /** Null, as what it says, where the device stood nowhere. */
    readonly placeName: string | null
    readonly address: Address | null
    readonly timeZone: string | null
  }

export const receiptOf = select<ReceiptRow>(() =>
  build
    .select({
      ...takenColumns,
      paymentPublicId: payments.publicId,
      order: payments.order,
      amountRefundedMinor: payments.amountRefundedMinor,
      taxes: payments.taxes,
      succeededAt: payments.succeededAt,
      approvedAt: readerActions.endedAt,
      ...merchantColumns,
      placeName: locations.name,
      address: locations.address,
      timeZone: locations.timeZone,
    })
    .from(inPersonPayments)
    .innerJoin(payments, ofSale)
    .innerJoin(tenants, eq(tenants.tenantId, inPersonPayments.tenantId))
    .leftJoin(readerActions, ofPayment)
    .leftJoinLateral(stored, sql`true`)
    .leftJoin(
      locations,
      and(eq(locations.tenantId, inPersonPayments.tenantId), eq(locations.id, inPersonPayments.locationId)),
    )
    .where(and(ownTenant(inPersonPayments), eq(inPersonPayments.id, slot('id')))),
)

export type RefundRow = Row<typeof refunds>

/** What went back of it, or is on its way. */
export const refundsOf = select<RefundRow>(() =>
  build
    .select(getTableColumns(refunds))
    .from(payments)
    .innerJoin(refunds, and(eq(refunds.tenantId, payments.tenantId), eq(refunds.paymentId, payments.id)))
    .where(
      and(
        ownTenant(payments),
        eq(payments.originId, slot('id')),
        eq(payments.originType, inPerson.kind),
        // Those that the books count.
        notInArray(refunds.status, ['failed', 'canceled', 'amount_mismatch']),
      ),
    )
    .orderBy(asc(refunds.createdAt), asc(refunds.id)),
)

type Has = (slot: string) => boolean
/** Sales of a status: where they are found, newest first. */
type Found = (has: Has) => SQL

const filters = ['deviceId', 'locationId', 'clientReferenceId'] as const
const filteredSale = (has: Has, id: PgColumn) =>
  filters.some(has)
    ? sql`exists (${build
        .select({ id: inPersonPayments.id })
        .from(inPersonPayments)
        .where(
          and(
            ownTenant(inPersonPayments),
            eq(inPersonPayments.id, id),
            ...filtered(inPersonPayments, has, filters),
          ),
        )} offset 0)`
    : undefined

// A sale is made with its payment and its action, at one instant: so either is where the list has it.
const { tenantId, createdAt } = readerActions
const byAction = { tenantId, createdAt, id: readerActions.inPersonPaymentId }
const byPayment = { tenantId: payments.tenantId, createdAt: payments.createdAt, id: payments.originId }

/** The sales that rows of a table name, within the window and the filters of the list. */
const salesOf =
  (table: PgTable, by: Parameters<typeof inWindow>[0], where: (has: Has) => (SQL | undefined)[]): Found =>
  (has) =>
    sql`${build
      .select({ id: by.id })
      .from(table)
      .where(and(...inWindow(by, has), ...where(has), filteredSale(has, by.id)))
      .orderBy(desc(by.createdAt), desc(by.id))
      .limit(rowsLimit)}`

const whoseAction = (status: ReaderActionRow['status'], more?: SQL) =>
  salesOf(readerActions, byAction, () => [
    eq(readerActions.status, status),
    isNotNull(readerActions.paymentId),
    more,
  ])

/** Of what a card was approved for, the payment gives the status: its action has succeeded. */
const whosePayment = (status: PaymentRow['status'], approved?: SQL) =>
  salesOf(payments, byPayment, () => [
    isOneOf(payments.method, methodsOf('presented')),
    eq(payments.status, status),
    eq(payments.originType, inPerson.kind),
    approved,
  ])

const byStored = { ...getTableColumns(offlinePayments), id: offlinePayments.inPersonPaymentId }
/** What a reader stored has its status from there, until it is paid. Null: as it is asked for, with that of the sale. */
const whoseStored = (status: OfflineStatus | null) =>
  salesOf(offlinePayments, byStored, (has) => [
    eq(offlinePayments.status, status ?? slot('offlineStatus')),
    status === null && has('status')
      ? sql`${slot('status')} = replace(${offlinePayments.status}, 'forwarding', 'created')`
      : undefined,
    isNotNull(offlinePayments.paymentId),
  ])

const wasAuthorized = isNotNull(payments.captureBefore)

const isHanded = (handed: 'not yet' | 'and waits' | 'and is read') => {
  const status = sql`(select ${payments.status} from ${payments} where ${ofPayment})`
  if (handed === 'not yet') return sql`${status} = 'processing'`
  return and(
    sql`${status} <> 'processing'`,
    (handed === 'and waits' ? isNull : isNotNull)(readerActions.step),
  )
}

/** As `statusOf` (present.ts) reads the status off a row. */
const founds: Readonly<Record<InPersonStatus, readonly Found[]>> = {
  created: [whoseAction('in_progress', isHanded('not yet')), whoseStored('forwarding')],
  waiting_device: [whoseAction('in_progress', isHanded('and waits'))],
  in_progress: [whoseAction('in_progress', isHanded('and is read'))],
  authorized: [whosePayment('requires_capture', wasAuthorized)],
  succeeded: [whosePayment('succeeded'), whosePayment('partially_captured')],
  declined: [whoseAction('failed'), whoseStored('declined')],
  canceled: [
    whoseAction('canceled'),
    whoseStored('canceled'),
    whosePayment('canceled', wasAuthorized),
    whosePayment('expired', wasAuthorized),
  ],
  timed_out: [whoseAction('timed_out')],
  unknown: [whoseAction('unknown'), whoseStored('unknown')],
}

/** A page: at most that many of each place where a status is found, and of these the newest. */
const pageOf = (found: readonly Found[] | null) =>
  select<TakenRow>(
    (has) =>
      taken()
        .where(
          found
            ? and(
                ownTenant(inPersonPayments),
                sql`${inPersonPayments.id} in (${sql.join(
                  found.map((each) => each(has)),
                  sql` union all `,
                )})`,
              )
            : and(...inWindow(inPersonPayments, has), ...filtered(inPersonPayments, has, filters)),
        )
        .orderBy(desc(inPersonPayments.createdAt), desc(inPersonPayments.id))
        .limit(rowsLimit),
    found ? [] : pages,
  )

const ofAnyStatus = pageOf(null)
const ofStored = pageOf([whoseStored(null)])
const ofStatus = Object.fromEntries(
  Object.entries(founds).map(([status, found]) => [status, pageOf(found)]),
) as Readonly<Record<InPersonStatus, typeof ofAnyStatus>>

export const takenPage = ({
  status,
  ...values
}: Readonly<Record<string, unknown>> & { readonly status?: InPersonStatus | undefined }) => {
  if (values.offlineStatus !== undefined) return ofStored({ ...values, status })
  return (status ? ofStatus[status] : ofAnyStatus)(values)
}

export const inPersonQueries = queriesOf(inPersonPayments, inPerson.kind)
export const inPersonForSale = inPersonQueries.forSale({})

/** An action with the terms that were asked for. */
export type AskedRow = ReaderActionRow &
  Pick<InPersonRow, 'amountMinor' | 'currency' | 'installmentMonths' | 'waiterId'> &
  Pick<PaymentRow, 'captureMethod' | 'order' | 'tipAmountMinor'>

/** What a reader was asked for by the merchant's own name on a day in Mexico City. */
export const actionByReference = select<AskedRow>(() => {
  const { amountMinor, currency, installmentMonths, waiterId } = inPersonPayments
  const { captureMethod, order, tipAmountMinor } = payments
  const asked = { amountMinor, currency, installmentMonths, waiterId, captureMethod, order, tipAmountMinor }
  return build
    .select({ ...getTableColumns(readerActions), ...asked })
    .from(inPersonPayments)
    .innerJoin(payments, ofSale)
    .innerJoin(readerActions, ofPayment)
    .where(
      and(
        ownTenant(inPersonPayments),
        eq(inPersonPayments.deviceId, slot('readerId')),
        eq(inPersonPayments.clientReferenceId, slot('reference')),
        sql`${mexicoCityDay(inPersonPayments.createdAt)} = ${slot('day')}::date`,
      ),
    )
})

/** Actions of the calling reader, of its present pairing. */
const ofKid = (...more: SQL[]) => {
  const { amountMinor, currency, installmentMonths, description } = inPersonPayments
  return build
    .select({ ...getTableColumns(readerActions), amountMinor, currency, installmentMonths, description })
    .from(deviceCredentials)
    .innerJoin(
      devices,
      and(eq(devices.tenantId, deviceCredentials.tenantId), eq(devices.id, deviceCredentials.deviceId)),
    )
    .innerJoin(
      readerActions,
      and(
        eq(readerActions.tenantId, devices.tenantId),
        eq(readerActions.readerId, devices.id),
        eq(readerActions.pairing, devices.pairingsCount),
      ),
    )
    .leftJoin(
      inPersonPayments,
      and(
        eq(inPersonPayments.tenantId, readerActions.tenantId),
        eq(inPersonPayments.id, readerActions.inPersonPaymentId),
      ),
    )
    .leftJoin(
      payments,
      and(eq(payments.tenantId, readerActions.tenantId), eq(payments.id, readerActions.paymentId)),
    )
    .where(and(ownTenant(deviceCredentials), eq(deviceCredentials.kid, slot('kid')), ...more))
}

/** What the calling reader shall do now: no payment before the processor waits for its card. */
export const nextActionOf = select<NextActionRow>(() =>
  ofKid(
    eq(readerActions.status, 'in_progress'),
    or(isNull(readerActions.paymentId), eq(payments.status, 'requires_action'))!,
  ),
)

export const ownActionById = select<NextActionRow>(() => ofKid(eq(readerActions.id, slot('id'))))
