import type { Environment } from './kernel/api-key.ts'

/** What the platform gives a Worker: variables, secrets and bindings, as named in wrangler.toml. */
export interface Bindings {
  readonly ENVIRONMENT: string
  readonly SANDBOX_BASE_URL: string
  readonly LIVE_BASE_URL: string
  readonly LINK_BASE_URL: string
  readonly DATABASE_TIMEOUT_MS: string
  readonly REDIS_TIMEOUT_MS: string
  readonly FEE_SCHEDULES: unknown
  readonly PASSKEY_RP_ID?: string
  readonly DATABASE_URL: string
  readonly IDENTITY_DATABASE_URL: string
  readonly UPSTASH_REDIS_REST_URL?: string
  readonly UPSTASH_REDIS_REST_TOKEN?: string
  readonly API_KEY_PEPPERS: string
  readonly SIGNING_SECRET: string
  readonly AUTH_SECRET: string
  /** Local emulation only: where the Neon driver finds its gateway. */
  readonly NEON_FETCH_ENDPOINT?: string
  readonly RATE_READ?: RateLimit
  readonly RATE_WRITE?: RateLimit
  readonly RATE_PUBLIC?: RateLimit
  readonly RATE_AUTH?: RateLimit
  readonly ASSETS?: { fetch(request: Request): Promise<Response> }
}

export interface RateLimit {
  limit(options: { key: string }): Promise<{ success: boolean }>
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
  readonly peppers: { readonly current: string; readonly byVersion: Readonly<Record<string, string>> }
  readonly signingSecret: string
  readonly authSecret: string
  readonly passkeyRpId: string | undefined
  /** JSON, parsed by the payments area. */
  readonly feeSchedules: string
}

/** @throws Error naming the variable that is missing or wrong; never its value. */
export function readSettings(env: Bindings): Settings {
  const environment = env.ENVIRONMENT
  if (environment !== 'sandbox' && environment !== 'live')
    throw new Error('ENVIRONMENT must be sandbox or live')
  const redisUrl = env.UPSTASH_REDIS_REST_URL
  const redisToken = env.UPSTASH_REDIS_REST_TOKEN
  return {
    environment,
    baseUrl: environment === 'live' ? env.LIVE_BASE_URL : env.SANDBOX_BASE_URL,
    sandboxBaseUrl: required(env, 'SANDBOX_BASE_URL'),
    liveBaseUrl: required(env, 'LIVE_BASE_URL'),
    linkBaseUrl: required(env, 'LINK_BASE_URL'),
    databaseUrl: required(env, 'DATABASE_URL'),
    identityDatabaseUrl: required(env, 'IDENTITY_DATABASE_URL'),
    neonFetchEndpoint: env.NEON_FETCH_ENDPOINT ?? null,
    databaseTimeoutMs: milliseconds(env, 'DATABASE_TIMEOUT_MS'),
    redis:
      redisUrl && redisToken
        ? { url: redisUrl, token: redisToken, timeoutMs: milliseconds(env, 'REDIS_TIMEOUT_MS') }
        : null,
    peppers: readPeppers(required(env, 'API_KEY_PEPPERS')),
    signingSecret: required(env, 'SIGNING_SECRET'),
    authSecret: required(env, 'AUTH_SECRET'),
    passkeyRpId: env.PASSKEY_RP_ID,
    feeSchedules:
      typeof env.FEE_SCHEDULES === 'string' ? env.FEE_SCHEDULES : JSON.stringify(env.FEE_SCHEDULES),
  }
}

function required(env: Bindings, name: keyof Bindings): string {
  const value = env[name]
  if (typeof value !== 'string' || value === '') throw new Error(`${name} is not set`)
  return value
}

function milliseconds(env: Bindings, name: keyof Bindings): number {
  const value = Number(required(env, name))
  if (!Number.isSafeInteger(value) || value <= 0) throw new Error(`${name} is not a number of milliseconds`)
  return value
}

function readPeppers(json: string): Settings['peppers'] {
  let byVersion: Record<string, string>
  try {
    byVersion = JSON.parse(json) as Record<string, string>
  } catch {
    throw new Error('API_KEY_PEPPERS is not JSON')
  }
  const current = Object.keys(byVersion)
    .map(Number)
    .sort((a, b) => b - a)[0]
  if (!current) throw new Error('API_KEY_PEPPERS has no pepper')
  return { current: String(current), byVersion }
}
