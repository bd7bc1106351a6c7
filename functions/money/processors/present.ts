import type { CredentialRow } from './store.ts'

/** An account as its workspace sees it, without secrets. */
export const presentCredential = (row: CredentialRow, baseUrl: string) => ({
  id: row.id,
  object: 'processor_credential' as const,
  processor: row.processor,
  status: row.status,
  account: row.accountRef,
  methods: row.methods,
  secret_key_last4: row.secretKeyLast4,
  publishable_key: row.publishableKey,
  notifications_url: `${baseUrl}/v1/processors/${row.processor}/notifications/${row.tenantId}`,
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
