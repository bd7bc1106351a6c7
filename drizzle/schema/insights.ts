import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { insightLifecycle } from '../../functions/insight/insights/lifecycle.ts'
import { changes, instant, isOneOf, known, ownKey, statusOf, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

/** What an hour of a workspace is counted by. */
export const hourFigures = [
  'payments',
  'decided',
  'declined',
  'refunds',
  'disputes',
  'payoutsFailed',
  'deliveries',
  'deliveriesFailed',
] as const
export type HourFigure = (typeof hourFigures)[number]

export const insightKinds = [
  'payments_few',
  'payments_many',
  'cards_declined',
  'refunds_many',
  'disputes_many',
  'payouts_failed',
  'webhooks_failed',
] as const
export type InsightKind = (typeof insightKinds)[number]

/** What an insight was opened for: an hour or a day against the same of the weeks before. */
export type InsightEvidence = {
  readonly begins_at: string
  readonly ends_at: string
  readonly count: number
  /** Of how many; null where the count stands by itself. */
  readonly of_count: number | null
  readonly expected_count: number
  readonly spread_count: number
  readonly weeks_count: number
  /** Why most of the cards were declined; null elsewhere. */
  readonly decline_code: string | null
}

const figure = (name: string) => integer(name).notNull().default(0)

/** What was counted of an hour, soon after its end, and never again. An hour of nothing has no row. */
export const insightHours = pgTable(
  'insight_hours',
  {
    ...tenantRow,
    beginsAt: instant('begins_at').notNull(),
    payments: figure('payments_count'),
    /** Of the payments by card, those that were accepted or declined. */
    decided: figure('decided_count'),
    declined: figure('declined_count'),
    refunds: figure('refunds_count'),
    disputes: figure('disputes_count'),
    payoutsFailed: figure('payouts_failed_count'),
    deliveries: figure('deliveries_count'),
    deliveriesFailed: figure('deliveries_failed_count'),
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('insight_hours', t.tenantId),
      uniqueIndex('insight_hours_one').on(t.tenantId, t.beginsAt),
      check('insight_hours_whole', sql`${t.beginsAt} = date_trunc('hour', ${t.beginsAt}, 'UTC')`),
      check(
        'insight_hours_counts',
        sql`least(${t.payments}, ${t.declined}, ${t.refunds}, ${t.disputes}, ${t.payoutsFailed}, ${t.deliveriesFailed}) >= 0
        and ${t.declined} <= ${t.decided} and ${t.decided} <= ${t.payments} and ${t.deliveriesFailed} <= ${t.deliveries}`,
      ),
      index('insight_hours_swept').on(t.beginsAt),
    ]
  },
)

/** Which hours of a workspace are counted, and what was unusual in them: one row each, from its beginning on. */
export const insightWatches = pgTable(
  'insight_watches',
  {
    ...tenantRow,
    /** Since when every hour is counted: what lies before it says nothing. */
    countedSince: instant('counted_since').notNull(),
    /** The end of the last hour that is counted. */
    countedTo: instant('counted_to').notNull(),
    /** The end of the last hour of which anything was counted. */
    activeTo: instant('active_to'),
    /** By kind, the end of the last hour or day in which it was unusual. */
    seen: jsonb('seen').$type<{ readonly [K in InsightKind]?: string }>().notNull().default({}),
    nextCheckAt: instant('next_check_at').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('insight_watches', t.tenantId),
      uniqueIndex('insight_watches_one').on(t.tenantId),
      index('insight_watches_due').on(t.nextCheckAt),
    ]
  },
)

/** Something unusual, until it is over or a member says that it is none. */
export const insights = pgTable(
  'insights',
  {
    ...tenantRow,
    status: statusOf(insightLifecycle),
    kind: text('kind', { enum: insightKinds }).notNull(),
    evidence: jsonb('evidence').$type<InsightEvidence>().notNull(),
    /** Who acknowledged or dismissed it last. */
    answeredByUserId: text('answered_by_user_id'),
    answeredByEmail: text('answered_by_email'),
    endedAt: instant('ended_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('insights', t.tenantId),
      check('insights_status_known', known(t.status)),
      check('insights_kind_known', known(t.kind)),
      check(
        'insights_ended',
        sql`${isOneOf(t.status, ['resolved', 'dismissed'])} = (${t.endedAt} is not null)`,
      ),
      check(
        'insights_answered',
        sql`(${t.answeredByUserId} is null) = (${t.answeredByEmail} is null)
        and (${t.status} not in ('acknowledged', 'dismissed') or ${t.answeredByUserId} is not null)`,
      ),
      // One for each cause: a second one waits until the first is over.
      uniqueIndex('insights_one').on(t.tenantId, t.kind).where(sql`ended_at is null`),
      index('insights_list').on(t.tenantId, t.createdAt, t.id),
      index('insights_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)
