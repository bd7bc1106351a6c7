import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { ledgerAccounts } from '../../../drizzle/schema/ledger.ts'
import {
  diningTables,
  tableExternalPayments,
  type tableLines,
  tableSessionSums,
  tableSessions,
  tableTips,
  tipPayouts,
  waiters,
} from '../../../drizzle/schema/table-pay.ts'
import { type Branding, tenants } from '../../../drizzle/schema/tenants.ts'
import type { IvaRate } from '../../../src/kernel/iva.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'
import { type Beside, queriesOf, saleList } from '../../order/sales/api.ts'

export type TableRow = Row<typeof diningTables>
export type LineRow = Row<typeof tableLines>
export type SumsRow = Row<typeof tableSessionSums>
export type ExternalPaymentRow = Row<typeof tableExternalPayments>

/** A line as it stands beside its bill. Amounts: minor units as text. */
export interface ShownLine {
  readonly id: string
  readonly status: LineRow['status']
  readonly item_id: string | null
  readonly name: string
  readonly quantity: number
  readonly unit_amount: string
  readonly iva_rate: IvaRate
  readonly price_includes_tax: boolean
  readonly amount_total: string
  readonly split_from: string | null
  readonly payment_id: string | null
  readonly external_payment_id: string | null
  readonly version: number
}

/** A bill with its sums and its lines. */
export type SessionRow = Row<typeof tableSessions> &
  Pick<SumsRow, 'totalMinor' | 'heldMinor' | 'paidMinor' | 'tipsMinor'> & {
    readonly lines: readonly ShownLine[]
  }

const kind = 'table_session'

const beside: Beside<Omit<SessionRow, keyof Row<typeof tableSessions>>> = {
  columns: () => ({
    totalMinor: sql`beside.total_minor`.mapWith(tableSessionSums.totalMinor),
    heldMinor: sql`beside.held_minor`.mapWith(tableSessionSums.heldMinor),
    paidMinor: sql`beside.paid_minor`.mapWith(tableSessionSums.paidMinor),
    tipsMinor: sql`beside.tips_minor`.mapWith(tableSessionSums.tipsMinor),
    lines: sql`beside.lines`.mapWith(tableSessions.metadata),
  }),
  fromIds: (ids) => sql`door.beside_table_sessions(${ids}) beside`,
  unread: { totalMinor: 0n, heldMinor: 0n, paidMinor: 0n, tipsMinor: 0n, lines: [] },
}

export const sessions = queriesOf(tableSessions, kind, beside)

/** The public id of the bill that it is a part of; null for none. */
export interface LeadsOn {
  readonly leadsTo: string | null
}

const other = alias(tableSessions, 'other')

export const sessionForSale = sessions.forSale<LeadsOn>({
  leadsTo: sql`(select ${other.publicId} from ${tableSessions} other
    where ${ownTenant(other)} and ${other.id} = ${tableSessions.mergedInto})`.mapWith(tableSessions.publicId),
})
export const sessionsPage = saleList(tableSessions, kind, beside, {
  filters: (has) => filtered(tableSessions, has, ['status', 'tableId', 'clientReferenceId', 'mergedInto']),
  few: ['tableId', 'clientReferenceId', 'mergedInto'],
})
/** The bills that were merged into one; all of them, since each of its merges leads them on. */
export const mergedBefore = (id: string) => sessionsPage({ mergedInto: id, rows: 1_000 })
export const sumsById = rowsBy(tableSessionSums, 'id')

export const tableById = rowsBy(diningTables, 'id')
export const tablesPage = newest(diningTables, ['status', 'locationId'])

interface TableAt {
  readonly name: string
  readonly workspaceName: string
  readonly branding: Branding | null
  /** The public id of the open bill: of the table, or that its newest one was merged into; null for none. */
  readonly bill: string | null
}

/** The active table at a public id, with its open bill. */
export const tableAt = select<TableAt>(() =>
  build
    .select({
      name: diningTables.name,
      workspaceName: tenants.name,
      branding: tenants.branding,
      bill: sql`coalesce(${tableSessions.publicId}, (select ${other.publicId} from (select * from ${tableSessions} each
          where each.tenant_id = ${diningTables.tenantId} and each.table_id = ${diningTables.id}
          order by each.created_at desc, each.id desc limit 1) latest
        join ${tableSessions} other on ${other.tenantId} = latest.tenant_id and ${other.id} = latest.merged_into
        where ${other.status} = 'open'))`.mapWith(tableSessions.publicId),
    })
    .from(diningTables)
    .innerJoin(tenants, eq(tenants.tenantId, diningTables.tenantId))
    .leftJoin(
      tableSessions,
      and(
        eq(tableSessions.tenantId, diningTables.tenantId),
        eq(tableSessions.tableId, diningTables.id),
        eq(tableSessions.status, 'open'),
      ),
    )
    .where(
      and(
        ownTenant(diningTables),
        eq(diningTables.publicId, slot('publicId')),
        eq(diningTables.status, 'active'),
      ),
    ),
)

export const externalPaymentById = rowsBy(tableExternalPayments, 'id')
export const externalPaymentsPage = newest(
  tableExternalPayments,
  [],
  eq(tableExternalPayments.sessionId, slot('sessionId')),
)

export type WaiterRow = Row<typeof waiters>
export type TipRow = Row<typeof tableTips>
export type TipPayoutRow = Row<typeof tipPayouts>

export const waiterById = rowsBy(waiters, 'id')
export const waitersPage = newest(waiters, ['status'])

export const tipsPage = newest(tableTips, [], eq(tableTips.waiterId, slot('waiterId')))
export const tipPayoutById = rowsBy(tipPayouts, 'id')
export const tipPayoutsPage = newest(tipPayouts, [], eq(tipPayouts.waiterId, slot('waiterId')))

/** A waiter's account in the ledger, as `waiter:` and their id names it. */
export const waiterAccount = rowsBy(ledgerAccounts, 'code')

/** A day in Mexico City. */
export interface TipDay {
  readonly day: string
  readonly tipsCount: number
  readonly tipsMinor: bigint
  readonly returnedMinor: bigint
  readonly paidOutMinor: bigint
}

const zone = sql.raw(`'America/Mexico_City'`)
const within = ({ createdAt }: typeof tableTips | typeof tipPayouts): SQL =>
  sql`${createdAt} >= ${slot('beginsOn')}::date::timestamp at time zone ${zone}
  and ${createdAt} < (${slot('endsOn')}::date + 1)::timestamp at time zone ${zone}`

/** What happened to a waiter's tips on each day, from one to another. */
export const tipDays = select<TipDay>(() =>
  build
    .select({
      day: sql<string>`each.day`,
      tipsCount: sql`sum(each.count)`.mapWith(Number),
      tipsMinor: sql`sum(each.tips)`.mapWith(tableTips.amountMinor),
      returnedMinor: sql`sum(each.returned)`.mapWith(tableTips.amountMinor),
      paidOutMinor: sql`sum(each.paid)`.mapWith(tableTips.amountMinor),
    })
    .from(
      sql`(select (${tableTips.createdAt} at time zone ${zone})::date::text as day, 1 as count,
        ${tableTips.amountMinor} as tips, ${tableTips.returnedMinor} as returned, 0 as paid
        from ${tableTips} where ${ownTenant(tableTips)} and ${tableTips.waiterId} = ${slot('waiterId')} and ${within(tableTips)}
      union all select (${tipPayouts.createdAt} at time zone ${zone})::date::text, 0, 0, 0, ${tipPayouts.amountMinor}
        from ${tipPayouts} where ${ownTenant(tipPayouts)} and ${tipPayouts.waiterId} = ${slot('waiterId')}
        and ${tipPayouts.status} = 'recorded' and ${within(tipPayouts)}) each`,
    )
    .groupBy(sql`each.day`)
    .orderBy(sql`each.day`),
)
