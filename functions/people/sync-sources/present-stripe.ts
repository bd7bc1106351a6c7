import type { ConnectionRow } from './stripe/store.ts'

/** The Stripe account of a sync source as the interface shows it, without secrets. */
export const presentConnection = (row: ConnectionRow, baseUrl: string) => ({
  object: 'stripe_connection' as const,
  source_id: row.id,
  api_key_last4: row.apiKeyLast4,
  webhook_secret_last4: row.webhookSecretLast4,
  notifications_url: `${baseUrl}/v1/customer-hub/stripe-events/${row.id}`,
  last_event_at: row.lastEventId ? row.lastEventAt!.toISOString() : null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
