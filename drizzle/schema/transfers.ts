import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { transferLifecycle } from '../../functions/money/transfers/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import { apiKeys } from './api-keys.ts'
import {
  amount,
  bankFailures,
  changes,
  createdAt,
  instant,
  known,
  ownKey,
  polled,
  refersTo,
  statusOf,
  tenantRow,
} from './columns.ts'
import { ofTenant } from './tenants.ts'

/** Money that a merchant sends from its balance: to a CLABE or to another tenant. Its id is our reference at the bank. */
export const transfers = pgTable(
  'transfers',
  {
    ...tenantRow,
    status: statusOf(transferLifecycle),
    ...amount,
    destinationType: text('destination_type', { enum: ['clabe', 'tenant'] }).notNull(),
    destinationClabe: text('destination_clabe'),
    destinationHolder: text('destination_holder'),
    /** A workspace's id, as the interface writes it. */
    destinationTenantId: text('destination_tenant_id'),
    concept: text('concept').notNull(),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    /** The key that requested it. */
    apiKeyId: uuid('api_key_id').notNull(),
    approvedByUserId: text('approved_by_user_id'),
    approvedAt: instant('approved_at'),
    processor: text('processor').notNull(),
    claveRastreo: text('clave_rastreo'),
    /** The trace of the transfer by which the receiving bank sent it back. */
    returnClaveRastreo: text('return_clave_rastreo'),
    failureCode: text('failure_code', { enum: [...bankFailures, 'destination_unknown'] }),
    ...polled,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('transfers_api_key', t, t.apiKeyId, apiKeys),
      uniqueIndex('transfers_reference').on(t.id),
      check('transfers_status_known', known(t.status)),
      check('transfers_amount_positive', sql`${t.amountMinor} > 0`),
      check(
        'transfers_destination',
        sql`(${t.destinationType} = 'clabe' and ${t.destinationClabe} ~ '^[0-9]{18}$'
          and ${t.destinationHolder} is not null and ${t.destinationTenantId} is null)
        or (${t.destinationType} = 'tenant' and ${t.destinationTenantId} is not null
          and ${t.destinationTenantId} <> 'tn_' || replace(${t.tenantId}::text, '-', '') and ${t.destinationClabe} is null)`,
      ),
      index('transfers_list').on(t.tenantId, t.createdAt, t.id),
      index('transfers_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('transfers_due').on(t.nextCheckAt).where(sql`next_check_at is not null`),
    ]
  },
)

/** The other side of a transfer between tenants: one row per transfer, so that it arrives once. */
export const incomingTransfers = pgTable(
  'incoming_transfers',
  {
    ...tenantRow,
    sourceTransferId: uuid('source_transfer_id').notNull(),
    sourceTenantId: text('source_tenant_id').notNull(),
    ...amount,
    concept: text('concept').notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('incoming_transfers', t.tenantId),
      uniqueIndex('incoming_transfers_once').on(t.sourceTransferId),
      check('incoming_transfers_amount_positive', sql`${t.amountMinor} > 0`),
      index('incoming_transfers_list').on(t.tenantId, t.createdAt, t.id),
    ]
  },
)
