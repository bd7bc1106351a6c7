import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  type PgTableExtraConfigValue,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { challengeLifecycle } from '../../functions/in-person/attestation/lifecycle.ts'
import { deviceLifecycle, pairingCodeLifecycle } from '../../functions/in-person/devices/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import { changes, createdAt, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { locations } from './locations.ts'
import { processorCredentials } from './processors.ts'
import { ofTenant } from './tenants.ts'
import { terminalConfigurations } from './terminal-configurations.ts'

export const deviceKinds = ['reader', 'phone', 'register'] as const

export const attestationProviders = ['app_attest', 'play_integrity', 'sandbox'] as const
export type AttestationProvider = (typeof attestationProviders)[number]

/** For what the app on a phone was built. */
const attestedEnvironments = ['production', 'development'] as const

/** Why a phone was not verified. */
export const attestationFailures = [
  'malformed',
  'wrong_nonce',
  'untrusted_chain',
  'expired_certificate',
  'wrong_signature',
  'wrong_key',
  'wrong_app',
  'wrong_certificate',
  'wrong_counter',
  'wrong_environment',
  'unrecognized_app',
  'unverified_device',
  'too_old',
] as const
export type AttestationFailure = (typeof attestationFailures)[number]

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
    /** Of a phone that is paired: the attestation that stands, and what is shown of it. */
    attestationId: uuid('attestation_id'),
    attestedBy: text('attested_by', { enum: attestationProviders }),
    attestedApp: text('attested_app'),
    attestedEnvironment: text('attested_environment', { enum: attestedEnvironments }),
    attestedAt: instant('attested_at'),
    /** A sandbox's clock moves it, so that it may come before the end that its attestation has. */
    attestedUntil: instant('attested_until'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    ...changes,
  },
  // It and its attestations refer to each other: no type is inferred from this.
  (t): PgTableExtraConfigValue[] => {
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
      // A copy of its attestation, which is one of this pairing. One that failed has no environment.
      foreignKey({
        name: 'devices_attestation',
        columns: [
          t.tenantId,
          t.attestationId,
          t.id,
          t.pairingsCount,
          t.attestedBy,
          t.attestedApp,
          t.attestedEnvironment,
          t.attestedAt,
        ],
        foreignColumns: [
          phoneAttestations.tenantId,
          phoneAttestations.id,
          phoneAttestations.deviceId,
          phoneAttestations.pairing,
          phoneAttestations.provider,
          phoneAttestations.app,
          phoneAttestations.environment,
          phoneAttestations.createdAt,
        ],
      }),
      check(
        'devices_attested',
        sql`num_nonnulls(${t.attestationId}, ${t.attestedBy}, ${t.attestedApp}, ${t.attestedEnvironment}, ${t.attestedAt}, ${t.attestedUntil}) in (0, 6)
          and ${t.attestedUntil} <= ${t.attestedAt} + interval '720 hours'
          and (${t.attestationId} is null or (${t.kind} = 'phone' and ${t.status} = 'paired'))`,
      ),
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

/** What phones sign to be attested, without plaintext: `digest` is the SHA-256 of 256 random bits. Each is used once. */
export const attestationChallenges = pgTable(
  'attestation_challenges',
  {
    ...tenantRow,
    deviceId: uuid('device_id').notNull(),
    /** Of the device's `pairingsCount`: a later pairing uses none of it. */
    pairing: integer('pairing').notNull(),
    status: statusOf(challengeLifecycle),
    digest: text('digest').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('attestation_challenges_device', t, t.deviceId, devices),
      unique('attestation_challenges_used_by').on(t.tenantId, t.id, t.deviceId, t.pairing, t.usedAt),
      uniqueIndex('attestation_challenges_digest').on(t.digest),
      uniqueIndex('attestation_challenges_one').on(t.tenantId, t.deviceId).where(sql`status = 'issued'`),
      check('attestation_challenges_status_known', known(t.status)),
      check('attestation_challenges_pairing_positive', sql`${t.pairing} > 0`),
      check('attestation_challenges_digest_form', sql`${t.digest} ~ '^[0-9a-f]{64}$'`),
      check('attestation_challenges_used', sql`(${t.status} = 'used') = (${t.usedAt} is not null)`),
      check('attestation_challenges_in_time', sql`${t.usedAt} < ${t.expiresAt}`),
    ]
  },
)

/** Each try of a phone to prove itself, verified or failed. Append-only: what stands is in the device. */
export const phoneAttestations = pgTable(
  'phone_attestations',
  {
    ...tenantRow,
    deviceId: uuid('device_id').notNull(),
    pairing: integer('pairing').notNull(),
    /** The challenge that this try has used up, at the time of its row. */
    challengeId: uuid('challenge_id').notNull(),
    provider: text('provider', { enum: attestationProviders }).notNull(),
    app: text('app').notNull(),
    /** Null: it was verified. */
    failure: text('failure', { enum: attestationFailures }),
    environment: text('environment', { enum: attestedEnvironments }),
    /** A point of P-256 in base64url, and its SHA-256; null where the platform has no key for it. */
    publicKey: text('public_key'),
    keyDigest: text('key_digest'),
    /** How often that key has signed, of App Attest. */
    signCount: integer('sign_count'),
    expiresAt: instant('expires_at'),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('phone_attestations_device', t, t.deviceId, devices),
      foreignKey({
        name: 'phone_attestations_challenge',
        columns: [t.tenantId, t.challengeId, t.deviceId, t.pairing, t.createdAt],
        foreignColumns: [
          attestationChallenges.tenantId,
          attestationChallenges.id,
          attestationChallenges.deviceId,
          attestationChallenges.pairing,
          attestationChallenges.usedAt,
        ],
      }),
      uniqueIndex('phone_attestations_one').on(t.tenantId, t.challengeId),
      // What a device shows of it.
      unique('phone_attestations_shown').on(
        t.tenantId,
        t.id,
        t.deviceId,
        t.pairing,
        t.provider,
        t.app,
        t.environment,
        t.createdAt,
      ),
      check('phone_attestations_provider_known', known(t.provider)),
      check('phone_attestations_failure_known', known(t.failure)),
      check('phone_attestations_environment_known', known(t.environment)),
      check('phone_attestations_app_length', sql`char_length(${t.app}) between 1 and 255`),
      check(
        'phone_attestations_verified',
        sql`num_nonnulls(${t.environment}, ${t.expiresAt}) = case when ${t.failure} is null then 2 else 0 end`,
      ),
      check(
        'phone_attestations_key',
        sql`case when ${t.failure} is not null or ${t.provider} = 'play_integrity' then num_nonnulls(${t.publicKey}, ${t.keyDigest}) = 0
          else ${t.publicKey} ~ '^[A-Za-z0-9_-]{87}$' and ${t.keyDigest} ~ '^[0-9a-f]{64}$' end is true`,
      ),
      check(
        'phone_attestations_counted',
        sql`(${t.signCount} is not null) = (${t.failure} is null and ${t.provider} = 'app_attest') and coalesce(${t.signCount}, 0) >= 0`,
      ),
      // In hours: a day of a session's time zone may have 23 of them.
      check('phone_attestations_time', sql`${t.expiresAt} <= ${t.createdAt} + interval '720 hours'`),
      // How often a phone has tried of late.
      index('phone_attestations_tries').on(t.tenantId, t.deviceId, t.createdAt),
      // The keys of a phone, and how often each has signed.
      index('phone_attestations_of_key')
        .on(t.tenantId, t.deviceId, t.keyDigest, t.signCount)
        .where(sql`sign_count is not null`),
    ]
  },
)
