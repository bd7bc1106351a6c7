import { AsyncLocalStorage } from 'node:async_hooks'
import crypto, { randomBytes } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import pg from 'pg'
import { vi } from 'vitest'
import { type IdentityAccess, identityAccess } from '../../../functions/account/auth/access.ts'
import { authArea } from '../../../functions/account/auth/index.ts'
import { authRoutes } from '../../../functions/account/auth/routes.ts'
import type { IdentitySql } from '../../../functions/account/auth/session.ts'
import type { Settings, VersionedKeys } from '../../../src/env/settings.ts'
import { Hono } from '../../../src/http/hono.ts'
import { entryOf, Problem } from '../../../src/http/problems.ts'
import type { Env } from '../../../src/http/router.ts'
import type { Services } from '../../../src/http/services.ts'
import { identitySql } from '../../../src/platform/postgres.ts'
import { stack } from '../../support/stack.ts'

export type Environment = 'sandbox' | 'live'
export type Reply<Body = ReplyBody> = { status: number; headers: Headers; body: Body; cookies: string[] }

/** Every field that a reply of /v1/auth can have; a test looks at those that its reply has. */
export type ReplyBody = {
  token: string
  expires_at: string
  user: { id: string; email: string; name: string; two_factor_enabled: boolean }
  error: { code: string; param?: string }
  totp_uri: string
  backup_codes: string[]
  two_factor_token: string
  two_factor_methods: string[]
  passkey_token: string
  challenge: string
  userVerification: string
  id: string
}
export type ListedSession = { id: string; current: boolean }

export type Send = {
  bearer?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  environment?: Environment
}

const freshSecrets = (): VersionedKeys => ({
  current: '1',
  byVersion: { 1: randomBytes(32).toString('base64') },
})

/**
 * Passwords cost a four-thousandth of their price in this process, where a file tries hundreds. The Workers pay the whole
 * price: see workers.test.ts.
 */
const cheaply = new AsyncLocalStorage<true>()
const { scrypt } = crypto
crypto.scrypt = ((...[password, salt, length, options, done]: Parameters<typeof scrypt>) =>
  scrypt(password, salt, length, cheaply.getStore() ? { ...options, N: 4 } : options, done)) as typeof scrypt
syncBuiltinESMExports()

/** /v1/auth of both environments in this process, over the real driver and the stack's identity database. */
export function startHarness(authSecrets = freshSecrets()) {
  const { databases, neonUrl } = stack
  const settings = {
    authSecrets,
    sandboxBaseUrl: 'http://localhost:8701',
    liveBaseUrl: 'http://localhost:8702',
    identityDatabaseUrl: databases.identity.workerUrl,
    neonFetchEndpoint: neonUrl,
    databaseTimeoutMs: 8000,
  } as Settings
  const ask = identitySql(settings)
  const owner = new pg.Pool({ connectionString: databases.identity.adminUrl, max: 4, allowExitOnIdle: true })
  const state = {
    trips: 0,
    broken: 0,
    answersLost: false,
    before: null as { text: string; work: () => Promise<unknown> } | null,
  }
  const sql: IdentitySql = async (text, values) => {
    state.trips += 1
    const { before } = state
    if (before && text.includes(before.text)) {
      state.before = null
      await before.work()
    }
    const breaks = state.broken > 0 && state.broken-- === 1
    if (breaks && state.answersLost) await ask(text, values)
    if (breaks) throw new Error('the connection was lost')
    return ask(text, values)
  }
  const log: string[] = []
  vi.spyOn(console, 'error').mockImplementation((line) => log.push(String(line)))
  const access = {
    sandbox: identityAccess({ ...settings, baseUrl: settings.sandboxBaseUrl }, sql),
    live: identityAccess({ ...settings, baseUrl: settings.liveBaseUrl }, sql),
  }
  const app = { sandbox: build(access.sandbox), live: build(access.live) }

  async function send<Body>(method: 'GET' | 'POST', path: string, options: Send = {}): Promise<Reply<Body>> {
    const headers = new Headers(options.headers)
    if (options.bearer) headers.set('authorization', `Bearer ${options.bearer}`)
    if (options.body !== undefined) headers.set('content-type', 'application/json')
    const init = { method, headers, body: options.body === undefined ? null : JSON.stringify(options.body) }
    const asked = app[options.environment ?? 'sandbox']
    const response = await cheaply.run(true, () => asked.request(`/v1/auth${path}`, init, {}))
    const text = await response.text()
    const body = /^[[{]/.test(text) ? JSON.parse(text) : text
    if (response.ok) holdsTheContract(method, path, body)
    return {
      status: response.status,
      headers: response.headers,
      body,
      cookies: response.headers.getSetCookie(),
    }
  }

  return {
    access: access.sandbox,
    owner,
    log,
    get: <Body = ReplyBody>(path: string, options?: Send) => send<Body>('GET', path, options),
    post: (path: string, body: unknown, options?: Send) =>
      send<ReplyBody>('POST', path, { ...options, body }),
    /** How many queries `work` sent to the identity database. */
    async trips<T>(work: () => Promise<T>): Promise<{ trips: number; value: T }> {
      const before = state.trips
      const value = await work()
      return { trips: state.trips - before, value }
    },
    /** Runs `work` before the next query that contains `text`. */
    before(text: string, work: () => Promise<unknown>) {
      state.before = { text, work }
    },
    /** Makes the nth query from now on fail without an answer: before it runs, or after. */
    breakTrip(nth: number, { after = false } = {}) {
      state.broken = nth
      state.answersLost = after
    },
  }
}

export type Harness = ReturnType<typeof startHarness>

function build(access: IdentityAccess) {
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    c.set('services', { settings: {}, sendMails: () => {} } as Services)
    await next()
  })
  app.route(
    '/',
    authArea(() => access),
  )
  app.onError(async (error, c) => {
    if (!(error instanceof Problem)) throw error
    const entry = await entryOf(error.code)
    return c.json(error.body(entry, 'req', 'https://sandbox.spindle.test'), entry[0] as 400, {
      ...error.more.headers,
    })
  })
  return app
}

/** Every reply of every test has the form that its route declares. */
function holdsTheContract(method: string, path: string, body: unknown): void {
  const route = authRoutes.find((each) => each.method === method && each.path === `/v1/auth${path}`)
  route?.reply.schema.parse(body)
}
