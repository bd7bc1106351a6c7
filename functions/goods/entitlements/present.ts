import type { EntitlementRow, FileRow, KeyRow } from './store.ts'

const timesOf = (row: { readonly version: number; readonly createdAt: Date; readonly updatedAt: Date }) => ({
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

/** An entitlement as the interface shows it: never its key or code. */
export const presentEntitlement = (row: EntitlementRow) => ({
  id: row.id,
  object: 'entitlement' as const,
  status: row.status,
  item_id: row.itemId,
  payment_id: row.paymentId,
  checkout_session_id: row.checkoutSessionId,
  kind: row.kind,
  number: row.number,
  code_last4: row.codeLast4,
  downloads_max: row.downloadsMax,
  downloads_count: row.downloadsCount,
  expires_at: row.expiresAt?.toISOString() ?? null,
  revocation_policy: row.revocationPolicy,
  ready_at: row.readyAt?.toISOString() ?? null,
  redeemed_at: row.redeemedAt?.toISOString() ?? null,
  revoked_at: row.revokedAt?.toISOString() ?? null,
  revoked_because: row.revokedBecause,
  ...timesOf(row),
})

/** A license key as the interface shows it: never the key itself. */
export const presentKey = (row: KeyRow) => ({
  id: row.id,
  object: 'license_key' as const,
  item_id: row.itemId,
  status: row.status,
  last4: row.last4,
  entitlement_id: row.entitlementId,
  ...timesOf(row),
})

/** A file that buyers download, as the interface shows it. */
export const presentFile = (row: FileRow) => ({
  id: row.id,
  object: 'delivered_file' as const,
  item_id: row.itemId,
  status: row.status === 'stored' ? ('stored' as const) : ('removed' as const),
  name: row.name,
  bytes: row.bytes,
  ...timesOf(row),
})
