import { bigint, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { workspaceKey } from '../../../drizzle/schema/columns.ts'
import type { Json } from '../../../src/kernel/json.ts'

/** A donation whose amount the buyer chooses. */
export const donations = pgTable('donations', {
  tenantId: workspaceKey('tenant_id').notNull(),
  id: uuid('id').notNull(),
  publicId: text('public_id').notNull(),
  status: text('status').notNull(),
  title: text('title').notNull(),
  amountMinorMin: bigint('amount_minor_min', { mode: 'bigint' }).notNull(),
  amountMinorMax: bigint('amount_minor_max', { mode: 'bigint' }).notNull(),
  raisedMinor: bigint('raised_minor', { mode: 'bigint' }).notNull(),
  clientReferenceId: text('client_reference_id'),
  metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
  termsVersion: integer('terms_version').notNull(),
  policyVersion: integer('policy_version').notNull(),
  locationId: uuid('location_id'),
  version: integer('version').notNull(),
})

/** A bill that the guests of a table pay in parts, while lines are added to it. */
export const tableBills = pgTable('table_bills', {
  tenantId: workspaceKey('tenant_id').notNull(),
  id: uuid('id').notNull(),
  publicId: text('public_id').notNull(),
  status: text('status').notNull(),
  title: text('title').notNull(),
  clientReferenceId: text('client_reference_id'),
  metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
  termsVersion: integer('terms_version').notNull(),
  policyVersion: integer('policy_version').notNull(),
  locationId: uuid('location_id'),
  version: integer('version').notNull(),
})
