import { sql } from 'drizzle-orm'
import { bigint, check, date, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { reportRunLifecycle } from '../../functions/insight/reporting/lifecycle.ts'
import { changes, instant, known, ownKey, statusOf, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

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
  'poliza',
  'customers',
] as const
export type ReportTypeName = (typeof reportTypeNames)[number]

/** Where the next page begins: behind a row. */
export type ReportPlace = { readonly at: string; readonly id: string }

/** Minor units by currency, as decimal strings. */
export type ReportSums = Readonly<Record<string, string>>

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
    timeZone: text('time_zone').notNull(),
    /** The period as times, and the number of its transaction: a trigger fills them (drizzle/sql/059_reporting.sql). */
    startsAt: instant('starts_at').notNull().default(sql`now()`),
    endsAt: instant('ends_at').notNull().default(sql`now()`),
    asOf: bigint('as_of', { mode: 'bigint' }).notNull().default(sql`0`),
    amounts: text('amounts', { enum: ['minor', 'decimal'] }).notNull(),
    format: text('format', { enum: ['csv', 'jsonl'] }).notNull(),
    /** What was written so far: parts of the file, rows, the sums of their amounts, and the last row. */
    partsCount: integer('parts_count').notNull(),
    rowsCount: integer('rows_count').notNull(),
    sums: jsonb('sums').$type<ReportSums>().notNull(),
    place: jsonb('place').$type<ReportPlace>(),
    opening: jsonb('opening').$type<ReportSums>(),
    closing: jsonb('closing').$type<ReportSums>(),
    /** SHA-256 of the whole file, in hexadecimal. */
    fileDigest: text('file_digest'),
    failure: text('failure', { enum: ['report_unbalanced'] }),
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
      check('report_runs_type_known', known(t.type)),
      check('report_runs_status_known', known(t.status)),
      check('report_runs_amounts_known', known(t.amounts)),
      check('report_runs_format_known', known(t.format)),
      check('report_runs_failure_known', known(t.failure)),
      check('report_runs_period', sql`${t.periodTo} - ${t.periodFrom} between 0 and 365`),
      check('report_runs_counts', sql`least(${t.partsCount}, ${t.rowsCount}) >= 0`),
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
    ]
  },
)
