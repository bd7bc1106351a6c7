import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { phoneAppLifecycle } from '../../functions/in-person/attestation/lifecycle.ts'
import { changes, known, ownKey, statusOf, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

/** Apps of a workspace whose phones may be attested. The keys of Play Integrity are encrypted under SECRETS_KEYS. */
export const phoneApps = pgTable(
  'phone_apps',
  {
    ...tenantRow,
    status: statusOf(phoneAppLifecycle),
    platform: text('platform', { enum: ['ios', 'android'] }).notNull(),
    /** A team and a bundle between a dot, or a package. */
    app: text('app').notNull(),
    /** Of Android: SHA-256 of the certificates that sign it, lowercase hex. */
    certificateDigests: text('certificate_digests').array().notNull(),
    decryptionKey: text('decryption_key'),
    verificationKey: text('verification_key'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('phone_apps', t.tenantId),
      uniqueIndex('phone_apps_one').on(t.tenantId, t.platform, t.app).where(sql`status = 'active'`),
      check('phone_apps_status_known', known(t.status)),
      check('phone_apps_platform_known', known(t.platform)),
      check(
        'phone_apps_app_form',
        sql`char_length(${t.app}) <= 255 and case ${t.platform} when 'ios' then ${t.app} ~ '^[A-Z0-9]{10}[.][A-Za-z0-9.-]+$'
          else ${t.app} ~ '^[A-Za-z][A-Za-z0-9_]*([.][A-Za-z][A-Za-z0-9_]*)+$' end`,
      ),
      check(
        'phone_apps_of_platform',
        sql`case ${t.platform} when 'ios' then cardinality(${t.certificateDigests}) = 0 and num_nonnulls(${t.decryptionKey}, ${t.verificationKey}) = 0
          else cardinality(${t.certificateDigests}) between 1 and 10 and num_nonnulls(${t.decryptionKey}, ${t.verificationKey}) = 2 end`,
      ),
      check(
        'phone_apps_encrypted',
        sql`coalesce(${t.decryptionKey}, '0.A') ~ '^[0-9]+[.][A-Za-z0-9+/=]+$' and coalesce(${t.verificationKey}, '0.A') ~ '^[0-9]+[.][A-Za-z0-9+/=]+$'`,
      ),
      index('phone_apps_list').on(t.tenantId, t.createdAt, t.id),
    ]
  },
)

/** Whether the phones of a workspace take cards only while they are attested. No row: they need not be. */
export const attestationSettings = pgTable(
  'attestation_settings',
  { ...tenantRow, isRequired: boolean('is_required').notNull(), ...changes },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('attestation_settings', t.tenantId),
      uniqueIndex('attestation_settings_one').on(t.tenantId),
    ]
  },
)
