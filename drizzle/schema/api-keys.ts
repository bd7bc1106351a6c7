import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { apiKeyLifecycle } from '../../functions/account/api-keys/lifecycle.ts'
import { changes, environments, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

/** API keys, without plaintext: `digest` is HMAC-SHA256(pepper, token), and the Worker's role cannot read it. */
export const apiKeys = pgTable(
  'api_keys',
  {
    ...tenantRow,
    kid: text('kid').notNull(),
    digest: text('digest').notNull(),
    pepperVersion: integer('pepper_version').notNull(),
    obfuscatedValue: text('obfuscated_value').notNull(),
    description: text('description').notNull(),
    environment: text('environment', { enum: environments }).notNull(),
    scopes: text('scopes').array().notNull(),
    status: statusOf(apiKeyLifecycle),
    expiresAt: instant('expires_at'),
    /** End of the overlap after a rotation. Independent of `expiresAt`, which a rotation never extends. */
    graceEndsAt: instant('grace_ends_at'),
    rotatedFromId: uuid('rotated_from_id'),
    /** Daily transfers without approval, by currency, in minor units; the default where none is set. */
    transferLimits: jsonb('transfer_limits').$type<Record<string, string>>().notNull().default({}),
    createdByUserId: text('created_by_user_id').notNull(),
    createdByEmail: text('created_by_email').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      uniqueIndex('api_keys_kid').on(t.kid),
      unique('api_keys_one_successor').on(t.tenantId, t.rotatedFromId),
      ofTenant('api_keys', t.tenantId),
      refersTo('api_keys_rotated_from', t, t.rotatedFromId, t),
      check('api_keys_environment_known', known(t.environment)),
      check('api_keys_status_known', known(t.status)),
      check('api_keys_description_length', sql`char_length(${t.description}) between 1 and 120`),
      check('api_keys_scopes_count', sql`cardinality(${t.scopes}) between 1 and 64`),
      check(
        'api_keys_grace_only_after_rotation',
        sql`(${t.status} <> 'rotating') or ${t.graceEndsAt} is not null`,
      ),
      index('api_keys_list').on(t.tenantId, t.createdAt, t.id),
      index('api_keys_due')
        .on(t.updatedAt)
        .where(
          sql`status in ('provisioning', 'rotating', 'revoking') or (status = 'active' and expires_at is not null)`,
        ),
    ]
  },
)
