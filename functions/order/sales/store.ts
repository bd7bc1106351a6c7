import { and, desc, eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { buyerDetails } from '../../../drizzle/schema/buyer-details.ts'
import { holdsItsOrigin, payments } from '../../../drizzle/schema/payments.ts'
import { publicIds } from '../../../drizzle/schema/public-ids.ts'
import { isPublicId } from '../../../src/kernel/ids.ts'
import { expect, type Row } from '../../../src/kernel/plan.ts'
import { newestPage } from '../../../src/platform/listing.ts'
import {
  build,
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
import { currentLevelsOf, levelsOfSale } from '../../money/payment-policy/api.ts'

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
            : sql`(select ${publicIds.id} from ${publicIds} where ${ownTenant(publicIds)} and ${publicIds.publicId} = ${slot('soldPublicId')})`
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

type Fields = Readonly<Record<string, unknown>>

/** What is read beside a seller's row, by the row's id; `from`: a function that answers them, joined by the ids that are shown. */
export interface Beside<Shown> {
  readonly columns: (id: SQLWrapper) => { readonly [K in keyof Shown]: unknown }
  readonly from?: (ids: SQL) => SQL
  /** The same of a row that a publish returned. */
  readonly unread: Shown
}

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
  const read = (more: Fields = {}) =>
    build
      .select({ ...getTableColumns(table), ...beside?.columns(table.id), ...more } as Record<
        string,
        PgColumn
      >)
      .from(table as PgTable)
      .$dynamic()
  type Read = ReturnType<typeof read>
  const found = (query: Read, is: SQL) => {
    if (beside?.from) query.leftJoinLateral(beside.from(sql`array[${table.id}]`), sql`true`)
    return query.where(and(ownTenant(table), is)) as unknown as Selectable<Found>
  }
  const byIds = select<Found>(
    (has) => found(read(), has('publicId') ? eq(table.publicId, slot('publicId')) : eq(table.id, slot('id'))),
    ['id', 'publicId'],
  )
  const ofPayment = select<Found>(() =>
    found(
      read().innerJoin(
        payments,
        and(
          eq(payments.tenantId, table.tenantId),
          eq(payments.originType, kind),
          eq(payments.originId, table.id),
        ),
      ) as unknown as Read,
      eq(payments.id, slot('paymentId')),
    ),
  )
  const currentLevels = currentLevelsOf(table)
  const byId = (id: string) => byIds({ id })
  return {
    byId,
    at: (ref: string) => byIds(byRef(ref)),
    /** The payment policy as it is now. */
    policyAt: (ref: string) => currentLevels(byRef(ref)),
    /** By its public id, with more columns: for the buyer's page. */
    forSale: <More extends object>(more: { readonly [K in keyof More]: unknown }) =>
      select<Found & More>(
        () => found(read(more), eq(table.publicId, slot('publicId'))) as Selectable<Found & More>,
      ),
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
  select<T['$inferSelect'] & Shown>((has) => {
    const page = newestPage(table, resource, has, filters(has), few.some(has))
    const every = () => build.select().from(table as PgTable)
    const found = build.$with('found').as(page as unknown as ReturnType<typeof every>)
    const columnOf = (key: string) => (found as unknown as Record<string, PgColumn>)[key]!
    const ofFound = Object.keys(getTableColumns(table)).map((key) => [key, columnOf(key)])
    const query = build
      .with(found)
      .select({ ...Object.fromEntries(ofFound), ...beside.columns(columnOf('id')) } as Record<
        string,
        PgColumn
      >)
      .from(found)
      .$dynamic()
    if (beside.from)
      query.leftJoin(
        beside.from(sql`array(select each.id from found each)`),
        sql`beside.id = ${columnOf('id')}`,
      )
    return query.orderBy(desc(columnOf('createdAt')), desc(columnOf('id'))) as unknown as Selectable<
      T['$inferSelect'] & Shown
    >
  }, pages)
