import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, ownKey, refersTo, tenantRow } from './columns.ts'
import { paymentAttempts } from './payments.ts'

/**
 * Who tried a card on a page, and where. A trigger compares each with those of the last hour
 * (drizzle/sql/059_payments_guard.sql); the sweep deletes it after a day.
 */
export const cardTries = pgTable(
  'card_tries',
  {
    ...tenantRow,
    attemptId: uuid('attempt_id').notNull(),
    originId: uuid('origin_id').notNull(),
    /** Keyed digests of where the buyer is, of the address that they gave, and of what the processor tells of the card. */
    networkDigest: text('network_digest').notNull(),
    contactDigest: text('contact_digest'),
    cardDigest: text('card_digest').notNull(),
    /** The bank is asked to confirm the buyer. */
    isConfirmed: boolean('is_confirmed').notNull(),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('card_tries_attempt', t, t.attemptId, paymentAttempts),
      index('card_tries_of_network').on(t.tenantId, t.networkDigest, t.createdAt),
      index('card_tries_of_contact')
        .on(t.tenantId, t.contactDigest, t.createdAt)
        .where(sql`contact_digest is not null`),
      index('card_tries_swept').on(t.createdAt),
    ]
  },
)
