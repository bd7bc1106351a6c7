import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { deviceLifecycle, pairingCodeLifecycle } from '../../functions/in-person/devices/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import { changes, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { locations } from './locations.ts'
import { processorCredentials } from './processors.ts'
import { ofTenant } from './tenants.ts'
import { terminalConfigurations } from './terminal-configurations.ts'

export const deviceKinds = ['reader', 'phone', 'register'] as const

/** What takes payments in person: readers, phones and registers, each at one location. */
export const devices = pgTable(
  'devices',
  {
    ...tenantRow,
    kind: text('kind', { enum: deviceKinds }).notNull(),
    status: statusOf(deviceLifecycle),
    name: text('name').notNull(),
    locationId: uuid('location_id').notNull(),
    /** The configuration that it gets; null: the one that its location names. */
    terminalConfigurationId: uuid('terminal_configuration_id'),
    /** As the device said when it was paired. */
    model: text('model'),
    serialNumber: text('serial_number'),
    softwareVersion: text('software_version'),
    /** Of a reader: the public key by which it signs what it stores without a network, a point of P-256 in base64url. */
    signingKey: text('signing_key'),
    /** How often it was paired: credentials of an earlier time open nothing. */
    pairingsCount: integer('pairings_count').notNull().default(0),
    pairedAt: instant('paired_at'),
    /** Written beside the publishes, without a new version: `door.saw_device`. */
    lastSeenAt: instant('last_seen_at'),
    /** Of a reader that runs its processor's program: the processor's own id of it, and whose account it is registered at. */
    processorRef: text('processor_ref'),
    /** A merchant's own; null: the environment's, or not registered. */
    processorAccountId: uuid('processor_account_id'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('devices', t.tenantId),
      refersTo('devices_location', t, t.locationId, locations),
      refersTo('devices_terminal_configuration', t, t.terminalConfigurationId, terminalConfigurations),
      refersTo('devices_account', t, t.processorAccountId, processorCredentials),
      // One machine is one device, of all workspaces that use its account: the processor's id of it is of one account.
      uniqueIndex('devices_registered').on(t.processorRef).where(sql`processor_ref is not null`),
      check(
        'devices_registration',
        sql`(${t.processorRef} is null or (${t.kind} = 'reader' and ${t.status} = 'paired')) and (${t.processorAccountId} is null or ${t.processorRef} is not null)`,
      ),
      check('devices_processor_ref_length', sql`char_length(${t.processorRef}) between 1 and 80`),
      // What an action says of its device is held against it.
      unique('devices_kind_of').on(t.tenantId, t.id, t.kind),
      uniqueIndex('devices_name')
        .on(t.tenantId, t.locationId, t.kind, sql`lower(${t.name})`)
        .where(sql`status <> 'disabled'`),
      check('devices_kind_known', known(t.kind)),
      check('devices_status_known', known(t.status)),
      check('devices_configured_kinds', sql`${t.kind} <> 'register' or ${t.terminalConfigurationId} is null`),
      check('devices_name_length', sql`char_length(${t.name}) between 1 and 120`),
      check('devices_paired_once', sql`(${t.status} = 'paired') = (${t.pairedAt} is not null)`),
      check('devices_pairings_counted', sql`${t.status} <> 'paired' or ${t.pairingsCount} > 0`),
      check('devices_model_length', sql`char_length(${t.model}) between 1 and 80`),
      check('devices_serial_length', sql`char_length(${t.serialNumber}) between 1 and 80`),
      check('devices_signing_key_form', sql`${t.signingKey} ~ '^[A-Za-z0-9_-]{87}$'`),
      check('devices_software_length', sql`char_length(${t.softwareVersion}) between 1 and 80`),
      index('devices_list').on(t.tenantId, t.kind, t.createdAt, t.id),
      index('devices_list_by_status').on(t.tenantId, t.kind, t.status, t.createdAt, t.id),
      // Of a configuration: which devices get another one with it.
      index('devices_by_configuration')
        .on(t.tenantId, t.terminalConfigurationId)
        .where(sql`terminal_configuration_id is not null`),
      index('devices_list_by_location').on(t.tenantId, t.kind, t.locationId, t.createdAt, t.id),
    ]
  },
)

/** Codes that a person carries to a device, without plaintext: `digest` is HMAC-SHA256(pepper, code). */
export const devicePairingCodes = pgTable(
  'device_pairing_codes',
  {
    ...tenantRow,
    deviceId: uuid('device_id').notNull(),
    status: statusOf(pairingCodeLifecycle),
    /** The first four characters, which find the row. */
    prefix: text('prefix').notNull(),
    digest: text('digest').notNull(),
    pepperVersion: integer('pepper_version').notNull(),
    /** Wrong codes with this prefix: `door.try_pairing` counts them. */
    triesCount: integer('tries_count').notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('device_pairing_codes_device', t, t.deviceId, devices),
      uniqueIndex('device_pairing_codes_prefix').on(t.prefix).where(sql`status = 'active'`),
      index('device_pairing_codes_due').on(t.expiresAt).where(sql`status = 'active'`),
      uniqueIndex('device_pairing_codes_one').on(t.tenantId, t.deviceId).where(sql`status = 'active'`),
      check('device_pairing_codes_status_known', known(t.status)),
      check('device_pairing_codes_prefix_form', sql`${t.prefix} ~ '^[0-9A-Z]{4}$'`),
      check('device_pairing_codes_tries', sql`${t.triesCount} between 0 and 5`),
    ]
  },
)

/** Credentials of devices, without plaintext: `digest` is HMAC-SHA256(pepper, token). */
export const deviceCredentials = pgTable(
  'device_credentials',
  {
    ...tenantRow,
    deviceId: uuid('device_id').notNull(),
    /** Of the device's `pairingsCount`. */
    pairing: integer('pairing').notNull(),
    kid: text('kid').notNull(),
    digest: text('digest').notNull(),
    pepperVersion: integer('pepper_version').notNull(),
    /** Set by a rotation; null for the one that is current. */
    endsAt: instant('ends_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('device_credentials_device', t, t.deviceId, devices),
      uniqueIndex('device_credentials_kid').on(t.kid),
      uniqueIndex('device_credentials_one_current')
        .on(t.tenantId, t.deviceId, t.pairing)
        .where(sql`ends_at is null`),
      check('device_credentials_pairing_positive', sql`${t.pairing} > 0`),
    ]
  },
)

/** What a processor calls the locations where its devices stand. */
export const devicePlaces = pgTable(
  'device_places',
  {
    ...tenantRow,
    locationId: uuid('location_id').notNull(),
    /** At a merchant's own account; null: at the environment's. */
    accountId: uuid('account_id'),
    processorRef: text('processor_ref').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('device_places_location', t, t.locationId, locations),
      refersTo('device_places_account', t, t.accountId, processorCredentials),
      unique('device_places_one').on(t.tenantId, t.locationId, t.accountId).nullsNotDistinct(),
      check('device_places_ref_length', sql`char_length(${t.processorRef}) between 1 and 80`),
    ]
  },
)
