import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  connectionTokenLifecycle,
  tapSessionLifecycle,
} from '../../functions/in-person/tap-to-pay/lifecycle.ts'
import { readerActionLifecycle } from '../../functions/in-person/terminal/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import {
  amount,
  changes,
  instant,
  known,
  minor,
  ownKey,
  refersTo,
  statusOf,
  tenantRow,
  words,
} from './columns.ts'
import { declineCodes, deviceFailures } from './declines.ts'
import { devices } from './devices.ts'
import { locations } from './locations.ts'
import { governed, governedBy } from './payment-policies.ts'
import { payments } from './payments.ts'
import { processorCredentials } from './processors.ts'
import { waiters } from './table-pay.ts'

/** The day of an instant in Mexico City. */
export const mexicoCityDay = (at: PgColumn) => sql`((${at} at time zone 'America/Mexico_City')::date)`

/** What a device was asked to take, tip included. Its payment says whether money came, and has the lines and the tip. */
export const inPersonPayments = pgTable(
  'in_person_payments',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    ...amount,
    /** 1: paid at once. */
    installmentMonths: integer('installment_months').notNull(),
    description: text('description'),
    clientReferenceId: text('client_reference_id'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    /** To whom its tip is owed. */
    waiterId: uuid('waiter_id'),
    /** As of everything that is sold. It stays: what a reader was asked to take does not change. */
    termsVersion: integer('terms_version').notNull().default(1),
    ...governed,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      uniqueIndex('in_person_payments_public_id').on(t.publicId),
      refersTo('in_person_payments_device', t, t.deviceId, devices),
      refersTo('in_person_payments_waiter', t, t.waiterId, waiters),
      ...governedBy('in_person_payments', t),
      check('in_person_payments_public_id_form', sql`${t.publicId} ~ '^sinp_[a-z0-9]{32}$'`),
      check('in_person_payments_amount', sql`${t.amountMinor} between 1 and 999999999999`),
      check('in_person_payments_currency_form', sql`${t.currency} ~ '^[a-z]{3}$'`),
      check('in_person_payments_tips_in_pesos', sql`${t.waiterId} is null or ${t.currency} = 'mxn'`),
      check('in_person_payments_months', sql`${t.installmentMonths} between 1 and 60`),
      index('in_person_payments_list').on(t.tenantId, t.createdAt, t.id),
      index('in_person_payments_list_by_device').on(t.tenantId, t.deviceId, t.createdAt, t.id),
      index('in_person_payments_list_by_location').on(t.tenantId, t.locationId, t.createdAt, t.id),
      // A till that has lost an answer asks again by its own name for the sale, and gets the first result.
      uniqueIndex('in_person_payments_reference')
        .on(t.tenantId, t.deviceId, t.clientReferenceId, mexicoCityDay(t.createdAt))
        .where(sql`client_reference_id is not null`),
      index('in_person_payments_list_by_reference')
        .on(t.tenantId, t.clientReferenceId, t.createdAt, t.id)
        .where(sql`client_reference_id is not null`),
    ]
  },
)

/** Which tips a device offers, on what, in minor units as text. A preset without `bps` is an amount. */
export interface TipOffers {
  amount: string
  currency: string
  presets: readonly { bps: number | null; amount: string }[]
  allows_other: boolean
  allows_none: boolean
}

/** What a reader shows: lines with what they come to, in minor units as text. */
export interface Cart {
  line_items: readonly { name: string; quantity: number; amount_total: string }[]
  amount: string
  amount_tip: string
  currency: string
}

/** What a buyer is asked for. Only a selection has choices. */
export interface Input {
  type: 'email' | 'phone' | 'numeric' | 'text' | 'selection'
  title: string
  description: string | null
  required: boolean
  choices: readonly { id: string; text: string }[] | null
}

export const paperWidths = ['80mm', '58mm'] as const
export const receiptLocales = ['es-MX', 'en'] as const

/** What a reader is asked to do, one at a time. */
export const readerActions = pgTable(
  'reader_actions',
  {
    ...tenantRow,
    readerId: uuid('reader_id').notNull(),
    deviceKind: text('device_kind', { enum: ['reader', 'phone'] }).notNull(),
    /** Of the reader's `pairingsCount`: a later pairing does not see it. */
    pairing: integer('pairing').notNull(),
    type: text('type', {
      enum: ['process_payment', 'collect_tip', 'collect_input', 'display', 'print', 'ping'],
    }).notNull(),
    status: statusOf(readerActionLifecycle),
    /** What is taken, or whose receipt is printed. */
    inPersonPaymentId: uuid('in_person_payment_id'),
    paymentId: uuid('payment_id'),
    /** Of a payment: the action by which its buyer chose the tip. */
    tipActionId: uuid('tip_action_id'),
    /** Of `collect_tip`: what is offered, and what its buyer chose. No money moves by it. */
    offers: jsonb('offers').$type<TipOffers>(),
    chosen: text('chosen', { enum: ['preset', 'other', 'none'] }),
    tipMinor: minor('tip_minor'),
    /** Of `collect_input`: what is asked, and for a day what its buyer gave; of each input null: skipped. */
    inputs: jsonb('inputs').$type<readonly Input[]>(),
    answers: jsonb('answers').$type<readonly (string | null)[]>(),
    /** Of `display`; null: the screen is cleared. */
    cart: jsonb('cart').$type<Cart>(),
    /** Of `print`. */
    paper: text('paper', { enum: paperWidths }),
    locale: text('locale', { enum: receiptLocales }),
    /** Of a phone: the session in which it takes cards. */
    sessionId: uuid('session_id'),
    failureCode: text('failure_code', { enum: [...declineCodes, ...deviceFailures] }),
    /** What the reader said of its progress, and of its end. Neither moves money. */
    step: text('step', { enum: ['received', 'waiting_for_card', 'reading_card'] }),
    reportedAs: text('reported_as', { enum: ['completed', 'failed'] }),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    answersUntil: instant('answers_until'),
    /** Null while the event of its last status is not published. */
    announcedAt: instant('announced_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      foreignKey({
        name: 'reader_actions_reader',
        columns: [t.tenantId, t.readerId, t.deviceKind],
        foreignColumns: [devices.tenantId, devices.id, devices.kind],
      }),
      refersTo('reader_actions_in_person_payment', t, t.inPersonPaymentId, inPersonPayments),
      refersTo('reader_actions_payment', t, t.paymentId, payments),
      refersTo('reader_actions_session', t, t.sessionId, tapSessions),
      foreignKey({
        name: 'reader_actions_tip_action',
        columns: [t.tenantId, t.tipActionId],
        foreignColumns: [t.tenantId, t.id],
      }),
      // What a buyer has chosen is charged once.
      uniqueIndex('reader_actions_tip_once')
        .on(t.tenantId, t.tipActionId)
        .where(sql`tip_action_id is not null`),
      uniqueIndex('reader_actions_one').on(t.tenantId, t.readerId).where(sql`status = 'in_progress'`),
      uniqueIndex('reader_actions_of_payment').on(t.tenantId, t.paymentId),
      // Found by what a processor's notification names.
      uniqueIndex('reader_actions_reference')
        .on(t.id)
        .where(sql`status = 'in_progress' and payment_id is null`),
      check('reader_actions_type_known', known(t.type)),
      check('reader_actions_kind_known', known(t.deviceKind)),
      check(
        'reader_actions_of_type',
        sql`(${t.paymentId} is not null) = (${t.type} = 'process_payment')
          and (${t.inPersonPaymentId} is not null) = (${t.type} in ('process_payment', 'print'))
          and (${t.offers} is not null) = (${t.type} = 'collect_tip')
          and (${t.inputs} is not null) = (${t.type} = 'collect_input') and (${t.inputs} is null or jsonb_array_length(${t.inputs}) between 1 and 5)
          and num_nonnulls(${t.paper}, ${t.locale}) = case ${t.type} when 'print' then 2 else 0 end
          and (${t.cart} is null or (${t.type} = 'display' and jsonb_array_length(${t.cart}->'line_items') between 1 and 50))
          and (${t.tipActionId} is null or ${t.type} = 'process_payment')`,
      ),
      check(
        'reader_actions_of_readers',
        sql`${t.deviceKind} = 'reader' or ${t.type} in ('process_payment', 'collect_tip')`,
      ),
      // What is done at the device alone is done in time, and its end is known.
      check(
        'reader_actions_at_device',
        sql`${t.type} = 'process_payment' or (${t.status} <> 'unknown' and (${t.status} <> 'succeeded' or ${t.endedAt} <= ${t.expiresAt}))`,
      ),
      check(
        'reader_actions_chosen',
        sql`num_nonnulls(${t.chosen}, ${t.tipMinor}) = case when ${t.type} = 'collect_tip' and ${t.status} = 'succeeded' then 2 else 0 end`,
      ),
      // One of what was offered.
      check(
        'reader_actions_offered',
        sql`${t.chosen} is null or (${t.tipMinor} between 0 and (${t.offers}->>'amount')::bigint and case ${t.chosen}
          when 'preset' then ${t.offers} @> jsonb_build_object('presets', jsonb_build_array(jsonb_build_object('amount', ${t.tipMinor}::text)))
          when 'other' then ${t.offers} @> '{"allows_other": true}' and ${t.tipMinor} > 0
          when 'none' then ${t.offers} @> '{"allows_none": true}' and ${t.tipMinor} = 0 end) is true`,
      ),
      check('reader_actions_chosen_known', known(t.chosen)),
      // One for each input, until the sweep deletes them at their time.
      check(
        'reader_actions_answers',
        sql`(${t.answersUntil} is not null) = (${t.type} = 'collect_input' and ${t.status} = 'succeeded')
          and ${t.answersUntil} <= ${t.endedAt} + interval '24 hours'
          and case when ${t.answers} is not null then ${t.answersUntil} is not null and jsonb_array_length(${t.answers}) = jsonb_array_length(${t.inputs})
            else ${t.answersUntil} is null or ${t.updatedAt} >= ${t.answersUntil} end`,
      ),
      check('reader_actions_paper_known', known(t.paper)),
      check('reader_actions_locale_known', known(t.locale)),
      check('reader_actions_phone', sql`(${t.deviceKind} = 'phone') = (${t.sessionId} is not null)`),
      check('reader_actions_status_known', known(t.status)),
      check('reader_actions_step_known', known(t.step)),
      check('reader_actions_reported_known', known(t.reportedAs)),
      check('reader_actions_pairing_positive', sql`${t.pairing} > 0`),
      check('reader_actions_failure_known', known(t.failureCode)),
      // Where a reader did not take a payment, no bank has declined it: the action is canceled.
      check(
        'reader_actions_failed',
        sql`${t.failureCode} is null or ${t.status} = case when ${t.paymentId} is not null and ${t.failureCode} in (${words(deviceFailures)}) then 'canceled' else 'failed' end`,
      ),
      check(
        'reader_actions_ended',
        sql`(${t.endedAt} is null) = (${t.status} in ('in_progress', 'unknown'))`,
      ),
      check('reader_actions_deadline', sql`${t.expiresAt} <= ${t.createdAt} + interval '5 minutes'`),
      index('reader_actions_list').on(t.tenantId, t.createdAt, t.id),
      index('reader_actions_list_by_reader').on(t.tenantId, t.readerId, t.createdAt, t.id),
      index('reader_actions_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      // Most are payments, which the list itself finds.
      index('reader_actions_list_by_type')
        .on(t.tenantId, t.type, t.createdAt, t.id)
        .where(sql`type <> 'process_payment'`),
      // A payment in person has most of its statuses from its action.
      index('reader_actions_sales_by_status')
        .on(t.tenantId, t.status, t.createdAt, t.inPersonPaymentId)
        .where(sql`payment_id is not null`),
      index('reader_actions_answers_due').on(t.answersUntil).where(sql`answers is not null`),
      index('reader_actions_due').on(t.expiresAt).where(sql`status = 'in_progress' or announced_at is null`),
    ]
  },
)

/** Secrets that phones redeem, without plaintext: `digest` is the SHA-256 of 256 random bits. */
export const connectionTokens = pgTable(
  'connection_tokens',
  {
    ...tenantRow,
    deviceId: uuid('device_id').notNull(),
    locationId: uuid('location_id').notNull(),
    /** Of the device's `pairingsCount`: a later pairing redeems none of it. */
    pairing: integer('pairing').notNull(),
    status: statusOf(connectionTokenLifecycle),
    digest: text('digest').notNull(),
    expiresAt: instant('expires_at').notNull(),
    redeemedAt: instant('redeemed_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('connection_tokens_device', t, t.deviceId, devices),
      refersTo('connection_tokens_location', t, t.locationId, locations),
      uniqueIndex('connection_tokens_digest').on(t.digest),
      uniqueIndex('connection_tokens_one').on(t.tenantId, t.deviceId).where(sql`status = 'issued'`),
      check('connection_tokens_status_known', known(t.status)),
      check('connection_tokens_pairing_positive', sql`${t.pairing} > 0`),
      check('connection_tokens_digest_form', sql`${t.digest} ~ '^[0-9a-f]{64}$'`),
      check('connection_tokens_redeemed', sql`(${t.status} = 'redeemed') = (${t.redeemedAt} is not null)`),
      check('connection_tokens_in_time', sql`${t.redeemedAt} < ${t.expiresAt}`),
    ]
  },
)

/** When a phone takes cards: each is opened by a connection token that it redeemed. */
export const tapSessions = pgTable(
  'tap_sessions',
  {
    ...tenantRow,
    deviceId: uuid('device_id').notNull(),
    locationId: uuid('location_id').notNull(),
    /** Of the device's `pairingsCount`: it ends with its pairing. */
    pairing: integer('pairing').notNull(),
    connectionTokenId: uuid('connection_token_id').notNull(),
    /** At which account the processor's program on the phone is connected: a merchant's own; null: the environment's, or none. */
    accountId: uuid('account_id'),
    status: statusOf(tapSessionLifecycle),
    /** Nothing is taken in it afterwards, whatever its status. */
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('tap_sessions_device', t, t.deviceId, devices),
      refersTo('tap_sessions_location', t, t.locationId, locations),
      refersTo('tap_sessions_connection_token', t, t.connectionTokenId, connectionTokens),
      refersTo('tap_sessions_account', t, t.accountId, processorCredentials),
      uniqueIndex('tap_sessions_one').on(t.tenantId, t.deviceId).where(sql`status = 'open'`),
      uniqueIndex('tap_sessions_of_token').on(t.tenantId, t.connectionTokenId),
      check('tap_sessions_status_known', known(t.status)),
      check('tap_sessions_pairing_positive', sql`${t.pairing} > 0`),
      check('tap_sessions_ended', sql`(${t.status} = 'ended') = (${t.endedAt} is not null)`),
      check('tap_sessions_time', sql`${t.expiresAt} <= ${t.createdAt} + interval '12 hours'`),
      index('tap_sessions_list').on(t.tenantId, t.createdAt, t.id),
      index('tap_sessions_list_by_device').on(t.tenantId, t.deviceId, t.createdAt, t.id),
    ]
  },
)
