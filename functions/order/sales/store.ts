import { and, desc, eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { buyerDetails } from '../../../drizzle/schema/buyer-details.ts'
import { holdsItsOrigin, payments } from '../../../drizzle/schema/payments.ts'
import { publicIds } from '../../../drizzle/schema/public-ids.ts'
import { type Branding, type FiscalProfile, tenants } from '../../../drizzle/schema/tenants.ts'
import { isPublicId } from '../../../src/kernel/ids.ts'
import type { Method } from '../../../src/kernel/payment-methods.ts'
import { expect, type Row } from '../../../src/kernel/plan.ts'
import { newestPage } from '../../../src/platform/listing.ts'
import {
  build,
  foundFirst,
  inWindow,
  type Listed,
  ownTenant,
  pages,
  rowOf,
  rowsLimit,
  type Selectable,
  select,
  slot,
} from '../../../src/platform/query.ts'
import { filtered } from '../../../src/platform/rows.ts'
import { currentLevelsOf, type Levels, levelsBeside, levelsOfSale } from '../../money/payment-policy/api.ts'

/** What the buyer gave with the last attempt to pay what was sold. */
export const collectedOf = (originId: SQLWrapper) =>
  sql`(select ${buyerDetails.details} from ${buyerDetails} where ${ownTenant(buyerDetails)}
  and ${buyerDetails.originId} = ${originId} order by ${buyerDetails.createdAt} desc, ${buyerDetails.id} desc limit 1)`

const { emailDigests: _, ...detailsColumns } = getTableColumns(buyerDetails)
export type DetailsRow = Omit<Row<typeof buyerDetails>, 'emailDigests'>

/** What buyers gave for what was sold at a public id or under an id: of each payment with its last attempt. */
export const detailsPage = select<DetailsRow>((has) =>
  build
    .select(detailsColumns)
    .from(buyerDetails)
    .where(
      and(
        ...inWindow(buyerDetails, has),
        ...filtered(buyerDetails, has, ['paymentId']),
        sql`${buyerDetails.originId} = ${
          has('soldId')
            ? slot('soldId')
            : foundFirst(publicIds.id, eq(publicIds.publicId, slot('soldPublicId')))
        }`,
        sql`not exists (select from ${buyerDetails} later where later.tenant_id = ${buyerDetails.tenantId}
          and later.payment_id = ${buyerDetails.paymentId}
          and (later.created_at, later.id) > (${buyerDetails.createdAt}, ${buyerDetails.id}))`,
      ),
    )
    .orderBy(desc(buyerDetails.createdAt), desc(buyerDetails.id))
    .limit(rowsLimit),
)

/** What every seller's table has. */
type SoldTable = PgTable &
  Parameters<typeof levelsOfSale>[0] &
  Record<'tenantId' | 'id' | 'publicId', PgColumn>

/** What is read beside a seller's row, whose columns are `row`. */
export interface Beside<Shown> {
  readonly columns: (id: SQLWrapper) => { readonly [K in keyof Shown]: unknown }
  /** A subselect `beside` that answers them. */
  readonly from?: (row: Readonly<Record<string, SQLWrapper>>) => SQL
  /** A function that answers them by ids: a text that is planned at every call asks it instead. */
  readonly fromIds?: (ids: SQL) => SQL
  /** The same of a row that a publish returned. */
  readonly unread: Shown
}

/** The merchant who sells something, and the payment that holds what is sold only once, if any. */
export interface Seller {
  readonly merchantName: string
  readonly branding: Branding | null
  readonly fiscalProfile: FiscalProfile | null
  readonly supportEmail: string | null
  readonly supportPhone: string | null
  readonly websiteUrl: string | null
  readonly merchantStatus: (typeof tenants.status.enumValues)[number]
  readonly liveStatus: string | null
  readonly liveMethod: Method | null
  readonly liveId: string | null
  readonly livePublicId: string | null
  readonly liveReceivedMinor: bigint | null
}

/** What buyers read of a merchant. */
export const merchantColumns = {
  merchantName: tenants.name,
  branding: tenants.branding,
  fiscalProfile: tenants.fiscalProfile,
  supportEmail: tenants.supportEmail,
  supportPhone: tenants.supportPhone,
  websiteUrl: tenants.websiteUrl,
}

/** The seller beside what is sold: `tenants` and `live` are joined. */
export function sellerBeside(kind: SQLWrapper | string, originId: SQLWrapper) {
  // A limit keeps the order: else a plan might begin with all payments.
  const live = build
    .select({
      liveStatus: payments.status,
      liveMethod: payments.method,
      liveId: payments.id,
      livePublicId: payments.publicId,
      liveReceivedMinor: payments.amountReceivedMinor,
    })
    .from(payments)
    .where(
      and(
        ownTenant(payments),
        eq(payments.originType, kind),
        sql`${payments.originId} = ${originId}`,
        holdsItsOrigin(),
      ),
    )
    .limit(1)
    .as('live')
  const { liveStatus, liveMethod, liveId, livePublicId, liveReceivedMinor } = live
  return {
    live,
    columns: {
      ...merchantColumns,
      merchantStatus: tenants.status,
      ...{ liveStatus, liveMethod, liveId, livePublicId, liveReceivedMinor },
    },
  }
}

/** What is sold, as its page needs it, with its merchant and what the policy said when its terms were set. */
export type ForSale<Row> = Row & Seller & Required<Levels>

const byRef = (ref: string) => (isPublicId(ref) ? { publicId: ref } : { id: ref })

/** The payment of a sale that is under way or made, where it is paid once. */
export const livePaymentOf = (kind: string, originId: SQLWrapper) =>
  sql`(select ${payments.id} from ${payments} where ${ownTenant(payments)}
  and ${payments.originType} = ${sql.raw(`'${kind}'`)} and ${payments.originId} = ${originId}
  and ${holdsItsOrigin()})`

/**
 * The queries of a seller's table that its pages, its payments and its operations need. `kind`: of its payments. A `ref` is
 * an id or a public id, as a path has it.
 */
export function queriesOf<T extends SoldTable, Shown extends object = object>(
  table: T,
  kind: string,
  beside?: Beside<Shown>,
) {
  type Found = T['$inferSelect'] & Shown
  const read = () =>
    build
      .select({ ...getTableColumns(table), ...beside?.columns(table.id) } as Record<string, PgColumn>)
      .from(table as PgTable)
      .$dynamic()
  type Read = ReturnType<typeof read>
  const found = <Row>(
    query: Read,
    is: SQL,
    shown: Pick<Beside<never>, 'from' | 'fromIds'> = beside ?? {},
  ) => {
    const from = shown.from?.(getTableColumns(table)) ?? shown.fromIds?.(sql`array[${table.id}]`)
    if (from) query.leftJoinLateral(from, sql`true`)
    return query.where(and(ownTenant(table), is)) as unknown as Selectable<Row>
  }
  const byIds = select<Found>(
    (has) => found(read(), has('publicId') ? eq(table.publicId, slot('publicId')) : eq(table.id, slot('id'))),
    ['id', 'publicId'],
  )
  const soldTo = foundFirst(
    payments.originId,
    and(eq(payments.id, slot('paymentId')), eq(payments.originType, kind)),
  )
  const ofPayment = select<Found>(() => found(read(), eq(table.id, soldTo)))
  const currentLevels = currentLevelsOf(table)
  const byId = (id: string) => byIds({ id })
  const forSale = <More extends object, Asked extends object = Shown>(
    more: { readonly [K in keyof More]: unknown },
    shown = beside as Pick<Beside<Asked>, 'columns' | 'from' | 'fromIds'> | undefined,
  ) =>
    select<ForSale<T['$inferSelect'] & Asked & More>>(() => {
      const { live, columns: ofSeller } = sellerBeside(kind, table.id)
      const { made, workspace, location, columns } = levelsBeside(table)
      const query = build
        .select({
          ...getTableColumns(table),
          ...shown?.columns(table.id),
          ...more,
          ...ofSeller,
          ...columns,
        } as Record<string, PgColumn>)
        .from(table as PgTable)
        .innerJoin(tenants, eq(tenants.tenantId, table.tenantId))
        .leftJoinLateral(live, sql`true`)
        .innerJoinLateral(made, sql`true`)
        .leftJoinLateral(workspace, sql`true`)
        .leftJoinLateral(location, sql`true`)
        .$dynamic()
      return found(query as unknown as Read, eq(table.publicId, slot('publicId')), shown)
    })
  return {
    byId,
    at: (ref: string) => byIds(byRef(ref)),
    /** The payment policy as it is now. */
    policyAt: (ref: string) => currentLevels(byRef(ref)),
    /** By its public id, with more columns: for the buyer's page. `shown`: what is read beside it there. */
    forSale,
    /** What `HostedOrigin` asks of a table. */
    origin: {
      load: byId,
      loadFor: (paymentId: string) => ofPayment({ paymentId }),
      policyOf: levelsOfSale(table),
      lock: (id: string) => expect(table, id, {}),
      read: (record: Readonly<Record<string, string | null>>): Found => ({
        ...rowOf(table, record),
        ...(beside?.unread as Shown),
      }),
    },
  }
}

type Resource = Parameters<typeof newestPage>[1]

/** A list of a seller's table, newest first, with what stands beside each row. `few`: filters that find few rows. */
export const saleList = <T extends SoldTable & Listed, Shown extends object>(
  table: T,
  resource: Resource,
  beside: Beside<Shown>,
  {
    filters,
    few,
  }: {
    readonly filters: (has: (slot: string) => boolean) => readonly (SQL | undefined)[]
    readonly few: readonly string[]
  },
) =>
  select<T['$inferSelect'] & Shown>((has, isPlanned) => {
    const page = newestPage(table, resource, has, filters(has), few.some(has))
    const every = () => build.select().from(table as PgTable)
    const found = build.$with('found').as(page as unknown as ReturnType<typeof every>)
    const columnOf = (key: string) => (found as unknown as Record<string, PgColumn>)[key]!
    const ofFound = Object.keys(getTableColumns(table)).map((key) => [key, columnOf(key)] as const)
    const query = build
      .with(found)
      .select({ ...Object.fromEntries(ofFound), ...beside.columns(columnOf('id')) } as Record<
        string,
        PgColumn
      >)
      .from(found)
      .$dynamic()
    if (isPlanned && beside.from) query.leftJoinLateral(beside.from(Object.fromEntries(ofFound)), sql`true`)
    else if (beside.fromIds)
      query.leftJoin(
        beside.fromIds(sql`array(select each.id from found each)`),
        sql`beside.id = ${columnOf('id')}`,
      )
    return query.orderBy(desc(columnOf('createdAt')), desc(columnOf('id'))) as unknown as Selectable<
      T['$inferSelect'] & Shown
    >
  }, pages)
