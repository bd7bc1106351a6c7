import type { Environment } from '../kernel/api-key.ts'
import { Fault } from '../kernel/fault.ts'
import { parseMinorString } from '../kernel/money.ts'
import {
  type MailSettings,
  type PersonCheckSettings,
  readMail,
  readPersonCheck,
  readStripe,
  type StripeSettings,
  standInAt,
} from './outside.ts'
import { milliseconds, required, wholeNumber } from './values.ts'

/** What the platform gives a Worker: variables, secrets and bindings, as named in wrangler.toml. */
export interface Bindings {
  readonly ENVIRONMENT: string
  readonly SANDBOX_BASE_URL: string
  readonly LIVE_BASE_URL: string
  readonly LINK_BASE_URL: string
  readonly DATABASE_TIMEOUT_MS: string
  readonly REDIS_TIMEOUT_MS: string
  readonly FEE_SCHEDULES: unknown
  readonly PAYMENT_POLICY?: unknown
  readonly TRANSFER_LIMIT_PER_DAY_MINOR: unknown
  readonly REFUND_LIMIT_PER_DAY_MINOR: unknown
  readonly PAYOUT_COOL_DOWN_HOURS: string
  readonly PASSKEY_RP_ID?: string
  readonly DATABASE_URL: string
  readonly IDENTITY_DATABASE_URL: string
  readonly UPSTASH_REDIS_REST_URL?: string
  readonly UPSTASH_REDIS_REST_TOKEN?: string
  readonly API_KEY_PEPPERS: string
  readonly DOOR_SECRETS: string
  readonly SIGNING_SECRETS: string
  readonly AUTH_SECRETS: string
  readonly SECRETS_KEYS: string
  /** Zones that are ours: no webhook is sent to them. */
  readonly OWN_ZONES: string
  /** How long a delivery and what its endpoint answered are kept once it is over. Events stay. */
  readonly WEBHOOK_RETENTION_DAYS: string
  /** Required except in local use. */
  readonly DNS_OVER_HTTPS_URL?: string
  /** Local use only: webhooks may go to this machine, and over http. */
  readonly WEBHOOKS_TO_THIS_MACHINE?: string
  readonly WEBHOOKS?: Queue
  /** Live only: our own account at Stripe. All three or none. */
  readonly STRIPE_SECRET_KEY?: string
  readonly STRIPE_WEBHOOK_SECRET?: string
  readonly STRIPE_PUBLISHABLE_KEY?: string
  /** `true`: merchants may bring a Stripe account of their own, looked up with every call. */
  readonly STRIPE_MERCHANT_ACCOUNTS?: string
  /** How long a call that moves money may take. */
  readonly PROCESSOR_TIMEOUT_MS?: string
  /** Local use only: the stand-in for Stripe on this machine. */
  readonly STRIPE_API_BASE?: string
  /** At Resend, which sends our mails; without it they wait. */
  readonly MAIL_API_KEY?: string
  /** The sender of every mail: `Spindle <no-reply@spindle.example>`. */
  readonly MAIL_FROM?: string
  /** Of the endpoint at Resend that posts to /v1/mails/reports; two between spaces while it is rotated. */
  readonly MAIL_WEBHOOK_SECRET?: string
  /** Local use only: the stand-in for Resend on this machine. */
  readonly MAIL_API_BASE?: string
  /** Of our widget at Cloudflare Turnstile, which tells people from programs; both or none. */
  readonly TURNSTILE_SITE_KEY?: string
  readonly TURNSTILE_SECRET_KEY?: string
  /** Local use only: the stand-in for Turnstile on this machine. */
  readonly TURNSTILE_BASE?: string
  /** Local emulation only: where the Neon driver finds its gateway. */
  readonly NEON_FETCH_ENDPOINT?: string
  readonly RATE_READ?: RateLimit
  readonly RATE_WRITE?: RateLimit
  readonly RATE_PUBLIC?: RateLimit
  readonly RATE_AUTH?: RateLimit
  readonly RATE_STRANGER?: RateLimit
  /** Files that are too large for a row: see src/platform/files.ts. */
  readonly FILES?: Bucket
  /** Resizes images; absent: they are shown as they were uploaded. */
  readonly IMAGES?: Images
  readonly ASSETS?: { fetch(request: Request): Promise<Response> }
}

export interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>
}

/** A producer of Cloudflare Queues. */
export interface Queue {
  send(message: unknown, options?: { contentType?: 'json'; delaySeconds?: number }): Promise<unknown>
  sendBatch(
    messages: Iterable<{ body: unknown; contentType?: 'json'; delaySeconds?: number }>,
  ): Promise<unknown>
}

/** A bucket of Cloudflare R2: what is used of its binding. */
export interface Bucket {
  put(
    key: string,
    content: ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>,
    options: { httpMetadata: { contentType: string } },
  ): Promise<{ readonly etag: string } | null>
  get(
    key: string,
    options?: { range: { readonly offset: number; readonly length: number } },
  ): Promise<{
    readonly body: ReadableStream<Uint8Array>
    readonly size: number
    readonly etag: string
    readonly httpMetadata?: { readonly contentType?: string }
  } | null>
  delete(keys: string[]): Promise<void>
  /** At most 1,000 of them. */
  list(options: {
    prefix: string
  }): Promise<{ readonly objects: readonly { readonly key: string }[]; readonly truncated: boolean }>
}

/** Cloudflare Images: what is used of its binding (developers.cloudflare.com/images/transform-images/bindings). */
export interface Images {
  input(image: ReadableStream<Uint8Array>): Transformer
}

interface Transformer {
  transform(options: { width: number; fit: 'scale-down' }): Transformer
  output(options: { format: 'image/webp' }): Promise<{ response(): Response }>
}

/** Keys by version. All verify and decrypt; the current one signs and encrypts: the highest, or the one `current` names. */
export interface VersionedKeys {
  readonly current: string
  readonly byVersion: Readonly<Record<string, string>>
}

/** The Worker's settings, checked once per isolate. */
export interface Settings {
  readonly environment: Environment
  readonly baseUrl: string
  readonly sandboxBaseUrl: string
  readonly liveBaseUrl: string
  /** Host and optional port of payment link addresses, without a scheme. */
  readonly linkBaseUrl: string
  readonly databaseUrl: string
  readonly identityDatabaseUrl: string
  readonly neonFetchEndpoint: string | null
  readonly databaseTimeoutMs: number
  readonly redis: { readonly url: string; readonly token: string; readonly timeoutMs: number } | null
  readonly peppers: VersionedKeys
  /** Prove to the database that the Worker calls, beside its password. */
  readonly doorSecrets: VersionedKeys
  /** AES-256 keys, base64, for secrets at rest. */
  readonly secretsKeys: VersionedKeys
  readonly signingSecrets: VersionedKeys
  /** The same in both environments. */
  readonly authSecrets: VersionedKeys
  readonly passkeyRpId: string | undefined
  /** Settings of the webhooks' address guard, and how long deliveries are kept. */
  readonly webhooks: {
    readonly retentionDays: number
    readonly ownZones: readonly string[]
    readonly dnsOverHttpsUrl: string | null
    readonly toThisMachine: boolean
  }
  /** Null where mails are not set up. */
  readonly mail: MailSettings | null
  /** Cloudflare Turnstile; null where it is not set up: then cards pause for every buyer where stolen ones are tried. */
  readonly personCheck: PersonCheckSettings | null
  /** Null for Stripe itself. */
  readonly stripeApiBase: string | null
  /** Null where no payment goes through Stripe: always in sandbox. */
  readonly stripe: StripeSettings | null
  /** JSON, parsed by the payments area. */
  readonly feeSchedules: string
  /** JSON, parsed by the area of payment policies. */
  readonly paymentPolicy: string
  /**
   * What an API key without a limit of its own may transfer per day (Mexico City) without approval, by currency. A
   * currency without one has 0.
   */
  readonly transferLimitPerDayMinor: Readonly<Record<string, bigint>>
  /** The same for refunds to a CLABE. */
  readonly refundLimitPerDayMinor: Readonly<Record<string, bigint>>
  /** How long no payout goes to an account after its verification. */
  readonly payoutCoolDownHours: number
}

/** @throws Error naming the variable that is missing or wrong; never its value. */
export function readSettings(env: Bindings): Settings {
  const environment = env.ENVIRONMENT
  if (environment !== 'sandbox' && environment !== 'live')
    throw new Fault('ENVIRONMENT must be sandbox or live')
  const redisUrl = env.UPSTASH_REDIS_REST_URL
  const redisToken = env.UPSTASH_REDIS_REST_TOKEN
  return {
    environment,
    baseUrl: ownBase(env),
    sandboxBaseUrl: required(env, 'SANDBOX_BASE_URL'),
    liveBaseUrl: required(env, 'LIVE_BASE_URL'),
    linkBaseUrl: required(env, 'LINK_BASE_URL'),
    databaseUrl: required(env, 'DATABASE_URL'),
    identityDatabaseUrl: required(env, 'IDENTITY_DATABASE_URL'),
    neonFetchEndpoint: localGateway(env),
    databaseTimeoutMs: milliseconds(env, 'DATABASE_TIMEOUT_MS'),
    redis:
      redisUrl && redisToken
        ? { url: redisUrl, token: redisToken, timeoutMs: milliseconds(env, 'REDIS_TIMEOUT_MS') }
        : null,
    peppers: versioned(env, 'API_KEY_PEPPERS'),
    doorSecrets: readDoorSecrets(env),
    secretsKeys: readSecretsKeys(env),
    signingSecrets: versioned(env, 'SIGNING_SECRETS'),
    authSecrets: readAuthSecrets(env),
    passkeyRpId: env.PASSKEY_RP_ID,
    webhooks: readWebhooks(env),
    mail: readMail(env),
    personCheck: readPersonCheck(env),
    stripeApiBase: standInAt(env, 'STRIPE_API_BASE'),
    stripe: environment === 'live' ? readStripe(env) : null,
    feeSchedules: jsonIn(env.FEE_SCHEDULES),
    paymentPolicy: jsonIn(env.PAYMENT_POLICY ?? {}),
    transferLimitPerDayMinor: readLimits(env, 'TRANSFER_LIMIT_PER_DAY_MINOR'),
    refundLimitPerDayMinor: readLimits(env, 'REFUND_LIMIT_PER_DAY_MINOR'),
    payoutCoolDownHours: wholeNumber(env, 'PAYOUT_COOL_DOWN_HOURS', 'a whole number of hours', 0),
  }
}

/** A variable in JSON: as text or, of wrangler.toml, as it is. */
const jsonIn = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The server at this address sees every query of the Worker, database passwords included. */
function localGateway(env: Bindings): string | null {
  const endpoint = env.NEON_FETCH_ENDPOINT || null
  if (endpoint !== null && !(isLocal(env) && onThisMachine.test(endpoint)))
    throw new Fault('NEON_FETCH_ENDPOINT is for local use only')
  return endpoint
}

const onThisMachine = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/|$)/

const ownBase = ({ ENVIRONMENT, LIVE_BASE_URL, SANDBOX_BASE_URL }: Bindings) =>
  ENVIRONMENT === 'live' ? LIVE_BASE_URL : SANDBOX_BASE_URL

const isLocal = (env: Bindings) => onThisMachine.test(ownBase(env))

/** A variable that holds an object: as JSON or, of wrangler.toml, as it is. */
function objectIn(env: Partial<Bindings>, name: keyof Bindings, what: string): object {
  let value: unknown = env[name]
  if (value === undefined || value === '') throw new Fault(`${name} is not set`)
  try {
    if (typeof value === 'string') value = JSON.parse(value)
  } catch {
    throw new Fault(`${name} is not JSON`)
  }
  if (typeof value !== 'object' || value === null) throw new Fault(`${name} is not ${what}`)
  return value
}

/** From a currency to minor units as a string: `{"mxn":"5000000"}`. */
function readLimits(
  env: Bindings,
  name: 'TRANSFER_LIMIT_PER_DAY_MINOR' | 'REFUND_LIMIT_PER_DAY_MINOR',
): Settings['transferLimitPerDayMinor'] {
  return Object.fromEntries(
    Object.entries(objectIn(env, name, 'limits by currency')).map(([currency, text]): [string, bigint] => {
      const limit = typeof text === 'string' ? parseMinorString(text) : null
      if (!/^[a-z]{3}$/.test(currency) || limit === null || limit < 0n)
        throw new Fault(`${name}.${currency} is not a currency with minor units as a string`)
      return [currency, limit]
    }),
  )
}

/** 43 characters of base64 hold 32 bytes. */
const doorSecretCharactersMin = 43

/** @throws Error also for a secret short enough to be guessed: the database keeps plain digests of them */
export function readDoorSecrets(env: Pick<Bindings, 'DOOR_SECRETS'>): VersionedKeys {
  const secrets = versioned(env, 'DOOR_SECRETS')
  if (Object.values(secrets.byVersion).some(({ length }) => length < doorSecretCharactersMin))
    throw new Fault('DOOR_SECRETS has a secret of less than 32 random bytes')
  return secrets
}

export const readAuthSecrets = (env: Partial<Bindings>): VersionedKeys => versioned(env, 'AUTH_SECRETS')

/** `{"1":"…","2":"…"}`; an additional `"current":"1"` makes another version than the highest sign and encrypt. */
function versioned(env: Partial<Bindings>, name: keyof Bindings): VersionedKeys {
  const versions = objectIn(env, name, 'keys by version') as Record<string, string>
  for (const [version, key] of Object.entries(versions))
    if (!/^([1-9]\d{0,8}|current)$/.test(version) || typeof key !== 'string' || key === '')
      throw new Fault(`${name} is not keys by version`)
  const { current: named, ...byVersion } = versions
  const current = named ?? Object.keys(byVersion).sort((a, b) => Number(b) - Number(a))[0]
  if (current === undefined || !byVersion[current])
    throw new Fault(`${name} has no key of its current version`)
  // Of the text in UTF-8: what `openssl rand -base64 32` prints has 44.
  for (const [version, secret] of Object.entries(byVersion))
    if (new TextEncoder().encode(secret).length < 32)
      throw new Fault(`version ${version} of ${name} is shorter than 32 bytes`)
  return { current, byVersion }
}

export function readSecretsKeys(env: Partial<Bindings>): VersionedKeys {
  const keys = versioned(env, 'SECRETS_KEYS')
  for (const [version, key] of Object.entries(keys.byVersion))
    if (!/^[A-Za-z0-9+/]{43}=$/.test(key))
      throw new Fault(`version ${version} of SECRETS_KEYS is not base64 of 32 bytes`)
  return keys
}

function readWebhooks(env: Bindings): Settings['webhooks'] {
  const toThisMachine = env.WEBHOOKS_TO_THIS_MACHINE === 'true'
  const ownZones = required(env, 'OWN_ZONES').split(/\s+/)
  if (!isLocal(env)) {
    if (toThisMachine) throw new Fault('WEBHOOKS_TO_THIS_MACHINE is for local use only')
    required(env, 'DNS_OVER_HTTPS_URL')
    const host = ownBase(env).replace('//', '.')
    if (!ownZones.some((zone) => host.endsWith(`.${zone}`))) throw new Fault('OWN_ZONES lacks a base address')
  }
  // A recovery looks 30 days back at an endpoint's deliveries; the database too refuses a shorter retention.
  const retentionDays = wholeNumber(env, 'WEBHOOK_RETENTION_DAYS', 'a number of days from 31 on', 31)
  return { retentionDays, ownZones, dnsOverHttpsUrl: env.DNS_OVER_HTTPS_URL || null, toThisMachine }
}
