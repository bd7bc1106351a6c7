import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { syncRunLifecycle, syncSourceLifecycle } from '../../functions/sync-sources/lifecycle.ts'
import { changes, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { customers } from './customers.ts'
import { ofTenant } from './tenants.ts'

/** A system of the business's that says something about its customers. */
export const syncSources = pgTable(
  'sync_sources',
  {
    ...tenantRow,
    kind: text('kind', { enum: ['push'] }).notNull(),
    name: text('name').notNull(),
    status: statusOf(syncSourceLifecycle),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('sync_sources', t.tenantId),
      check('sync_sources_kind_known', known(t.kind)),
      check('sync_sources_status_known', known(t.status)),
      index('sync_sources_list').on(t.tenantId, t.createdAt, t.id),
      index('sync_sources_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)

export const syncModes = ['live', 'backfill'] as const

/** One delivery of a source's records: a batch that it pushed. */
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
        sql`(${t.finishedAt} is not null) = (${t.status} in ('succeeded', 'partial', 'failed'))`,
      ),
      index('sync_runs_list').on(t.tenantId, t.sourceId, t.createdAt, t.id),
      index('sync_runs_list_by_status').on(t.tenantId, t.sourceId, t.status, t.createdAt, t.id),
    ]
  },
)

/**
 * What a source calls a customer. The row stays where its customer is merged: reads follow `merged_into`. When
 * `external_id` is emptied, as erasure does, a trigger leaves its keyed digest, so that the source cannot make the
 * person anew.
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
