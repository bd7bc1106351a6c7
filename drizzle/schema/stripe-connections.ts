import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { changes, instant, ownKey, refersTo, tenantRow } from './columns.ts'
import { syncSources } from './sync.ts'

/**
 * The Stripe account of a sync source, whose id this row has. Secrets are encrypted under SECRETS_KEYS; no operation
 * returns them, and a trigger deletes them when the source is disconnected.
 */
export const stripeConnections = pgTable(
  'stripe_connections',
  {
    ...tenantRow,
    apiKey: text('api_key'),
    apiKeyLast4: text('api_key_last4').notNull(),
    webhookSecret: text('webhook_secret'),
    webhookSecretLast4: text('webhook_secret_last4'),
    /** The last event that was read; empty where the account had none, null before the first reading. */
    lastEventId: text('last_event_id'),
    /** The time that it counts with: later than those of all events before it. */
    lastEventAt: instant('last_event_at'),
    /** When events are read again; null while the source is not active. */
    nextCheckAt: instant('next_check_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('stripe_connections_source', t, t.id, syncSources),
      uniqueIndex('stripe_connections_id').on(t.id),
      index('stripe_connections_due').on(t.nextCheckAt).where(sql`next_check_at is not null`),
      check(
        'stripe_connections_encrypted',
        sql`coalesce(${t.apiKey}, '0.A') ~ '^[0-9]+[.][A-Za-z0-9+/=]+$' and coalesce(${t.webhookSecret}, '0.A') ~ '^[0-9]+[.][A-Za-z0-9+/=]+$'`,
      ),
      check(
        'stripe_connections_last4',
        sql`char_length(${t.apiKeyLast4}) = 4 and char_length(${t.webhookSecretLast4}) = 4`,
      ),
      check('stripe_connections_read', sql`(${t.lastEventId} is null) = (${t.lastEventAt} is null)`),
    ]
  },
)
