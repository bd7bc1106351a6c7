import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import {
  deliveredFileLifecycle,
  entitlementLifecycle,
  keyLifecycle,
} from '../../functions/goods/entitlements/lifecycle.ts'
import { checkoutSessions } from './checkout-sessions.ts'
import {
  changes,
  instant,
  known,
  ofStoredFile,
  ownKey,
  refersTo,
  statusOf,
  storedFile,
  tenantRow,
} from './columns.ts'
import { catalogItems } from './digital-catalogs.ts'
import { payments } from './payments.ts'

/** The kinds of items that a payment grants something of. */
export const deliveredKinds = ['file', 'license_key', 'access', 'voucher'] as const

/** The most that one payment grants; its receipt shows all of it (drizzle/sql/059_entitlements.sql). */
export const grantedMax = 1000

/** What a payment grants: the column `delivers` of what is sold. Each item once. */
export interface DeliveredLine {
  item_id: string
  quantity: number
}

/**
 * What a buyer has a right to, by a payment, or by a session that cost nothing. Triggers insert it with the payment's
 * first captured money, or the session's completion, and revoke it with refunds and lost disputes
 * (drizzle/sql/059_entitlements.sql).
 */
export const entitlements = pgTable(
  'entitlements',
  {
    ...tenantRow,
    status: statusOf(entitlementLifecycle),
    itemId: uuid('item_id').notNull(),
    paymentId: uuid('payment_id'),
    /** The session that granted it without a payment. */
    checkoutSessionId: uuid('checkout_session_id'),
    kind: text('kind', { enum: deliveredKinds }).notNull(),
    /** Counts those of one payment or session, and item, from 1; a file is granted once, however many were bought. */
    number: integer('number').notNull(),
    /** The item's policy when it was paid. */
    revocationPolicy: text('revocation_policy', { enum: ['full_refund', 'any_refund', 'never'] }).notNull(),
    downloadsMax: integer('downloads_max'),
    /** Of all its files. */
    downloadsCount: integer('downloads_count').notNull(),
    /** Until when the buyer has it; null: for good. */
    expiresAt: instant('expires_at'),
    /** Where its key or code comes from; null: it has none. */
    codeFrom: text('code_from', { enum: ['pool', 'generated'] }),
    /** A generated code under SECRETS_KEYS; one of a pool stands in `license_keys`. */
    codeCiphertext: text('code_ciphertext'),
    codeDigest: text('code_digest'),
    codeLast4: text('code_last4'),
    /** When the buyer could have it first. */
    readyAt: instant('ready_at'),
    redeemedAt: instant('redeemed_at'),
    revokedAt: instant('revoked_at'),
    revokedBecause: text('revoked_because', { enum: ['refund', 'dispute', 'merchant'] }),
    /** The status in the last published event; null: none was published. */
    announced: text('announced', { enum: ['pending', 'active', 'revoked'] }),
    /** What the event of a revocation said, for the event that takes it back. */
    announcedRevokedAt: instant('announced_revoked_at'),
    announcedRevokedBecause: text('announced_revoked_because', { enum: ['refund', 'dispute', 'merchant'] }),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('entitlements_item', t, t.itemId, catalogItems),
      refersTo('entitlements_payment', t, t.paymentId, payments),
      refersTo('entitlements_session', t, t.checkoutSessionId, checkoutSessions),
      check('entitlements_granted_once', sql`num_nonnulls(${t.paymentId}, ${t.checkoutSessionId}) = 1`),
      uniqueIndex('entitlements_of_payment').on(t.tenantId, t.paymentId, t.itemId, t.number),
      uniqueIndex('entitlements_of_session')
        .on(t.tenantId, t.checkoutSessionId, t.itemId, t.number)
        .where(sql`checkout_session_id is not null`),
      uniqueIndex('entitlements_code').on(t.tenantId, t.codeDigest).where(sql`code_digest is not null`),
      check('entitlements_status_known', known(t.status)),
      check('entitlements_kind_known', known(t.kind)),
      check('entitlements_revocation_policy_known', known(t.revocationPolicy)),
      check('entitlements_code_from_known', known(t.codeFrom)),
      check('entitlements_revoked_because_known', known(t.revokedBecause)),
      check('entitlements_announced_known', known(t.announced)),
      check('entitlements_announced_because_known', known(t.announcedRevokedBecause)),
      check('entitlements_number_counted', sql`${t.number} > 0`),
      check('entitlements_downloads_counted', sql`${t.downloadsCount} >= 0`),
      check(
        'entitlements_ready',
        sql`case ${t.status} when 'pending' then ${t.readyAt} is null when 'active' then ${t.readyAt} is not null else true end`,
      ),
      check(
        'entitlements_code_parts',
        sql`num_nonnulls(${t.codeCiphertext}, ${t.codeDigest}) = case when ${t.codeFrom} = 'generated' and ${t.readyAt} is not null then 2 else 0 end`,
      ),
      check(
        'entitlements_revoked',
        sql`(${t.status} = 'revoked') = (${t.revokedAt} is not null) and (${t.status} = 'revoked') = (${t.revokedBecause} is not null)`,
      ),
      check(
        'entitlements_redeemed',
        sql`${t.redeemedAt} is null or ${t.kind} = 'voucher' and ${t.readyAt} is not null`,
      ),
      index('entitlements_list').on(t.tenantId, t.createdAt, t.id),
      index('entitlements_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('entitlements_list_by_item').on(t.tenantId, t.itemId, t.createdAt, t.id),
      index('entitlements_list_by_payment').on(t.tenantId, t.paymentId, t.createdAt, t.id),
      index('entitlements_list_by_session')
        .on(t.tenantId, t.checkoutSessionId, t.createdAt, t.id)
        .where(sql`checkout_session_id is not null`),
      index('entitlements_awaiting_key')
        .on(t.tenantId, t.itemId, t.createdAt, t.id)
        .where(sql`status = 'pending' and code_from = 'pool'`),
      index('entitlements_due')
        .on(t.updatedAt)
        .where(sql`announced is distinct from status or status = 'pending' and code_from = 'generated'`),
    ]
  },
)

/** Keys that the merchant put there to be sold. Triggers assign them, the oldest first. */
export const licenseKeys = pgTable(
  'license_keys',
  {
    ...tenantRow,
    itemId: uuid('item_id').notNull(),
    status: statusOf(keyLifecycle),
    /** Under SECRETS_KEYS. */
    ciphertext: text('ciphertext').notNull(),
    /** Of the item and the key: no key is in a pool twice. */
    digest: text('digest').notNull(),
    last4: text('last4').notNull(),
    entitlementId: uuid('entitlement_id'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('license_keys_item', t, t.itemId, catalogItems),
      refersTo('license_keys_entitlement', t, t.entitlementId, entitlements),
      check('license_keys_status_known', known(t.status)),
      check('license_keys_assigned', sql`(${t.status} = 'assigned') = (${t.entitlementId} is not null)`),
      uniqueIndex('license_keys_once').on(t.tenantId, t.itemId, t.digest),
      uniqueIndex('license_keys_one_each')
        .on(t.tenantId, t.entitlementId)
        .where(sql`entitlement_id is not null`),
      index('license_keys_available')
        .on(t.tenantId, t.itemId, t.createdAt, t.id)
        .where(sql`status = 'available'`),
      index('license_keys_list').on(t.tenantId, t.createdAt, t.id),
      index('license_keys_list_by_item').on(t.tenantId, t.itemId, t.createdAt, t.id),
      index('license_keys_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)

/** What the buyers of a `file` download: in the bucket, never at a public address. */
export const deliveredFiles = pgTable(
  'delivered_files',
  {
    ...tenantRow,
    itemId: uuid('item_id').notNull(),
    name: text('name').notNull(),
    bytes: integer('bytes').notNull(),
    ...storedFile(deliveredFileLifecycle),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('delivered_files_item', t, t.itemId, catalogItems),
      ...ofStoredFile('delivered_files', t),
      check('delivered_files_bytes_some', sql`${t.bytes} > 0`),
      index('delivered_files_list').on(t.tenantId, t.itemId, t.createdAt, t.id),
    ]
  },
)

/**
 * How often a buyer downloaded a file. A plan inserts one more; a trigger adds it to the existing row, and the CHECK bounds
 * it.
 */
export const entitlementDownloads = pgTable(
  'entitlement_downloads',
  {
    ...tenantRow,
    entitlementId: uuid('entitlement_id').notNull(),
    fileId: uuid('file_id').notNull(),
    /** The entitlement's, which the trigger copies. */
    downloadsMax: integer('downloads_max'),
    downloadsCount: integer('downloads_count').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('entitlement_downloads_entitlement', t, t.entitlementId, entitlements),
      refersTo('entitlement_downloads_file', t, t.fileId, deliveredFiles),
      uniqueIndex('entitlement_downloads_one').on(t.tenantId, t.entitlementId, t.fileId),
      check(
        'entitlement_downloads_bounded',
        sql`${t.downloadsCount} between 1 and coalesce(${t.downloadsMax}, 2147483647)`,
      ),
    ]
  },
)
