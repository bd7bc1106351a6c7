import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { accountMailKinds, mailPages } from '../../src/generated/mail-kinds.ts'
import { sessionToken } from './session-token.ts'

/*
 * The identity database, one for both environments. The first six tables are better-auth's own: their property
 * names are the library's, their column names ours. The library has no tables like the others.
 */

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const created = { createdAt: instant('created_at').notNull().defaultNow() }
const updated = { updatedAt: instant('updated_at').notNull().defaultNow() }

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    /** The language of mails to the person. */
    locale: text('locale', { enum: ['es-MX', 'en'] })
      .notNull()
      .default('es-MX'),
    twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
    /** Until then a password set by mail removes second factors: a mail alone confirmed the address. */
    unprovedUntil: instant('unproved_until'),
    ...created,
    ...updated,
  },
  (t) => {
    CONSTRAINTS: return [
      uniqueIndex('users_email').on(t.email),
      check('users_email_lower_case', sql`${t.email} = lower(${t.email})`),
      check('users_email_length', sql`char_length(${t.email}) between 3 and 254`),
      check('users_locale_known', sql`${t.locale} in ('es-MX', 'en')`),
      check('users_name_length', sql`char_length(${t.name}) between 1 and 120`),
    ]
  },
)

const userId = () =>
  text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: userId(),
    /** SHA-256 of the token, in hex. The library calls it `token`; the plaintext is never stored. */
    token: sessionToken('token_digest').notNull(),
    expiresAt: instant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** When this session last showed a second factor. */
    factorVerifiedAt: instant('factor_verified_at'),
    /** The version of AUTH_SECRETS that its token is signed with. */
    secretVersion: integer('secret_version').notNull().default(1),
    ...created,
    ...updated,
  },
  (t) => {
    CONSTRAINTS: return [
      uniqueIndex('sessions_token_digest').on(t.token),
      check('sessions_token_is_a_digest', sql`${t.token} ~ '^[0-9a-f]{64}$'`),
      index('sessions_by_user').on(t.userId),
      index('sessions_by_expiry').on(t.expiresAt),
    ]
  },
)

export const accounts = pgTable(
  'accounts',
  {
    id: text('id').primaryKey(),
    userId: userId(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    /** scrypt, `salt:key` in hex. */
    password: text('password'),
    ...created,
    ...updated,
  },
  (t) => {
    CONSTRAINTS: return [
      uniqueIndex('accounts_provider_account').on(t.providerId, t.accountId),
      uniqueIndex('accounts_user_provider').on(t.userId, t.providerId),
      check('accounts_only_passwords', sql`${t.providerId} = 'credential'`),
      check('accounts_password_is_hashed', sql`${t.password} ~ '^[0-9a-f]{32}:[0-9a-f]{128}$'`),
      check(
        'accounts_no_foreign_tokens',
        sql`${t.accessToken} is null and ${t.refreshToken} is null and ${t.idToken} is null`,
      ),
    ]
  },
)

/** Challenges under way: the second step of a sign-in, a passkey ceremony. */
export const verifications = pgTable(
  'verifications',
  {
    id: text('id').primaryKey(),
    /** SHA-256 of what the client holds, base64url. */
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    ...created,
    ...updated,
  },
  (t) => {
    CONSTRAINTS: return [
      index('verifications_identifier').on(t.identifier, t.createdAt),
      index('verifications_by_expiry').on(t.expiresAt),
    ]
  },
)

export const twoFactors = pgTable(
  'two_factors',
  {
    id: text('id').primaryKey(),
    userId: userId(),
    /** Encrypted with AUTH_SECRETS (XChaCha20-Poly1305, hex, with the version before it). */
    secret: text('secret').notNull(),
    /** A JSON array of the codes left, encrypted the same way. */
    backupCodes: text('backup_codes').notNull(),
    verified: boolean('verified').notNull().default(false),
    failedVerificationCount: integer('failed_verification_count').notNull().default(0),
    lockedUntil: instant('locked_until'),
  },
  (t) => {
    CONSTRAINTS: return [
      uniqueIndex('two_factors_user').on(t.userId),
      check('two_factors_secret_is_encrypted', sql`${t.secret} ~ '^[$]ba[$][0-9]+[$][0-9a-f]{144,}$'`),
      check('two_factors_codes_are_encrypted', sql`${t.backupCodes} ~ '^[$]ba[$][0-9]+[$][0-9a-f]{84,}$'`),
    ]
  },
)

export const passkeys = pgTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    userId: userId(),
    name: text('name'),
    /** COSE public key, base64. */
    publicKey: text('public_key').notNull(),
    credentialID: text('credential_id').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports'),
    createdAt: instant('created_at').defaultNow(),
    aaguid: text('aaguid'),
  },
  (t) => {
    CONSTRAINTS: return [
      uniqueIndex('passkeys_credential').on(t.credentialID),
      index('passkeys_by_user').on(t.userId),
      check('passkeys_counter_range', sql`${t.counter} between 0 and 4294967295`),
      check('passkeys_name_length', sql`char_length(${t.name}) between 1 and 120`),
    ]
  },
)

/** Time steps whose code was accepted: the primary key makes a code work only once across all Workers. */
export const totpUses = pgTable(
  'totp_uses',
  { userId: userId(), timeStep: bigint('time_step', { mode: 'number' }).notNull() },
  (t) => {
    CONSTRAINTS: return [primaryKey({ columns: [t.userId, t.timeStep] })]
  },
)

/** Second-factor attempts of an account since its last success. At most one row per account. */
export const secondFactorFailures = pgTable(
  'second_factor_failures',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    failures: integer('failures').notNull(),
    windowStartedAt: instant('window_started_at').notNull(),
    lockedUntil: instant('locked_until'),
  },
  (t) => {
    CONSTRAINTS: return [
      check('second_factor_failures_counted', sql`${t.failures} between 1 and 5`),
      check('second_factor_failures_lock_at_five', sql`(${t.failures} = 5) = (${t.lockedUntil} is not null)`),
    ]
  },
)

/**
 * Password attempts for an account, by network. A row with the network '' counts those from networks that have not
 * signed in to it lately. admit_password counts and limits them.
 */
export const passwordAttempts = pgTable(
  'password_attempts',
  {
    /** SHA-256 of the e-mail address: one without an account is counted too. */
    account: text('account').notNull(),
    network: text('network').notNull(),
    /** Since the window began and this network last sent the right password. */
    attempts: integer('attempts').notNull().default(0),
    windowStartedAt: instant('window_started_at').notNull().defaultNow(),
    /** When the latest was admitted. */
    admittedAt: instant('admitted_at'),
    /** When this network last sent the right password. */
    provedAt: instant('proved_at'),
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.account, t.network] }),
      index('password_attempts_by_window').on(t.windowStartedAt),
      check('password_attempts_account_is_a_digest', sql`${t.account} ~ '^[0-9a-f]{64}$'`),
      check('password_attempts_network_length', sql`char_length(${t.network}) <= 64`),
      check('password_attempts_counted', sql`${t.attempts} >= 0`),
    ]
  },
)

const isOf = (column: AnyPgColumn, kinds: readonly string[]) =>
  sql`${column} in (${sql.raw(kinds.map((kind) => `'${kind}'`).join(', '))})`

/**
 * Mails to people, written in the transaction of what causes them and sent by functions/account/mails. The address is read from
 * the account when a mail is sent, and the token of a link is derived from its id then: a row holds neither.
 */
export const mails = pgTable(
  'mails',
  {
    /** The provider's idempotency key is made of it. */
    id: text('id').primaryKey(),
    userId: userId(),
    kind: text('kind', { enum: accountMailKinds }).notNull(),
    /** What the mail says beyond its kind; emptied when it is over. */
    data: jsonb('data').$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** The version of AUTH_SECRETS that the token of its link is derived with. */
    secretVersion: integer('secret_version'),
    status: text('status', { enum: ['waiting', 'sent', 'given_up', 'suppressed'] })
      .notNull()
      .default('waiting'),
    /** Of one to an address that is not confirmed: the digest by which addresses of one mailbox are counted. */
    mailbox: text('mailbox'),
    /** The network that signed up; null where it is unknown. */
    network: text('network'),
    /** What the provider reported of it after it was sent. */
    report: text('report', { enum: ['delivered', 'bounced', 'complained'] }),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    /** Its link works until then, and it is sent no later. */
    expiresAt: instant('expires_at').notNull(),
    ...created,
    ...updated,
  },
  (t) => {
    CONSTRAINTS: return [
      index('mails_due').on(t.nextAttemptAt).where(sql`status = 'waiting'`),
      index('mails_of_user').on(t.userId, t.kind, t.createdAt),
      index('mails_by_age').on(t.createdAt),
      index('mails_of_mailbox').on(t.mailbox, t.createdAt).where(sql`mailbox is not null`),
      index('mails_of_network').on(t.network, t.createdAt).where(sql`network is not null`),
      check('mails_kind_known', isOf(t.kind, accountMailKinds)),
      check('mails_status_known', sql`${t.status} in ('waiting', 'sent', 'given_up', 'suppressed')`),
      check('mails_report_known', sql`${t.report} in ('delivered', 'bounced', 'complained')`),
      check('mails_forget_data', sql`${t.status} = 'waiting' or ${t.data} = '{}'`),
      check(
        'mails_link_has_version',
        sql`(${isOf(
          t.kind,
          accountMailKinds.filter((kind) => kind in mailPages),
        )}) = (${t.secretVersion} is not null)`,
      ),
    ]
  },
)

/**
 * Accounts whose address was refused for good, until it is confirmed again, or whose reader complained of a mail. They get
 * no mail that they did not ask for; after a complaint those about the safety of the account too.
 */
export const mailSuppressions = pgTable(
  'mail_suppressions',
  {
    userId: userId(),
    reason: text('reason', { enum: ['hard_bounce', 'complaint'] }).notNull(),
    ...created,
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.userId, t.reason] }),
      check('mail_suppressions_reason_known', sql`${t.reason} in ('hard_bounce', 'complaint')`),
    ]
  },
)

/** Networks (of IPv6 the /64) that signed in to an account: a sign-in from another one is mailed. */
export const signInNetworks = pgTable(
  'sign_in_networks',
  { userId: userId(), network: text('network').notNull(), lastAt: instant('last_at').notNull().defaultNow() },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.userId, t.network] }),
      index('sign_in_networks_by_age').on(t.lastAt),
    ]
  },
)
