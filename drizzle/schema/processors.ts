import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { processorCredentialLifecycle } from '../../functions/money/processors/lifecycle.ts'
import { type PageMethod, pageMethods } from '../../src/kernel/payment-methods.ts'
import { changes, instant, known, ownKey, statusOf, tenantRow, words } from './columns.ts'
import { ofTenant } from './tenants.ts'

export const methodStates = ['active', 'pending', 'inactive', 'off'] as const
export type MethodState = (typeof methodStates)[number]
export type MethodStates = Readonly<Record<PageMethod, MethodState | null>>

/** Every method has a state, or null. */
const statesKnown = (states: AnyPgColumn) => {
  const each = pageMethods.map(
    (method) => sql`coalesce(${states}->>${sql.raw(`'${method}'`)}, 'off') in (${words(methodStates)})`,
  )
  const all = sql`array[${words(pageMethods)}]`
  return sql`${states} ?& ${all} and ${states} - ${all} = '{}' and ${sql.join(each, sql` and `)}`
}

/**
 * A merchant's own account at a processor: one row per account, whatever its keys. The active one takes new attempts;
 * its predecessors keep their keys for what they took. Secrets are encrypted under SECRETS_KEYS; no operation returns
 * them.
 */
export const processorCredentials = pgTable(
  'processor_credentials',
  {
    ...tenantRow,
    processor: text('processor', { enum: ['stripe'] }).notNull(),
    /** The processor's own id of the account; null in the sandbox, which has no processor to ask. */
    accountRef: text('account_ref'),
    /** What the account could take when it was last asked, by method; null in the sandbox. */
    methods: jsonb('methods').$type<MethodStates>(),
    /** When the processor is asked again what the account may take: only of the active one, and not in the sandbox. */
    nextCheckAt: instant('next_check_at'),
    status: statusOf(processorCredentialLifecycle),
    secretKey: text('secret_key').notNull(),
    secretKeyLast4: text('secret_key_last4').notNull(),
    webhookSecret: text('webhook_secret').notNull(),
    /** Public: it stands in the page. */
    publishableKey: text('publishable_key').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('processor_credentials', t.tenantId),
      uniqueIndex('processor_credentials_one').on(t.tenantId, t.processor).where(sql`status = 'active'`),
      uniqueIndex('processor_credentials_id').on(t.id),
      uniqueIndex('processor_credentials_account').on(t.tenantId, t.processor, t.accountRef),
      check('processor_credentials_processor_known', known(t.processor)),
      check('processor_credentials_status_known', known(t.status)),
      check(
        'processor_credentials_encrypted',
        sql`${t.secretKey} ~ '^[0-9]+[.][A-Za-z0-9+/=]+$' and ${t.webhookSecret} ~ '^[0-9]+[.][A-Za-z0-9+/=]+$'`,
      ),
      check('processor_credentials_methods_known', statesKnown(t.methods)),
      check('processor_credentials_checked', sql`${t.nextCheckAt} is null or ${t.status} = 'active'`),
      index('processor_credentials_due').on(t.nextCheckAt).where(sql`next_check_at is not null`),
      check('processor_credentials_last4', sql`char_length(${t.secretKeyLast4}) = 4`),
    ]
  },
)

/**
 * The environment's own account at a processor: what it could take when it was last asked. No row, or no methods: not
 * known.
 */
export const environmentAccounts = pgTable(
  'environment_accounts',
  {
    processor: text('processor').primaryKey(),
    methods: jsonb('methods').$type<MethodStates>(),
    /** The publishable key that was found to be of this account. */
    publishableKey: text('publishable_key'),
    nextCheckAt: instant('next_check_at').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [
      check('environment_accounts_methods_known', statesKnown(t.methods)),
      index('environment_accounts_due').on(t.nextCheckAt),
    ]
  },
)

/**
 * A processor's notification: which resource changed, not how. Stored before it is acknowledged; one row per event, so
 * that a repeated one is recognized. Belongs to no tenant until the Worker has read the resource at the processor.
 */
export const processorNotifications = pgTable(
  'processor_notifications',
  {
    processor: text('processor').notNull(),
    /** The merchant's account (processor_credentials) that sent it; empty for the environment's own. */
    account: text('account').notNull(),
    eventId: text('event_id').notNull(),
    kind: text('kind', {
      enum: [
        'attempt',
        'refund',
        'order',
        'deposit',
        'dispute',
        'fraud_warning',
        'processor_refund',
        'payout',
        'presented',
        'asked',
      ],
    }).notNull(),
    reference: text('reference').notNull(),
    receivedAt: instant('received_at').notNull(),
    processedAt: instant('processed_at'),
    triesCount: integer('tries_count').notNull(),
    /** When the Worker tries again; null once it is processed or given up. */
    nextTryAt: instant('next_try_at'),
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.processor, t.account, t.eventId] }),
      check('processor_notifications_kind_known', known(t.kind)),
      check(
        'processor_notifications_bounds',
        sql`char_length(${t.eventId}) <= 255 and char_length(${t.reference}) <= 255`,
      ),
      index('processor_notifications_due').on(t.nextTryAt).where(sql`next_try_at is not null`),
      index('processor_notifications_old').on(t.receivedAt),
    ]
  },
)

/**
 * How far the events of an account were read at its processor: a notification that never arrived is read there. One row
 * per account; `account` as in `processor_notifications`.
 */
export const processorEventReads = pgTable(
  'processor_event_reads',
  {
    processor: text('processor').notNull(),
    account: text('account').notNull(),
    /** The processor's id of the event from which the next reading goes on; null before the first. */
    eventId: text('event_id'),
    nextReadAt: instant('next_read_at').notNull(),
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.processor, t.account] }),
      check('processor_event_reads_bounds', sql`char_length(${t.eventId}) <= 255`),
      index('processor_event_reads_due').on(t.nextReadAt),
    ]
  },
)
