import { and, eq, inArray, not, or, type SQL, sql } from 'drizzle-orm'
import {
  customerConsents,
  customerContacts,
  customers,
  customerTerms,
} from '../../../drizzle/schema/customers.ts'
import { metadataEntries } from '../../../drizzle/schema/metadata.ts'
import { payments } from '../../../drizzle/schema/payments.ts'
import {
  type SegmentCondition,
  type SegmentRule,
  segmentPins,
  segments,
} from '../../../drizzle/schema/segments.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { isGroup } from '../../../src/kernel/rule.ts'
import { lookedUp } from '../../../src/platform/listing.ts'
import {
  type BoundQuery,
  build,
  inWindow,
  ownTenant,
  rowsLimit,
  select,
  slot,
} from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'
import type { CustomerRow } from '../customers/api-pure.ts'
import { countMax } from './contract.ts'
import { requiredEntry } from './rule.ts'

export type SegmentRow = Row<typeof segments>
export type PinRow = Row<typeof segmentPins>

const isActive = eq(segments.status, 'active')

export const segmentById = select<SegmentRow>(() =>
  build
    .select()
    .from(segments)
    .where(and(ownTenant(segments), eq(segments.id, slot('id')), isActive)),
)
export const segmentsPage = newest(segments, [], isActive)

export const customerById = rowsBy(customers, 'id')
export const pinOf = rowsBy(segmentPins, 'segmentId', 'customerId')
export const pinsCount = select<{ count: string }>(() =>
  build
    .select({ count: sql<string>`count(*)` })
    .from(segmentPins)
    .where(
      and(
        ownTenant(segmentPins),
        eq(segmentPins.segmentId, slot('id')),
        inArray(segmentPins.pinned, ['in', 'out']),
      ),
    ),
)

const isCurrent = inArray(customers.status, ['active', 'blocked'])

/** Customers that are pinned, by what they became part of; read once for a query. */
const pinned = (segmentId: string, how: 'in' | 'out') =>
  sql`array(${build
    .select({ id: sql`door.surviving_customer(${segmentPins.customerId})` })
    .from(segmentPins)
    .where(and(ownTenant(segmentPins), eq(segmentPins.segmentId, segmentId), eq(segmentPins.pinned, how)))})`

/** Whose payments are a customer's: its own, and those of all that became part of it. */
const buyers = sql`case when exists (select from ${customers} part where part.tenant_id = ${customers.tenantId}
  and part.merged_into = ${customers.id}) then array(select door.customers_within(${customers.id})) else array[${customers.id}] end`

/** One figure over the successful payments of a customer. */
const paid = (figure: SQL, condition?: SQL) =>
  sql`(${build
    .select({ figure })
    .from(payments)
    .where(
      and(
        ownTenant(payments),
        sql`${payments.customerId} = any (${buyers})`,
        inArray(payments.status, ['succeeded', 'partially_captured']),
        condition,
      ),
    )})`

const sinceOf = (since: string | undefined) =>
  since === undefined ? undefined : sql`${payments.succeededAt} >= ${since}::timestamptz`

const within = (figure: SQL, least: SQL | undefined, most: SQL | undefined, strict = false) =>
  and(
    least && (strict ? sql`${figure} > ${least}` : sql`${figure} >= ${least}`),
    most && (strict ? sql`${figure} < ${most}` : sql`${figure} <= ${most}`),
  )!

const instantOf = (time: string | undefined) => (time === undefined ? undefined : sql`${time}::timestamptz`)
const bigintOf = (value: number | string | undefined) =>
  value === undefined ? undefined : sql`${String(value)}::bigint`

const columnsOfFields = {
  name: customers.name,
  email: customers.email,
  phone: customers.phone,
  external_id: customers.externalId,
  tax_profile: customers.taxProfile,
}

function holdsOne(asked: SegmentCondition): SQL {
  switch (asked.type) {
    case 'tag':
      return sql`${asked.is} = any (${customers.tags})`
    case 'status':
      return eq(customers.status, asked.is)
    case 'locale':
      return sql`${customers.locale} = ${asked.is}`
    case 'metadata':
      return sql`jsonb_typeof(${customers.metadata} -> ${asked.key}::text) in ('string', 'number', 'boolean')
        and ${customers.metadata} ->> ${asked.key}::text = ${asked.is}`
    case 'has':
      return sql`${columnsOfFields[asked.field]} is not null`
    case 'created_at':
      return within(sql`${customers.createdAt}`, instantOf(asked.after), instantOf(asked.before), true)
    case 'last_payment_at': {
      const last = paid(sql`max(${payments.succeededAt})`)
      return within(last, instantOf(asked.after), instantOf(asked.before), true)
    }
    case 'payments_count': {
      const count = paid(sql`count(*)`, sinceOf(asked.since))
      return within(count, bigintOf(asked.gte), bigintOf(asked.lte))
    }
    case 'payments_sum': {
      const ofCurrency = and(eq(payments.currency, asked.currency), sinceOf(asked.since))
      const sum = paid(
        sql`coalesce(sum(${payments.amountCapturedMinor} - ${payments.amountRefundedMinor}), 0)`,
        ofCurrency,
      )
      return within(sum, bigintOf(asked.gte), bigintOf(asked.lte))
    }
    case 'consent':
      return sql`exists (${build
        .select({ id: customerConsents.id })
        .from(customerConsents)
        .innerJoin(
          customerContacts,
          and(ownTenant(customerContacts), eq(customerContacts.id, customerConsents.contactId)),
        )
        .where(
          and(
            eq(customerContacts.status, 'active'),
            ownTenant(customerConsents),
            eq(customerConsents.customerId, customers.id),
            eq(customerConsents.status, 'given'),
            sql`${customerConsents.channel} = ${asked.channel}`,
            sql`${customerConsents.purpose} = ${asked.purpose}`,
          ),
        )})`
  }
}

/** Whether a rule finds the customer; never null, so that it can be negated. */
function holds(rule: SegmentRule): SQL {
  if (!isGroup(rule)) return sql`coalesce(${holdsOne(rule)}, false)`
  const inner = rule.rules.map(holds)
  if (rule.type === 'all') return and(...inner)!
  return rule.type === 'any' ? or(...inner)! : not(or(...inner)!)
}

/** A rule, with the segment whose pins count beside it. */
export interface Asked {
  readonly rule: SegmentRule
  readonly segmentId?: string
}

const belongs = ({ rule, segmentId }: Asked) =>
  and(
    isCurrent,
    segmentId === undefined
      ? holds(rule)
      : and(
          or(holds(rule), sql`${customers.id} = any (${pinned(segmentId, 'in')})`),
          sql`${customers.id} <> all (${pinned(segmentId, 'out')})`,
        ),
  )

/**
 * A page of the customers that belong, newest first. Where the rule demands a tag or metadata, the customers with it are
 * walked in the order of the list, and those pinned in beside them; otherwise all customers.
 */
export const membersPage = (asked: Asked, values: Record<string, unknown>): BoundQuery<CustomerRow> =>
  select<CustomerRow>((has) => {
    const entry = requiredEntry(asked.rule)
    if (entry === null)
      return build
        .select()
        .from(customers)
        .where(and(...inWindow(customers, has), belongs(asked)))
        .orderBy(sql`created_at desc, id desc`)
        .limit(rowsLimit)
    const found = foundBy(entry, asked.segmentId, has)
    const { row, columns } = lookedUp(customers, and(eq(customers.id, sql`found.id`), belongs(asked)))
    return build
      .select(columns)
      .from(found)
      .crossJoinLateral(row)
      .orderBy(sql`found.created_at desc, found.id desc`)
      .limit(rowsLimit)
  })(values)

/** The positions of the customers with a tag or metadata. */
const positionsOf = (
  entry: NonNullable<ReturnType<typeof requiredEntry>>,
  has: (slot: string) => boolean,
) => {
  const table = entry.type === 'tag' ? customerTerms : metadataEntries
  const isEntry =
    entry.type === 'tag'
      ? eq(customerTerms.term, `t:${entry.is}`)
      : and(
          eq(metadataEntries.resource, 'customer'),
          sql`${metadataEntries.entry} = (select door.metadata_entry(${entry.key}, ${entry.is}))`,
        )
  return build
    .select({ createdAt: table.createdAt, id: table.id })
    .from(table as typeof customerTerms)
    .where(and(...inWindow(table, has), isEntry))
}

function foundBy(
  entry: Parameters<typeof positionsOf>[0],
  segmentId: string | undefined,
  has: (slot: string) => boolean,
) {
  const found = positionsOf(entry, has)
  if (segmentId === undefined) return sql`(${found} order by created_at desc, id desc offset 0) found`
  const others = build
    .select({ createdAt: customers.createdAt, id: customers.id })
    .from(customers)
    .where(
      and(
        ...inWindow(customers, has),
        sql`${customers.id} = any (${pinned(segmentId, 'in')})`,
        sql`not ${holds(entry)}`,
      ),
    )
  return sql`(${found} union all ${others} order by created_at desc, id desc offset 0) found`
}

/** How many customers a rule finds; one more than `countMax` where there are more. */
export const countOf = (rule: SegmentRule): BoundQuery<{ count: string }> =>
  select<{ count: string }>((_) => {
    const entry = requiredEntry(rule)
    const isFound =
      entry &&
      sql`${customers.id} = any (array(select found.id from ${positionsOf(entry, () => false)} found))`
    const some = build
      .select({ id: customers.id })
      .from(customers)
      .where(and(ownTenant(customers), isFound ?? undefined, belongs({ rule })))
    return build.select({ count: sql<string>`count(*)` }).from(sql`(${some} limit ${countMax + 1}) counted`)
  })({})
