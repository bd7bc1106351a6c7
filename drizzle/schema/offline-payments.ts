import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { offlinePaymentLifecycle } from '../../functions/in-person/offline/lifecycle.ts'
import {
  amount,
  changes,
  createdAt,
  instant,
  known,
  minor,
  ownKey,
  refersTo,
  statusOf,
  tenantRow,
} from './columns.ts'
import { declineCodes } from './declines.ts'
import { devices } from './devices.ts'
import { inPersonPayments } from './in-person.ts'
import { booked } from './ledger.ts'
import { locations } from './locations.ts'
import { payments } from './payments.ts'
import { terminalConfigurations } from './terminal-configurations.ts'

/**
 * What a reader was allowed to store without a network: each payment that it stores names one, and is held against it.
 * It ends when the configuration or the pairing changes, or when the reader has forwarded all of it; the next one begins.
 */
export const offlineAllowances = pgTable(
  'offline_allowances',
  {
    ...tenantRow,
    deviceId: uuid('device_id').notNull(),
    pairing: integer('pairing').notNull(),
    locationId: uuid('location_id').notNull(),
    configurationId: uuid('configuration_id').notNull(),
    configurationVersion: integer('configuration_version').notNull(),
    /** The public key by which the reader signs: 65 bytes of a point of P-256, in base64url. */
    signingKey: text('signing_key').notNull(),
    currency: text('currency').notNull(),
    amountMaxMinor: minor('amount_max_minor').notNull(),
    storedAmountMaxMinor: minor('stored_amount_max_minor').notNull(),
    storedHoursMax: integer('stored_hours_max').notNull(),
    /** What was forwarded of it: a trigger counts it. */
    storedMinor: minor('stored_minor').notNull(),
    endedAt: instant('ended_at'),
    /** Of one that has ended: until when what was stored under it is still taken, by our clock. */
    takesUntil: instant('takes_until'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('offline_allowances_device', t, t.deviceId, devices),
      refersTo('offline_allowances_location', t, t.locationId, locations),
      refersTo('offline_allowances_configuration', t, t.configurationId, terminalConfigurations),
      // What a payment says of its device is held against it.
      unique('offline_allowances_device_of').on(t.tenantId, t.id, t.deviceId),
      uniqueIndex('offline_allowances_one').on(t.tenantId, t.deviceId).where(sql`ended_at is null`),
      check('offline_allowances_kept', sql`${t.storedMinor} between 0 and ${t.storedAmountMaxMinor}`),
      check('offline_allowances_ended', sql`(${t.endedAt} is null) = (${t.takesUntil} is null)`),
      check('offline_allowances_key_form', sql`${t.signingKey} ~ '^[A-Za-z0-9_-]{87}$'`),
    ]
  },
)

/** Why what a reader has stored is not taken. Nobody was charged. */
export const offlineRefusals = [
  'allowance_not_found',
  'allowance_ended',
  'signature_invalid',
  'sequence_used',
  'currency_unsupported',
  'tip_above_amount',
  'amount_above_maximum',
  'stored_amount_above_maximum',
  'refused_by_policy',
] as const

/** What a reader has stored and forwarded, once each by the reader’s own name for it. */
export const offlinePayments = pgTable(
  'offline_payments',
  {
    ...tenantRow,
    deviceId: uuid('device_id').notNull(),
    locationId: uuid('location_id').notNull(),
    /** Null where the reader names none of its own. */
    allowanceId: uuid('allowance_id'),
    devicePaymentId: text('device_payment_id').notNull(),
    sequence: integer('sequence').notNull(),
    status: statusOf(offlinePaymentLifecycle),
    refusalCode: text('refusal_code', { enum: offlineRefusals }),
    /** Tip included. */
    ...amount,
    tipMinor: minor('tip_minor').notNull(),
    /** By the reader’s clock: it is shown, and nothing else. */
    takenAt: instant('taken_at').notNull(),
    inPersonPaymentId: uuid('in_person_payment_id'),
    paymentId: uuid('payment_id'),
    /** The version of the payment policy under which it was taken or refused. */
    policyVersion: integer('policy_version').notNull(),
    /** Null while the event of its last status is not published. */
    announcedAt: instant('announced_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('offline_payments_device', t, t.deviceId, devices),
      refersTo('offline_payments_location', t, t.locationId, locations),
      foreignKey({
        name: 'offline_payments_allowance',
        columns: [t.tenantId, t.allowanceId, t.deviceId],
        foreignColumns: [offlineAllowances.tenantId, offlineAllowances.id, offlineAllowances.deviceId],
      }),
      refersTo('offline_payments_in_person_payment', t, t.inPersonPaymentId, inPersonPayments),
      refersTo('offline_payments_payment', t, t.paymentId, payments),
      // However often a reader sends it, it is one. What no key of its own has signed holds no name, and is kept once too.
      uniqueIndex('offline_payments_one').on(
        t.tenantId,
        t.deviceId,
        t.devicePaymentId,
        sql`coalesce(refusal_code in ('signature_invalid', 'allowance_not_found'), false)`,
      ),
      uniqueIndex('offline_payments_sequence')
        .on(t.tenantId, t.allowanceId, t.sequence)
        .where(sql`status <> 'refused'`),
      uniqueIndex('offline_payments_of_payment').on(t.tenantId, t.paymentId),
      uniqueIndex('offline_payments_of_sale').on(t.tenantId, t.inPersonPaymentId),
      check('offline_payments_status_known', known(t.status)),
      check('offline_payments_refusal_known', known(t.refusalCode)),
      check('offline_payments_name_form', sql`${t.devicePaymentId} ~ '^[A-Za-z0-9_-]{8,64}$'`),
      check('offline_payments_sequence_positive', sql`${t.sequence} > 0`),
      check(
        'offline_payments_taken',
        sql`num_nonnulls(${t.allowanceId}, ${t.inPersonPaymentId}, ${t.paymentId}) = 3 and ${t.refusalCode} is null
          and ${t.status} <> 'refused' and ${t.tipMinor} between 0 and ${t.amountMinor} - ${t.tipMinor}
          or ${t.status} = 'refused' and ${t.refusalCode} is not null and num_nonnulls(${t.inPersonPaymentId}, ${t.paymentId}) = 0`,
      ),
      check('offline_payments_amount', sql`${t.amountMinor} > 0 and ${t.tipMinor} >= 0`),
      index('offline_payments_list').on(t.tenantId, t.createdAt, t.id),
      index('offline_payments_list_by_device').on(t.tenantId, t.deviceId, t.createdAt, t.id),
      index('offline_payments_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      // A payment in person has its status from it, until it is paid.
      index('offline_payments_sales_by_status')
        .on(t.tenantId, t.status, t.createdAt, t.inPersonPaymentId)
        .where(sql`payment_id is not null`),
      index('offline_payments_due').on(t.updatedAt).where(sql`announced_at is null`),
    ]
  },
)

/** Why money did not come: what the bank said, or that the processor canceled it. */
export const offlineLossReasons = [...declineCodes, 'canceled'] as const

/** What a merchant has lost: the goods are gone, and the card did not pay. Its id is that of what was stored. */
export const offlineLosses = pgTable(
  'offline_losses',
  {
    ...tenantRow,
    paymentId: uuid('payment_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    locationId: uuid('location_id').notNull(),
    ...amount,
    reason: text('reason', { enum: offlineLossReasons }).notNull(),
    ...createdAt,
    ...booked,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      foreignKey({
        name: 'offline_losses_offline_payment',
        columns: [t.tenantId, t.id],
        foreignColumns: [offlinePayments.tenantId, offlinePayments.id],
      }),
      refersTo('offline_losses_payment', t, t.paymentId, payments),
      refersTo('offline_losses_device', t, t.deviceId, devices),
      refersTo('offline_losses_location', t, t.locationId, locations),
      check('offline_losses_reason_known', known(t.reason)),
      check('offline_losses_amount', sql`${t.amountMinor} > 0`),
      // The report of losses, in its order.
      index('offline_losses_list').on(t.tenantId, t.bookedAt, t.id),
    ]
  },
)
