import { join } from 'node:path'
import { type BuiltWorkers, buildWorkers } from './build.ts'
import type { Death } from './children.ts'
import type { Between, Gateway } from './gateway.ts'
import { MAIL_API_KEY, MAIL_WEBHOOK_SECRET, type Mailbox, startMailbox } from './mailbox.ts'
import { migrate } from './migrate.ts'
import { startNeonGateway } from './neon-gateway.ts'
import { DATABASES, type Environment, type Postgres, startPostgres } from './postgres.ts'
import type { RateLimit } from './rate-limit-plugin.ts'
import { type RedisGateway, startRedisGateway } from './redis-gateway.ts'
import { localSecrets, type Secrets } from './secrets.ts'
import { type StripeStandIn, startStripe } from './stripe-stand-in.ts'
import { type Edge, localCertificate, startEdge } from './tls-proxy.ts'
import { type RunningWorker, startWorker, type WorkerLine } from './workers.ts'

export type StackOptions = {
  /** Where data, secrets and the certificate are kept; absent: `stop` deletes them, and Postgres is tuned for speed. */
  folder?: string
  /** Fixed ports; absent: free ones. */
  ports?: Partial<Record<Environment, number>>
  /** An existing PostgreSQL, instead of the embedded one. */
  databaseUrl?: string | undefined
  /** What the temporary databases begin as: made and migrated once, for many stacks. */
  databases?: MigratedDatabases
  /** An existing Redis; `memory:` for the in-process one; absent: `redis-server` if installed. */
  redisUrl?: string | undefined
  /** Over the limits of wrangler.toml, for both Workers. */
  rateLimits?: Record<string, RateLimit>
  /** Neon's limit of calls per second and database; absent: none. */
  neonCallsPerSecondMax?: number | undefined
  /** How many connections Neon keeps for each role to a database. */
  neonConnectionsMax?: number | undefined
  /** The folder of a Worker that was bundled from another entry. */
  workerFolder?: string
  /** Beside the vars of wrangler.toml, for both Workers. */
  vars?: Record<string, string>
  /** What stands between the gateways and their calls. */
  between?: Record<'neon' | 'redis', Between>
  /** Called when a step begins. */
  onBegin?: (step: string) => void
  /** Called when a step is done. */
  onStep?: (step: string, tookMs: number) => void
  onLine?: (environment: Environment, line: WorkerLine) => void
  /** Called when a server of the stack has died; says whether it runs again. */
  onDeath?: (death: Death) => void
  /** The command that starts this stack again with one more option, for messages that advise it. */
  commandWith?: (option: string) => string
}

export type StackEnvironment = {
  /** The address for people and for replies, e.g. `http://localhost:8787`; https works on the same port. */
  baseUrl: string
  /** `localhost:8787`: the contract's link_base_url. */
  linkBaseUrl: string
  /** The Worker's own socket, without the edge: for tests and measurements. */
  directUrl: string
  apiKeyPeppers: string
  doorSecrets: string
  signingSecret: string
  /** The Worker's vars beside those of wrangler.toml: addresses and secrets. */
  vars: Record<string, string>
  worker: RunningWorker
  /** Runs the scheduled work once. */
  trigger(): Promise<void>
}

export type Stack = Record<Environment, StackEnvironment> & {
  postgres: Postgres
  neon: Gateway
  redis: RedisGateway
  /** Where mails arrive. */
  mailbox: Mailbox
  /** Stands in for Stripe's accounts whose customers are read. */
  stripe: StripeStandIn
  stop(): Promise<void>
}

/**
 * Everything Spindle needs, on this machine: PostgreSQL, the gateways, the migrations and both Workers as wrangler builds
 * them. `npm start`, the tests and the bench run this same function.
 * @throws StackError with one line that says what to do, after stopping what had been started
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const running: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of running.splice(0).reverse()) await end().catch(() => {})
  }
  try {
    return await assemble(options, running, stop)
  } catch (cause) {
    await stop()
    throw cause
  }
}

async function assemble(
  options: StackOptions,
  running: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<Stack> {
  const timed = timer(options)
  const secrets = await secretsOf(options)
  const edges = await timed('ports', () => startEdges(options, running))
  const building = buildWorkers()
  building.catch(() => {}) // awaited below; until then a failure there must not count as unhandled
  const redisTokens = {
    sandbox: secrets.perEnvironment.sandbox.redisToken,
    live: secrets.perEnvironment.live.redisToken,
  }
  const postgres = await timed('PostgreSQL', () =>
    startPostgres({
      passwords: secrets.passwords,
      ...(options.folder && { dataFolder: join(options.folder, 'postgres') }),
      ...(options.databaseUrl && { existingUrl: options.databaseUrl }),
      ...(options.databases && { copyOf: options.databases.dataFolder }),
      ...(options.commandWith && { resetCommand: options.commandWith('--reset') }),
      ...(options.onDeath && { onDeath: options.onDeath }),
    }),
  )
  running.push(postgres.stop)
  const redis = await timed('Redis', () =>
    startRedisGateway(
      {
        tokens: redisTokens,
        ...(options.redisUrl && { url: options.redisUrl }),
        ...(options.onDeath && { onDeath: options.onDeath }),
      },
      options.between?.redis,
    ),
  )
  running.push(redis.stop)
  await timed('migrations', () => migrateAll(postgres, secrets))
  const mailbox = await startMailbox(
    Object.values(edges).map(({ port }) => `http://localhost:${port}/v1/mails/reports`),
  )
  running.push(mailbox.close)
  const stripe = await startStripe()
  running.push(stripe.close)
  const { neonCallsPerSecondMax: callsPerSecondMax, neonConnectionsMax: connectionsMax } = options
  const neon = await startNeonGateway({ postgres, callsPerSecondMax, connectionsMax }, options.between?.neon)
  running.push(neon.stop)
  const built = await timed('build', () => building)
  const environments = await timed('Workers', () =>
    startWorkers(options, { built, secrets, postgres, neon, redis, mailbox, stripe, edges }),
  )
  running.push(() => Promise.all(Object.values(environments).map(({ worker }) => worker.stop())))
  return { ...environments, postgres, neon, redis, mailbox, stripe, stop }
}

function timer({ onBegin, onStep }: Pick<StackOptions, 'onBegin' | 'onStep'>) {
  return async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now()
    onBegin?.(step)
    const result = await work()
    onStep?.(step, performance.now() - started)
    return result
  }
}

/** The databases keep their superuser's password; the passwords of all other roles are set at each start. */
async function secretsOf({ folder, databases, commandWith }: StackOptions): Promise<Secrets> {
  const secrets = await localSecrets(folder, commandWith?.('--reset'))
  const superuser = databases?.superuserPassword ?? secrets.passwords.superuser
  return { ...secrets, passwords: { ...secrets.passwords, superuser } }
}

/** The data folder of a PostgreSQL that was stopped after all migrations. */
export type MigratedDatabases = { dataFolder: string; superuserPassword: string }

/** Makes and migrates databases in `dataFolder`, for the temporary ones of many stacks. */
export async function migrateDatabases(dataFolder: string): Promise<MigratedDatabases> {
  const secrets = await localSecrets()
  const { passwords } = secrets
  const postgres = await startPostgres({ passwords, dataFolder })
  try {
    await migrateAll(postgres, secrets)
  } finally {
    await postgres.stop()
  }
  return { dataFolder, superuserPassword: passwords.superuser }
}

type Edges = Record<Environment, Edge>

async function startEdges(options: StackOptions, running: (() => Promise<unknown>)[]): Promise<Edges> {
  const certificate = await localCertificate(options.folder && join(options.folder, 'certificate.json'))
  const start = async (environment: Environment) => {
    const advice = options.commandWith?.(`--port-${environment}=PORT`)
    const edge = await startEdge(certificate, options.ports?.[environment], advice)
    running.push(edge.close)
    return edge
  }
  return { sandbox: await start('sandbox'), live: await start('live') }
}

/** One after the other: the databases of one server share their roles. */
async function migrateAll(postgres: Postgres, secrets: Secrets): Promise<void> {
  for (const target of DATABASES) {
    const rolePassword = target === 'identity' ? secrets.passwords.identity : secrets.passwords.worker
    const doorSecrets = target === 'identity' ? {} : secrets.perEnvironment[target]
    await migrate({ url: postgres.ownerUrl(target), target, rolePassword, ...doorSecrets })
  }
}

type Parts = {
  built: BuiltWorkers
  secrets: Secrets
  postgres: Postgres
  neon: Gateway
  redis: RedisGateway
  mailbox: Mailbox
  stripe: StripeStandIn
  edges: Edges
}

async function startWorkers(
  options: StackOptions,
  parts: Parts,
): Promise<Record<Environment, StackEnvironment>> {
  const start = async (environment: Environment): Promise<StackEnvironment> => {
    const vars = { ...varsOf(environment, parts), ...options.vars }
    const built = parts.built[environment]
    const worker = await startWorker(
      options.workerFolder ? { ...built, folder: options.workerFolder } : built,
      {
        vars,
        ...(options.rateLimits && { rateLimits: options.rateLimits }),
        ...(options.folder && { filesFolder: join(options.folder, 'files', environment) }),
      },
      (line) => options.onLine?.(environment, line),
      options.onDeath,
    )
    parts.edges[environment].forwardTo(worker.directUrl)
    const linkBaseUrl = `localhost:${parts.edges[environment].port}`
    const { directUrl, trigger } = worker
    const { apiKeyPeppers, doorSecrets, signingSecret } = parts.secrets.perEnvironment[environment]
    const baseUrl = `http://${linkBaseUrl}`
    return {
      baseUrl,
      linkBaseUrl,
      directUrl,
      apiKeyPeppers,
      doorSecrets,
      signingSecret,
      vars,
      worker,
      trigger,
    }
  }
  const started = await Promise.allSettled([start('sandbox'), start('live')])
  const failed = started.find((each) => each.status === 'rejected')
  if (failed) {
    for (const each of started) if (each.status === 'fulfilled') await each.value.worker.stop()
    throw failed.reason
  }
  const [sandbox, live] = started.map((each) => (each as PromiseFulfilledResult<StackEnvironment>).value)
  return { sandbox: sandbox as StackEnvironment, live: live as StackEnvironment }
}

function varsOf(environment: Environment, parts: Parts): Record<string, string> {
  const { secrets, postgres, neon, redis, mailbox, stripe, edges } = parts
  const own = secrets.perEnvironment[environment]
  return {
    SANDBOX_BASE_URL: `http://localhost:${edges.sandbox.port}`,
    LIVE_BASE_URL: `http://localhost:${edges.live.port}`,
    LINK_BASE_URL: `localhost:${edges[environment].port}`,
    DATABASE_URL: postgres.workerUrl(environment),
    IDENTITY_DATABASE_URL: postgres.identityUrl(),
    NEON_FETCH_ENDPOINT: neon.url,
    UPSTASH_REDIS_REST_URL: redis.url,
    UPSTASH_REDIS_REST_TOKEN: own.redisToken,
    API_KEY_PEPPERS: own.apiKeyPeppers,
    DOOR_SECRETS: own.doorSecrets,
    SIGNING_SECRETS: JSON.stringify({ 1: own.signingSecret }),
    AUTH_SECRETS: JSON.stringify({ 1: secrets.authSecret }),
    SECRETS_KEYS: own.secretsKeys,
    MAIL_API_KEY,
    MAIL_API_BASE: mailbox.url,
    MAIL_WEBHOOK_SECRET,
    STRIPE_API_BASE: stripe.url,
    WEBHOOKS_TO_THIS_MACHINE: 'true',
    DNS_OVER_HTTPS_URL: '',
  }
}
