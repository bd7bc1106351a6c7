import { and, desc, eq, sql } from 'drizzle-orm'
import {
  reportAccountMappings,
  reportDeliveries,
  reportRuns,
  reportSchedules,
} from '../../../drizzle/schema/reporting.ts'
import { memberships } from '../../../drizzle/schema/tenants.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { type BoundQuery, build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'
import { hasPersons, typeOf } from './types/index.ts'

export type RunRow = typeof reportRuns.$inferSelect

export const runById = rowsBy(reportRuns, 'id')
export const runsPage = newest(reportRuns, ['type', 'status', 'scheduleId'])

/** Everything below it is final: no open transaction can add to it. */
export const horizon = (): BoundQuery<bigint> => ({
  text: 'select door.events_horizon()',
  values: [],
  rows: (cells) => cells.map(([number]) => BigInt(number!)),
})

/** A row as it is found: its place, and its cells in the order of the columns. */
export interface FoundRow {
  readonly createdAt: Date
  readonly id: string
  readonly cells: readonly (string | null)[]
}

/** The rows of a run behind one of them. */
export const rowsOf = (
  run: RunRow,
  after: { readonly at: string; readonly id: string } | null,
  rows: number,
): BoundQuery<FoundRow> => {
  const { startsAt, endsAt, asOf } = run
  const { rows: text, also } = typeOf(run.type)
  return {
    text,
    values: [
      startsAt.toISOString(),
      endsAt.toISOString(),
      String(asOf),
      after?.at ?? null,
      after?.id ?? null,
      String(rows),
      ...(also ? [run[also]?.toString() ?? null] : []),
      ...(hasPersons(run.type) ? [String(run.showsPersons)] : []),
    ],
    rows: (found) => found.map(([at, id, ...cells]) => ({ createdAt: new Date(at!), id: id!, cells })),
  }
}

export interface Summed {
  readonly currency: string
  readonly rowsCount: number
  readonly sumMinor: bigint
  /** The last row of all currencies. */
  readonly last: { readonly at: string; readonly id: string }
}

/** How many rows of a run there are behind one of them, of the next `rows`, and what they sum to by currency. */
export function summedRows(
  run: RunRow,
  after: { readonly at: string; readonly id: string } | null,
  rows: number,
): BoundQuery<Summed> {
  const { columns, sums } = typeOf(run.type)
  const found = rowsOf({ ...run, showsPersons: false }, after, rows)
  const cellOf = (name: string) => `c${columns.findIndex((column) => column.name === name)}`
  return {
    text: `with r as materialized (select * from (${found.text}) r (at, id, ${columns.map((_, at) => `c${at}`).join(', ')}))
      select g.currency, g.rows_count, g.sum, l.at, l.id from (
        select r.${cellOf('currency')} as currency, count(*) as rows_count, sum(r.${cellOf(sums)})::bigint as sum
        from r group by r.${cellOf('currency')}) g
      cross join (select r.at, r.id from r order by r.at desc, r.id desc limit 1) l`,
    values: found.values,
    rows: (cells) =>
      cells.map(([currency, rowsCount, sum, at, id]) => ({
        currency: currency!,
        rowsCount: Number(rowsCount),
        sumMinor: BigInt(sum!),
        last: { at: new Date(at!).toISOString(), id: id! },
      })),
  }
}

export interface Moved {
  readonly currency: string
  readonly openingMinor: bigint
  readonly closingMinor: bigint
}

/**
 * What the accounts of a run held before and after its period. The opening is the sum of what was booked before; the
 * closing comes from the other side, the balances of now less what was booked later, in one statement. It reads every
 * journal; of a report without accounts none.
 */
export const movedBy = ({ type, startsAt, endsAt, asOf }: RunRow): BoundQuery<Moved> => ({
  text: `with moved as (
      select p.currency,
        sum(p.amount_minor) filter (where j.booked_at < $1::timestamptz and j.commit_order < $3::bigint) as opening,
        sum(p.amount_minor) filter (where j.booked_at >= $2::timestamptz or j.commit_order >= $3::bigint) as later
      from ledger_journals j join ledger_postings p on p.tenant_id = j.tenant_id and p.journal_id = j.id
      where j.tenant_id = (select door.pinned_tenant()) and p.account_code = any ($4::text[])
        and $4::text[] <> '{}'
      group by p.currency),
    held as (
      select a.currency, sum(a.balance_minor) as balance from ledger_accounts a
      where a.tenant_id = (select door.pinned_tenant()) and a.code = any ($4::text[])
      group by a.currency)
    select held.currency, coalesce(moved.opening, 0)::bigint, (held.balance - coalesce(moved.later, 0))::bigint
    from held left join moved on moved.currency = held.currency order by held.currency`,
  values: [
    startsAt.toISOString(),
    endsAt.toISOString(),
    String(asOf),
    `{${typeOf(type).accounts.join(',')}}`,
  ],
  rows: (cells) =>
    cells.map(([currency, opening, closing]) => ({
      currency: currency!,
      openingMinor: BigInt(opening!),
      closingMinor: BigInt(closing!),
    })),
})

export interface HeldAt {
  readonly account: string
  readonly currency: string
  readonly amountMinor: bigint
}

/** What each account held before a time, from every journal before it; the accounts of waiters are together in `tips_owed`. */
export const heldAt = (at: Date): BoundQuery<HeldAt> => ({
  text: `select p.account_code, p.currency, sum(p.amount_minor)::bigint
    from ledger_journals j join ledger_postings p on p.tenant_id = j.tenant_id and p.journal_id = j.id
    where j.tenant_id = (select door.pinned_tenant()) and j.booked_at < $1::timestamptz
      and p.account_code not like 'waiter:%'
    group by p.account_code, p.currency order by p.currency, p.account_code`,
  values: [at.toISOString()],
  rows: (cells) =>
    cells.map(([account, currency, amount]) => ({
      account: account!,
      currency: currency!,
      amountMinor: BigInt(amount!),
    })),
})

export type ScheduleRow = Row<typeof reportSchedules>
export type DeliveryRow = Row<typeof reportDeliveries>

export const scheduleById = rowsBy(reportSchedules, 'id')
export const schedulesPage = newest(reportSchedules, ['status'])
export type MappingRow = Omit<typeof reportAccountMappings.$inferSelect, 'tenantId'>

/** The mapping that a run of now would have. */
export const newestMapping = select<MappingRow>(() =>
  build
    .select()
    .from(reportAccountMappings)
    .where(ownTenant(reportAccountMappings))
    .orderBy(desc(reportAccountMappings.createdAt), desc(reportAccountMappings.id))
    .limit(1),
)

export const deliveryById = rowsBy(reportDeliveries, 'id')
export const deliveriesPage = newest(reportDeliveries, [], eq(reportDeliveries.runId, slot('runId')))

/** Whether a schedule has a run of this period that was not canceled. */
export const runOfPeriod = select<{ readonly id: string }>(() =>
  build
    .select({ id: reportRuns.id })
    .from(reportRuns)
    .where(
      and(
        ownTenant(reportRuns),
        eq(reportRuns.scheduleId, slot('scheduleId')),
        eq(reportRuns.periodFrom, slot('periodFrom')),
        eq(reportRuns.periodTo, slot('periodTo')),
        sql`${reportRuns.payoutId} is null and ${reportRuns.status} <> 'canceled'`,
      ),
    ),
)

export type MemberRow = Pick<typeof memberships.$inferSelect, 'id' | 'userId' | 'status'>

const members = { id: memberships.id, userId: memberships.userId, status: memberships.status }

/** Of these ids, the members that there are now. */
export const membersNamed = select<MemberRow>(() =>
  build
    .select(members)
    .from(memberships)
    .where(
      and(
        ownTenant(memberships),
        sql`${memberships.id} = any (${slot('ids')}::uuid[])`,
        eq(memberships.status, 'active'),
      ),
    ),
)

export const memberById = select<MemberRow>(() =>
  build
    .select(members)
    .from(memberships)
    .where(and(ownTenant(memberships), eq(memberships.id, slot('id')))),
)

export const memberByUser = select<MemberRow>(() =>
  build
    .select(members)
    .from(memberships)
    .where(and(ownTenant(memberships), eq(memberships.userId, slot('userId')))),
)

export interface NewPayout {
  readonly id: string
  /** The day in the zone of the schedule on which it was booked. */
  readonly day: string
}

/** The oldest payouts of ours, since a schedule began, that it has no run of. */
export const payoutsToReport = (
  { id, payoutsSince, timeZone }: ScheduleRow,
  rows: number,
): BoundQuery<NewPayout> => ({
  text: `select o.id, (j.booked_at at time zone $3::text)::date::text
    from payouts o
    join ledger_journals j on j.tenant_id = o.tenant_id and j.source_type = 'payout' and j.source_id = o.id
      and j.entry_kind = 'payout' and j.round = 1
    where o.tenant_id = (select door.pinned_tenant()) and o.created_at >= $2::timestamptz and o.account_id is null
      and not exists (select from report_runs r
        where r.tenant_id = o.tenant_id and r.schedule_id = $1::uuid and r.payout_id = o.id)
    order by o.created_at, o.id limit $4::int`,
  values: [id, payoutsSince.toISOString(), timeZone, String(rows)],
  rows: (cells) => cells.map(([payout, day]) => ({ id: payout!, day: day! })),
})
