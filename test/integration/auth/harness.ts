import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { neon, neonConfig } from '@neondatabase/serverless'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Hono } from 'hono'
import pg from 'pg'
import { type IdentityAccess, identityAccess } from '../../../functions/auth/access.ts'
import { createIdentity, type Identity } from '../../../functions/auth/identity.ts'
import { authArea } from '../../../functions/auth/index.ts'
import { callIdentity } from '../../../functions/auth/operations.ts'
import { startNeonGateway } from '../../../local/neon-gateway.ts'
import { startPostgres } from '../../../local/postgres.ts'

export type Environment = 'sandbox' | 'live'
export type Reply<Body = ReplyBody> = { status: number; headers: Headers; body: Body; cookies: string[] }

/** Every field that a reply of /v1/auth can have; a test looks at those that its reply has. */
export type ReplyBody = {
  token: string
  expiresAt: string
  user: { id: string; email: string; name: string; twoFactorEnabled: boolean }
  error: { code: string; param?: string }
  totpURI: string
  backupCodes: string[]
  twoFactorToken: string
  twoFactorMethods: string[]
  passkeyToken: string
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

export type Harness = Awaited<ReturnType<typeof startHarness>>

/** The identity database and both environments' /v1/auth, in this process, over the real driver and protocol. */
export async function startHarness() {
  const password = () => randomBytes(12).toString('hex')
  const passwords = { superuser: password(), owner: password(), worker: password(), identity: password() }
  const postgres = await startPostgres({ passwords })
  const owner = new pg.Pool({ connectionString: postgres.ownerUrl('identity') })
  await migrate(drizzle(owner), { migrationsFolder: 'drizzle/identity/migrations' })
  const guards = 'drizzle/identity/guards'
  for (const file of readdirSync(guards).sort()) await owner.query(readFileSync(`${guards}/${file}`, 'utf8'))
  await owner.query(`alter role spindle_identity password '${passwords.identity}'`)
  const gateway = await startNeonGateway({ postgres })
  neonConfig.fetchEndpoint = gateway.url

  const client = neon(postgres.identityUrl())
  const log: string[] = []
  const secret = randomBytes(32).toString('base64')
  const accessOf = (environment: Environment): IdentityAccess =>
    identityAccess(
      {
        secret,
        environment,
        sandboxBaseUrl: 'http://localhost:8701',
        liveBaseUrl: 'http://localhost:8702',
      },
      (text, values) => client.query(text, [...values]),
    )
  const app = { sandbox: build('sandbox'), live: build('live') }

  function build(environment: Environment) {
    const access = accessOf(environment)
    let auth: Identity | undefined
    return new Hono().route(
      '/v1/auth',
      authArea({
        access: () => access,
        call: (_c, call) => {
          auth ??= createIdentity(access, (_level, message) => log.push(message))
          return callIdentity(access, auth, call)
        },
        refuse: (c, { status, retryAfterSeconds, ...error }) => {
          if (retryAfterSeconds) c.header('Retry-After', String(retryAfterSeconds))
          return c.json({ error }, status as 400)
        },
      }),
    )
  }

  async function send<Body>(method: 'GET' | 'POST', path: string, options: Send = {}): Promise<Reply<Body>> {
    const headers = new Headers(options.headers)
    if (options.bearer) headers.set('authorization', `Bearer ${options.bearer}`)
    if (options.body !== undefined) headers.set('content-type', 'application/json')
    const init = { method, headers, body: options.body === undefined ? null : JSON.stringify(options.body) }
    const response = await app[options.environment ?? 'sandbox'].request(`/v1/auth${path}`, init)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: /^[[{]/.test(text) ? JSON.parse(text) : text,
      cookies: response.headers.getSetCookie(),
    }
  }

  return {
    access: accessOf('sandbox'),
    gateway,
    owner,
    log,
    get: <Body = ReplyBody>(path: string, options?: Send) => send<Body>('GET', path, options),
    post: (path: string, body: unknown, options?: Send) =>
      send<ReplyBody>('POST', path, { ...options, body }),
    /** How many HTTP calls `work` made to the identity database. */
    async trips<T>(work: () => Promise<T>): Promise<{ trips: number; value: T }> {
      const before = gateway.log.counts().total
      const value = await work()
      return { trips: gateway.log.counts().total - before, value }
    },
    async stop() {
      await owner.end()
      await gateway.stop()
      await postgres.stop()
    },
  }
}
