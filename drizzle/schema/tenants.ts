import { sql } from 'drizzle-orm'
import {
  check,
  type ExtraConfigColumn,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { changes, known } from './columns.ts'

/** A merchant's workspace in this environment. The tenant table is its own tenant: `tenant_id` is the id. */
export const tenants = pgTable(
  'tenants',
  {
    tenantId: text('tenant_id').primaryKey(),
    name: text('name').notNull(),
    status: text('status', { enum: ['active', 'suspended', 'closed'] }).notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      check('tenants_id_form', sql`${t.tenantId} ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$'`),
      check('tenants_status_known', known(t.status)),
      check('tenants_name_length', sql`char_length(${t.name}) between 1 and 120`),
    ]
  },
)

/** The foreign key of a tenant table. */
export const ofTenant = (table: string, tenantId: ExtraConfigColumn) =>
  foreignKey({ name: `${table}_tenant`, columns: [tenantId], foreignColumns: [tenants.tenantId] })

/** Who may act for a tenant in this environment. The user's row is in the identity database. */
export const memberships = pgTable(
  'memberships',
  {
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    email: text('email').notNull(),
    role: text('role', { enum: ['owner', 'admin', 'member'] }).notNull(),
    status: text('status', { enum: ['active', 'removed'] }).notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.tenantId, t.userId] }),
      ofTenant('memberships', t.tenantId),
      check('memberships_role_known', known(t.role)),
      check('memberships_status_known', known(t.status)),
      index('memberships_by_user').on(t.userId),
    ]
  },
)
