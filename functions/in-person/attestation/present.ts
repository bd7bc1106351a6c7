import type { AppRow, AttestationRow, SettingsRow } from './store.ts'

/** An app of phones as the interface shows it. Nothing of its keys. */
export const presentApp = (row: Omit<AppRow, 'tenantId'>) => ({
  id: row.id,
  object: 'phone_app' as const,
  status: row.status,
  platform: row.platform,
  app: row.app,
  certificate_digests: [...row.certificateDigests],
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

/** Before they were set nothing is required. */
export const presentSettings = (row: Pick<SettingsRow, 'isRequired' | 'updatedAt'> | undefined) => ({
  object: 'attestation_settings' as const,
  required: row?.isRequired ?? false,
  updated_at: row?.updatedAt.toISOString() ?? null,
})

/** A try of a phone as the interface shows it. Nothing of its key. */
export const presentAttestation = (row: AttestationRow) => ({
  id: row.id,
  object: 'phone_attestation' as const,
  device_id: row.deviceId,
  status: row.failure === null ? ('verified' as const) : ('failed' as const),
  failure: row.failure,
  provider: row.provider,
  app: row.app,
  environment: row.environment,
  verified_at: row.failure === null ? row.createdAt.toISOString() : null,
  expires_at: row.expiresAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
})
