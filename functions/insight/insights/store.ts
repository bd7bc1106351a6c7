import { and, asc, desc, eq, gte, inArray, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { isOneOf } from '../../../drizzle/schema/columns.ts'
import { disputes } from '../../../drizzle/schema/disputes.ts'
import { events } from '../../../drizzle/schema/events.ts'
import { insightHours, insights, insightWatches } from '../../../drizzle/schema/insights.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { refunds } from '../../../drizzle/schema/refunds.ts'
import { webhookDeliveries } from '../../../drizzle/schema/webhooks.ts'
import { cardMethods } from '../../../src/kernel/payment-methods.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'
import { blocked, declined, outcomes, wasAccepted } from '../intelligence/api.ts'
import type { Hour } from './unusual.ts'

export type InsightRow = Row<typeof insights>
export type WatchRow = Row<typeof insightWatches>

export const insightById = rowsBy(insights, 'id')
export const insightsPage = newest(insights, ['status'])
export const watchById = rowsBy(insightWatches, 'id')

/** The insights that have not ended. */
export const liveInsights = select<InsightRow>(() =>
  build
    .select()
    .from(insights)
    .where(and(ownTenant(insights), isNull(insights.endedAt))),
)

const hour = sql`"hour"."begins_at"`
const within = (table: { readonly tenantId: PgColumn; readonly createdAt: PgColumn }) =>
  and(ownTenant(table), gte(table.createdAt, hour), lt(table.createdAt, sql`${hour} + interval '1 hour'`))
const number = (value: SQL) => value.mapWith(Number) as SQL as SQL<number>
const how = (table: Parameters<typeof within>[0], only?: SQL) =>
  number(sql`(select count(*) from ${table} where ${and(within(table), only)})`)

/** Each hour between two, counted where payments, refunds, disputes, events and deliveries are. */
export const hoursCounted = select<Hour>(() => {
  const made = build
    .select({
      // One whose card your rules blocked and that has a voucher since was made.
      made: sql<number>`count(*) filter (where (${blocked} and ${isOneOf(payments.method, cardMethods)}) is not true)`.as(
        'made',
      ),
      decided: sql<number>`count(*) filter (where ${wasAccepted} or ${declined})`.as('decided'),
      declined: sql<number>`count(*) filter (where ${declined})`.as('declined'),
    })
    .from(payments)
    .innerJoinLateral(outcomes(), sql`true`)
    .where(within(payments))
    .as('payment')
  return build
    .select({
      beginsAt: sql`${hour}`.mapWith(insightHours.beginsAt) as SQL as SQL<Date>,
      payments: number(sql`"payment"."made"`),
      decided: number(sql`"payment"."decided"`),
      declined: number(sql`"payment"."declined"`),
      refunds: how(refunds),
      disputes: how(disputes),
      payoutsFailed: how(events, inArray(events.type, ['payout.failed', 'payout.returned'])),
      deliveries: how(webhookDeliveries),
      deliveriesFailed: how(
        webhookDeliveries,
        sql`(${webhookDeliveries.attemptsCount} > 1 or ${webhookDeliveries.status} in ('retrying', 'exhausted'))`,
      ),
    })
    .from(
      sql`generate_series(${slot('begins')}::timestamptz, ${slot('ends')}::timestamptz - interval '1 hour', interval '1 hour') "hour" ("begins_at")`,
    )
    .innerJoinLateral(made, sql`true`)
    .orderBy(asc(hour))
})

/** What was counted of the same hours of the weeks, and of the 23 hours before each. */
export const hoursKept = select<Hour>(() => {
  const before = sql`(extract(epoch from ${slot('ends')}::timestamptz - ${insightHours.beginsAt}) / 3600)::int - 1`
  return build
    .select({
      beginsAt: insightHours.beginsAt,
      payments: insightHours.payments,
      decided: insightHours.decided,
      declined: insightHours.declined,
      refunds: insightHours.refunds,
      disputes: insightHours.disputes,
      payoutsFailed: insightHours.payoutsFailed,
      deliveries: insightHours.deliveries,
      deliveriesFailed: insightHours.deliveriesFailed,
    })
    .from(insightHours)
    .where(
      and(
        ownTenant(insightHours),
        gte(insightHours.beginsAt, sql`${slot('ends')}::timestamptz - interval '57 days'`),
        lt(insightHours.beginsAt, slot('ends')),
        sql`mod(${before}, 168) < 23 + ${slot('hours')}::int`,
      ),
    )
})

/** Why most cards of the payments of a time were declined. */
export const mostDeclined = select<{ readonly code: string }>(() =>
  build
    .select({ code: sql`${paymentAttempts.declineCode}`.mapWith(String) as SQL as SQL<string> })
    .from(payments)
    .innerJoin(
      paymentAttempts,
      and(
        eq(paymentAttempts.tenantId, payments.tenantId),
        eq(paymentAttempts.paymentId, payments.id),
        eq(paymentAttempts.status, 'declined'),
        ne(paymentAttempts.declineCode, 'blocked'),
        isOneOf(paymentAttempts.method, cardMethods),
      ),
    )
    .where(
      and(ownTenant(payments), gte(payments.createdAt, slot('begins')), lt(payments.createdAt, slot('ends'))),
    )
    .groupBy(paymentAttempts.declineCode)
    .orderBy(desc(sql`count(*)`), asc(paymentAttempts.declineCode))
    .limit(1),
)
