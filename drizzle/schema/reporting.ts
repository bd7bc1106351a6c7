import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  reportDeliveryLifecycle,
  reportRunLifecycle,
  reportScheduleLifecycle,
} from '../../functions/insight/reporting/lifecycle.ts'
import {
  changes,
  createdAt,
  instant,
  known,
  minor,
  ownKey,
  refersTo,
  statusOf,
  tenantRow,
} from './columns.ts'
import { ledgerAccounts } from './ledger.ts'
import { payouts } from './payouts.ts'
import { memberships, ofTenant } from './tenants.ts'

/** The reports. Each is a file in functions/insight/reporting/types. */
export const reportTypeNames = [
  'balance.activity',
  'balance.summary',
  'fees_and_iva',
  'iva_collected',
  'payout.reconciliation',
  'payments.detail',
  'method_mix',
  'msi.terms',
  'refunds',
  'disputes',
  'unapplied_funds',
  'tips.staff',
  'shifts',
  'offline_losses',
  'poliza',
  'customers',
  'cfdi.pending',
] as const
export type ReportTypeName = (typeof reportTypeNames)[number]

/** Where the next page begins: behind a row. */
export type ReportPlace = { readonly at: string; readonly id: string }

/** Minor units by currency, as decimal strings. */
export type ReportSums = Readonly<Record<string, string>>

/** How a run shows its rows, and where its days begin. */
const shownAs = {
  timeZone: text('time_zone').notNull(),
  amounts: text('amounts', { enum: ['minor', 'decimal'] }).notNull(),
  format: text('format', { enum: ['csv', 'jsonl'] }).notNull(),
}

/** Has a report run for each period that ends, or with each payout. */
export const reportSchedules = pgTable(
  'report_schedules',
  {
    ...tenantRow,
    name: text('name').notNull(),
    type: text('type', { enum: reportTypeNames }).notNull(),
    ...shownAs,
    every: text('every', { enum: ['day', 'week', 'month', 'payout'] }).notNull(),
    /** 1 Monday … 7 Sunday: the day of a weekly run, for the seven days before it. */
    weekday: integer('weekday'),
    /** Ids of members: each is mailed where the report is. */
    recipients: jsonb('recipients').$type<readonly string[]>().notNull(),
    status: statusOf(reportScheduleLifecycle),
    pausedFor: text('paused_for', { enum: ['creator_left', 'failures'] }),
    /** Runs that failed since one succeeded. */
    failuresCount: integer('failures_count').notNull(),
    /** The period that is reported next; null with each payout. */
    nextFrom: date('next_from', { mode: 'string' }),
    nextTo: date('next_to', { mode: 'string' }),
    /** Payouts made from here on have a run. */
    payoutsSince: instant('payouts_since').notNull(),
    /** When the next run is made: a trigger derives it from the period, or a payout sets it (drizzle/sql/059_reporting.sql). */
    dueAt: instant('due_at'),
    /** A minute later, or with each payout the same, until a run of the job leases it. */
    nextCheckAt: instant('next_check_at'),
    createdByUserId: text('created_by_user_id').notNull(),
    createdByEmail: text('created_by_email').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('report_schedules', t.tenantId),
      check('report_schedules_type_known', known(t.type)),
      check('report_schedules_amounts_known', known(t.amounts)),
      check('report_schedules_format_known', known(t.format)),
      check('report_schedules_every_known', known(t.every)),
      check('report_schedules_status_known', known(t.status)),
      check('report_schedules_paused_for_known', known(t.pausedFor)),
      check('report_schedules_paused', sql`(${t.pausedFor} is not null) = (${t.status} = 'paused')`),
      check(
        'report_schedules_weekday',
        sql`case when ${t.every} = 'week' then ${t.weekday} between 1 and 7 and ${t.weekday} is not null
        else ${t.weekday} is null end`,
      ),
      check('report_schedules_payout', sql`${t.every} <> 'payout' or ${t.type} = 'payout.reconciliation'`),
      check(
        'report_schedules_period',
        sql`(${t.nextFrom} is null) = (${t.every} = 'payout') and (${t.nextTo} is null) = (${t.every} = 'payout')
        and coalesce(${t.nextTo} - ${t.nextFrom} between 0 and 30, true)`,
      ),
      check(
        'report_schedules_due',
        sql`(${t.dueAt} is null) = (${t.nextCheckAt} is null) and (${t.status} = 'active' or ${t.dueAt} is null)
        and (${t.status} <> 'active' or ${t.every} = 'payout' or ${t.dueAt} is not null)`,
      ),
      check('report_schedules_failures', sql`${t.failuresCount} >= 0`),
      index('report_schedules_next_check').on(t.nextCheckAt).where(sql`next_check_at is not null`),
      index('report_schedules_list').on(t.tenantId, t.createdAt, t.id),
      index('report_schedules_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('report_schedules_of_payouts').on(t.tenantId).where(sql`every = 'payout' and status = 'active'`),
    ]
  },
)

/** The accounts that a merchant gives numbers of its own: `waiter` are those of all waiters. */
export const mappedAccounts = [...ledgerAccounts.code.enumValues, 'waiter'] as const
export type MappedAccount = (typeof mappedAccounts)[number]

/** The merchant's own account numbers, whole each time: a run keeps the ones of when it was made. */
export const reportAccountMappings = pgTable(
  'report_account_mappings',
  {
    ...tenantRow,
    /** By `account`, or by `account entry_kind`, which counts before it. */
    accounts: jsonb('accounts').$type<Readonly<Record<string, string>>>().notNull(),
    createdByUserId: text('created_by_user_id').notNull(),
    createdByEmail: text('created_by_email').notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('report_account_mappings', t.tenantId),
      // 200 numbers of 40 letters, with the names of their accounts and kinds.
      check(
        'report_account_mappings_accounts',
        sql`jsonb_typeof(${t.accounts}) = 'object' and length(${t.accounts}::text) <= 40000`,
      ),
      index('report_account_mappings_newest').on(t.tenantId, t.createdAt, t.id),
    ]
  },
)

/** A report over a period of days. What it shows is fixed by its period and `as_of`. */
export const reportRuns = pgTable(
  'report_runs',
  {
    ...tenantRow,
    type: text('type', { enum: reportTypeNames }).notNull(),
    typeVersion: integer('type_version').notNull(),
    status: statusOf(reportRunLifecycle),
    periodFrom: date('period_from', { mode: 'string' }).notNull(),
    periodTo: date('period_to', { mode: 'string' }).notNull(),
    /** The schedule that made it, and the payout that it is of alone. */
    scheduleId: uuid('schedule_id'),
    payoutId: uuid('payout_id'),
    /** The newest mapping when it was made, of a `poliza`: a trigger names it. */
    mappingId: uuid('mapping_id'),
    ...shownAs,
    /** The columns that it shows, in their order; null: all that a report shows without being asked. */
    columns: jsonb('columns').$type<readonly string[]>(),
    /** Whether one of them is an address of a person. */
    showsPersons: boolean('shows_persons').notNull().default(false),
    /** The period as times, and the number of its transaction: a trigger fills them (drizzle/sql/059_reporting.sql). */
    startsAt: instant('starts_at').notNull().default(sql`now()`),
    endsAt: instant('ends_at').notNull().default(sql`now()`),
    asOf: bigint('as_of', { mode: 'bigint' }).notNull().default(sql`0`),
    /** When that transaction began: what was booked before is in the run. */
    bookedUntil: instant('booked_until').notNull().default(sql`now()`),
    /** What was written so far: parts of the file, rows, the sums of their amounts, and the last row. */
    partsCount: integer('parts_count').notNull(),
    /** The names of its parts in the bucket, in their order. */
    parts: jsonb('parts').$type<readonly string[]>().notNull(),
    rowsCount: integer('rows_count').notNull(),
    sums: jsonb('sums').$type<ReportSums>().notNull(),
    place: jsonb('place').$type<ReportPlace>(),
    opening: jsonb('opening').$type<ReportSums>(),
    closing: jsonb('closing').$type<ReportSums>(),
    /** SHA-256 of the whole file, in hexadecimal. */
    fileDigest: text('file_digest'),
    failure: text('failure', { enum: ['report_unbalanced', 'report_abandoned'] }),
    /** When the next step is due, or may be taken over from a Worker that died; null once it is over. */
    nextCheckAt: instant('next_check_at'),
    finishedAt: instant('finished_at'),
    /** When its file is removed; null where there is none. */
    removeAt: instant('remove_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('report_runs', t.tenantId),
      refersTo('report_runs_schedule', t, t.scheduleId, reportSchedules),
      refersTo('report_runs_payout', t, t.payoutId, payouts),
      refersTo('report_runs_mapping', t, t.mappingId, reportAccountMappings),
      check(
        'report_runs_of_payout',
        sql`${t.payoutId} is null or (${t.scheduleId} is not null and ${t.type} = 'payout.reconciliation')`,
      ),
      // A schedule has one run of a period, without those that were canceled, and one of a payout.
      uniqueIndex('report_runs_one_of_period')
        .on(t.tenantId, t.scheduleId, t.periodFrom, t.periodTo)
        .where(sql`schedule_id is not null and payout_id is null and status <> 'canceled'`),
      uniqueIndex('report_runs_one_of_payout')
        .on(t.tenantId, t.scheduleId, t.payoutId)
        .where(sql`payout_id is not null`),
      check('report_runs_type_known', known(t.type)),
      check('report_runs_status_known', known(t.status)),
      check('report_runs_amounts_known', known(t.amounts)),
      check('report_runs_format_known', known(t.format)),
      check('report_runs_failure_known', known(t.failure)),
      // What mails a link to members asks for no address.
      check(
        'report_runs_persons',
        sql`not ${t.showsPersons} or (${t.columns} is not null and ${t.scheduleId} is null)`,
      ),
      check('report_runs_period', sql`${t.periodTo} - ${t.periodFrom} between 0 and 365`),
      check(
        'report_runs_counts',
        sql`least(${t.partsCount}, ${t.rowsCount}) >= 0 and jsonb_array_length(${t.parts}) = ${t.partsCount}`,
      ),
      check('report_runs_due', sql`(${t.nextCheckAt} is not null) = (${t.status} in ('queued', 'running'))`),
      check('report_runs_finished', sql`(${t.finishedAt} is null) = (${t.status} in ('queued', 'running'))`),
      check('report_runs_failed', sql`(${t.failure} is not null) = (${t.status} = 'failed')`),
      check(
        'report_runs_file',
        sql`${t.status} <> 'succeeded' or (${t.fileDigest} ~ '^[0-9a-f]{64}$' and ${t.removeAt} is not null)`,
      ),
      index('report_runs_next_check').on(t.nextCheckAt).where(sql`next_check_at is not null`),
      index('report_runs_due_removal').on(t.removeAt).where(sql`remove_at is not null`),
      index('report_runs_list').on(t.tenantId, t.createdAt, t.id),
      index('report_runs_list_by_type').on(t.tenantId, t.type, t.createdAt, t.id),
      index('report_runs_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('report_runs_list_by_schedule')
        .on(t.tenantId, t.scheduleId, t.createdAt, t.id)
        .where(sql`schedule_id is not null`),
    ]
  },
)

/** A member who is mailed a link to a run. Its id is in the link of the mail, which works while the file is kept. */
export const reportDeliveries = pgTable(
  'report_deliveries',
  {
    ...tenantRow,
    runId: uuid('run_id').notNull(),
    memberId: uuid('member_id').notNull(),
    status: statusOf(reportDeliveryLifecycle),
    withheldFor: text('withheld_for', {
      enum: ['member_left', 'unnamed', 'address_unconfirmed', 'file_removed'],
    }),
    nextCheckAt: instant('next_check_at'),
    /** When its schedule stopped naming the member: after that its link opens nothing, for good. A trigger fills it. */
    endedAt: instant('ended_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('report_deliveries_run', t, t.runId, reportRuns),
      refersTo('report_deliveries_member', t, t.memberId, memberships),
      check('report_deliveries_status_known', known(t.status)),
      check('report_deliveries_withheld_for_known', known(t.withheldFor)),
      check('report_deliveries_withheld', sql`(${t.withheldFor} is not null) = (${t.status} = 'withheld')`),
      check('report_deliveries_due', sql`(${t.nextCheckAt} is not null) = (${t.status} = 'waiting')`),
      uniqueIndex('report_deliveries_one').on(t.tenantId, t.runId, t.memberId),
      uniqueIndex('report_deliveries_by_id').on(t.id),
      index('report_deliveries_list').on(t.tenantId, t.runId, t.createdAt, t.id),
      index('report_deliveries_next_check').on(t.nextCheckAt).where(sql`next_check_at is not null`),
    ]
  },
)

/**
 * What payments brought in an hour of UTC, by currency, method and location: the sums of journals, which one follower of all
 * workspaces adds up (drizzle/sql/059_reporting_summary.sql). The zones of Mexico are whole hours from UTC, so that the days of
 * each are sums of these.
 */
export const reportHours = pgTable(
  'report_hours',
  {
    ...tenantRow,
    hour: instant('hour').notNull(),
    currency: text('currency').notNull(),
    method: text('method').notNull(),
    locationId: uuid('location_id'),
    grossMinor: minor('gross_minor').notNull(),
    refundsMinor: minor('refunds_minor').notNull(),
    disputesMinor: minor('disputes_minor').notNull(),
    feesMinor: minor('fees_minor').notNull(),
    ivaMinor: minor('iva_minor').notNull(),
    paymentsCount: integer('payments_count').notNull(),
    refundsCount: integer('refunds_count').notNull(),
    disputesCount: integer('disputes_count').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('report_hours', t.tenantId),
      unique('report_hours_of_one')
        .on(t.tenantId, t.hour, t.currency, t.method, t.locationId)
        .nullsNotDistinct(),
      check('report_hours_whole', sql`${t.hour} = date_trunc('hour', ${t.hour}, 'UTC')`),
    ]
  },
)

/** How far the journals of all workspaces are in `report_hours`. One row. */
export const reportCursor = pgTable(
  'report_cursor',
  {
    isOnly: boolean('is_only').primaryKey(),
    /** Every journal with a lower number is counted, none with this one or a higher. */
    commitOrder: bigint('commit_order', { mode: 'bigint' }).notNull(),
    /** Everything that was booked before this time is counted. */
    asOf: instant('as_of').notNull(),
    /** When journals were counted last: until `as_of` is as late, the follower goes on. */
    countedAt: instant('counted_at').notNull(),
    /** A transaction and a time before it had its number: what later ones book is later. Where the cursor is past it, it is the next `as_of`. */
    markOrder: bigint('mark_order', { mode: 'bigint' }).notNull(),
    markAt: instant('mark_at').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [check('report_cursor_only', sql`${t.isOnly}`)]
  },
)
