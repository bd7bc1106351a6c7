import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, ownKey, tenantRow } from './columns.ts'
import { paymentAttempts } from './payments.ts'

/**
 * Where a card was tried, on a page or by a merchant's own server, under the id of its attempt. A trigger compares each with those before it
 * (drizzle/sql/059_payments_guard.sql); the sweep deletes it after a day.
 */
export const cardTries = pgTable(
  'card_tries',
  {
    ...tenantRow,
    originId: uuid('origin_id').notNull(),
    /** Keyed digests of where the buyer is, of the address that they gave, and of what the processor tells of the card. */
    networkDigest: text('network_digest').notNull(),
    contactDigest: text('contact_digest'),
    cardDigest: text('card_digest').notNull(),
    /** The bank is asked to confirm the buyer. */
    isConfirmed: boolean('is_confirmed').notNull(),
    /** Turnstile took the buyer for a person: persons and programs are counted apart. */
    isPerson: boolean('is_person').notNull().default(false),
    /** The merchant's own server tried it: where the buyer is, is what it says. */
    isServer: boolean('is_server').notNull().default(false),
    /** A rule or list of the workspace blocks it: the processor is not asked. */
    isBlocked: boolean('is_blocked').notNull().default(false),
    /** The attempt ended unpaid: a trigger says so. */
    hasFailed: boolean('has_failed').notNull().default(false),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      foreignKey({
        name: 'card_tries_attempt',
        columns: [t.tenantId, t.id],
        foreignColumns: [paymentAttempts.tenantId, paymentAttempts.id],
      }),
      index('card_tries_of_network').on(t.tenantId, t.networkDigest, t.createdAt),
      index('card_tries_failed').on(t.tenantId, t.networkDigest, t.createdAt).where(sql`has_failed`),
      index('card_tries_failed_at_sale').on(t.tenantId, t.originId, t.createdAt).where(sql`has_failed`),
      index('card_tries_confirmed')
        .on(t.tenantId, t.networkDigest, t.originId, t.createdAt)
        .where(sql`is_confirmed`),
      index('card_tries_of_contact')
        .on(t.tenantId, t.contactDigest, t.createdAt)
        .where(sql`contact_digest is not null`),
      index('card_tries_of_card').on(t.tenantId, t.cardDigest, t.createdAt),
      index('card_tries_swept').on(t.createdAt),
    ]
  },
)
