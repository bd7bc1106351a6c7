import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import {
  syncFileLifecycle,
  syncRunLifecycle,
  syncSourceLifecycle,
} from '../../functions/people/sync-sources/lifecycle.ts'
import type { CsvShape } from '../../src/kernel/csv-shape.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { changes, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { customers } from './customers.ts'
import { ofTenant } from './tenants.ts'

/** Why a run, or its source, came to a stop. */
export interface SyncFailure {
  readonly code: string
  readonly message: string
}

/** How records come: `push` has batches, the others runs. */
export const sourceKinds = ['push', 'csv', 'stripe'] as const

/** A system of the business's that says something about its customers. */
export const syncSources = pgTable(
  'sync_sources',
  {
    ...tenantRow,
    kind: text('kind', { enum: sourceKinds }).notNull(),
    name: text('name').notNull(),
    status: statusOf(syncSourceLifecycle),
    failure: jsonb('failure').$type<SyncFailure>(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('sync_sources', t.tenantId),
      check('sync_sources_kind_known', known(t.kind)),
      check('sync_sources_status_known', known(t.status)),
      check('sync_sources_failure', sql`${t.status} <> 'error' or ${t.failure} is not null`),
      index('sync_sources_list').on(t.tenantId, t.createdAt, t.id),
      index('sync_sources_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)

/** A file that was uploaded to a source, in the bucket. */
export const syncFiles = pgTable(
  'sync_files',
  {
    ...tenantRow,
    sourceId: uuid('source_id').notNull(),
    status: statusOf(syncFileLifecycle),
    bytes: integer('bytes').notNull(),
    /** Null until it is stored. */
    shape: jsonb('shape').$type<CsvShape>(),
    /** What each column is; null for one that is left out. */
    fields: jsonb('fields').$type<readonly (string | null)[]>(),
    /** When it and what its runs have left are removed; null once they are. */
    removeAt: instant('remove_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('sync_files_source', t, t.sourceId, syncSources),
      check('sync_files_status_known', known(t.status)),
      check('sync_files_removal', sql`(${t.removeAt} is null) = (${t.status} = 'removed')`),
      check('sync_files_stored', sql`${t.status} <> 'stored' or num_nulls(${t.shape}, ${t.fields}) = 0`),
      uniqueIndex('sync_files_one_stored').on(t.tenantId, t.sourceId).where(sql`status = 'stored'`),
      index('sync_files_of').on(t.tenantId, t.sourceId),
      index('sync_files_kept').on(t.tenantId).where(sql`status <> 'removed'`),
      index('sync_files_due').on(t.removeAt).where(sql`remove_at is not null`),
    ]
  },
)

export const syncModes = ['live', 'backfill'] as const

/** One delivery of a source's records: a batch that it pushed, or a run that reads them slice by slice. */
export const syncRuns = pgTable(
  'sync_runs',
  {
    ...tenantRow,
    sourceId: uuid('source_id').notNull(),
    mode: text('mode', { enum: syncModes }).notNull(),
    status: statusOf(syncRunLifecycle),
    /** Null where it is not known yet. */
    total: integer('total'),
    created: integer('created').notNull(),
    updated: integer('updated').notNull(),
    skipped: integer('skipped').notNull(),
    failed: integer('failed').notNull(),
    /** Where the next slice begins, as the source's kind has it; null once the run is over. */
    cursor: jsonb('cursor').$type<JsonObject>(),
    slicesCount: integer('slices_count').notNull().default(0),
    /** How much of it is done, in percent; null where that is not known. */
    progress: integer('progress'),
    /** The file that it reads. */
    fileId: uuid('file_id'),
    /** Failed tries of the next slice, and why the last one failed. */
    triesCount: integer('tries_count').notNull().default(0),
    failure: jsonb('failure').$type<SyncFailure>(),
    /** When the next slice is due, or may be taken over from a Worker that died; null while nothing is to be done. */
    nextCheckAt: instant('next_check_at'),
    finishedAt: instant('finished_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('sync_runs_source', t, t.sourceId, syncSources),
      check('sync_runs_mode_known', known(t.mode)),
      check('sync_runs_status_known', known(t.status)),
      check('sync_runs_counts', sql`least(${t.created}, ${t.updated}, ${t.skipped}, ${t.failed}) >= 0`),
      check(
        'sync_runs_finished',
        sql`(${t.finishedAt} is not null) = (${t.status} in ('succeeded', 'partial', 'failed', 'canceled'))`,
      ),
      check('sync_runs_due', sql`(${t.nextCheckAt} is not null) = (${t.status} in ('queued', 'running'))`),
      refersTo('sync_runs_file', t, t.fileId, syncFiles),
      uniqueIndex('sync_runs_one_open').on(t.tenantId, t.sourceId).where(sql`finished_at is null`),
      index('sync_runs_next_check').on(t.nextCheckAt).where(sql`next_check_at is not null`),
      index('sync_runs_of_file').on(t.tenantId, t.fileId).where(sql`file_id is not null`),
      index('sync_runs_list').on(t.tenantId, t.sourceId, t.createdAt, t.id),
      index('sync_runs_list_by_status').on(t.tenantId, t.sourceId, t.status, t.createdAt, t.id),
    ]
  },
)

/** A record that was refused, by its number in the run, and why. It has no value of the record but its id. */
export interface RefusedRecord {
  readonly row: number
  readonly externalId: string | null
  readonly code: string
  readonly param: string | null
  readonly message: string | null
}

/** The refused records of a run's slice, where no file has them: of a `stripe` source. Deleted after 30 days. */
export const syncRefusals = pgTable(
  'sync_refusals',
  {
    ...tenantRow,
    sourceId: uuid('source_id').notNull(),
    runId: uuid('run_id').notNull(),
    slice: integer('slice').notNull(),
    records: jsonb('records').$type<readonly RefusedRecord[]>().notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('sync_refusals_source', t, t.sourceId, syncSources),
      refersTo('sync_refusals_run', t, t.runId, syncRuns),
      uniqueIndex('sync_refusals_of').on(t.tenantId, t.runId, t.slice),
      index('sync_refusals_of_source').on(t.tenantId, t.sourceId),
      index('sync_refusals_by_age').on(t.createdAt),
    ]
  },
)

/**
 * What a source calls a customer. The row stays where its customer is merged: reads follow `merged_into`. When
 * `external_id` is emptied, as erasure does, a trigger leaves its keyed digest, so that the source cannot create
 * the customer once more.
 */
export const customerExternalIds = pgTable(
  'customer_external_ids',
  {
    ...tenantRow,
    sourceId: uuid('source_id').notNull(),
    externalId: text('external_id'),
    externalIdDigest: text('external_id_digest'),
    customerId: uuid('customer_id').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('customer_external_ids_source', t, t.sourceId, syncSources),
      refersTo('customer_external_ids_customer', t, t.customerId, customers),
      uniqueIndex('customer_external_ids_one').on(t.tenantId, t.sourceId, t.externalId),
      uniqueIndex('customer_external_ids_tombstone')
        .on(t.tenantId, t.sourceId, t.externalIdDigest)
        .where(sql`external_id_digest is not null`),
      index('customer_external_ids_of').on(t.tenantId, t.customerId),
      check(
        'customer_external_ids_either',
        sql`(${t.externalId} is null) = (${t.externalIdDigest} is not null)`,
      ),
    ]
  },
)
