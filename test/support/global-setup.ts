import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { temporaryFolder } from '../../local/children.ts'
import { answer, listenOnLoopback } from '../../local/gateway-server.ts'
import { type MigratedDatabases, migrateDatabases, type Stack, type StackOptions } from '../../local/stack.ts'
import { serveControl } from './control.ts'
import { startControlledStack } from './gateways/stack.ts'
import { isWhole } from './share.ts'

type EnvironmentAddresses = {
  baseUrl: string
  linkBaseUrl: string
  directUrl: string
  /** The Workers' own pepper, so that tests can put keys into the database. */
  apiKeyPeppers: string
  doorSecrets: string
  signingSecret: string
  /** By version, as JSON: links in mails are derived from them. */
  authSecrets: string
}

export type StackAddresses = {
  sandbox: EnvironmentAddresses
  live: EnvironmentAddresses
  databases: Record<
    'sandbox' | 'live' | 'identity',
    { adminUrl: string; ownerUrl: string; workerUrl: string }
  >
  neonUrl: string
  redis: { url: string; kind: string }
  mailboxUrl: string
  stripeUrl: string
  controlUrl: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the project's stacks are requested: GET …/{n} returns the addresses of the n-th one. */
    stacksUrl: string
    /** The interface document with closed replies: no field beyond those declared. */
    documentUrl: string
    /** The number of stacks that the project's files are spread over. */
    stacksMax: number
    /** Whether a file has its stack to itself. */
    isAlone: boolean
  }
}

/** Tests of limits lower these with `reconfigure`; no other test may reach one. */
const RAISED = Object.fromEntries(
  ['RATE_READ', 'RATE_WRITE', 'RATE_PUBLIC', 'RATE_AUTH', 'RATE_STRANGER'].map((name) => [
    name,
    { limit: 1_000_000, period: 60 },
  ]),
)

type Shared = { users: number; serving: Promise<Stacks> }
type Stacks = { url: string; stop(): Promise<void> }

// Every project of vitest runs this file by itself, in one process: the last one stops the stacks of all.
const holder = globalThis as { spindleStacks?: Shared | undefined }

// A database server or a Redis given from outside can hold only one stack.
const oneOnly = Boolean(process.env.DATABASE_URL || process.env.REDIS_URL?.startsWith('redis'))

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Else Node 20 takes down its environment bit by bit, and can wait for ever for requests of native modules to end.
  if (!holder.spindleStacks) process.once('beforeExit', () => process.exit())
  holder.spindleStacks ??= { users: 0, serving: serveStacks() }
  const shared = holder.spindleStacks
  shared.users += 1
  const { url, stop } = await shared.serving
  // The files of one project need not cope with what another project's files leave.
  const { groupOrder } = project.config.sequence
  project.provide('stacksUrl', oneOnly ? url : `${url}/${groupOrder}/${project.name}`)
  project.provide('documentUrl', `${url}/openapi`)
  project.provide('stacksMax', oneOnly ? 1 : project.config.maxWorkers)
  project.provide('isAlone', project.name !== 'stack')
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    holder.spindleStacks = undefined
    await stop()
  }
}

/** Each stack starts when it is first requested, and stops when a project of a later group requests one. */
async function serveStacks(): Promise<Stacks> {
  const stacks = new Map<string, ReturnType<typeof start>>()
  let latest: Promise<unknown> = Promise.resolve()
  // One after the other: each start uses all processors, and the first stacks are ready sooner.
  const begin = (name: string) => {
    const [, group, project] = name.split('/')
    const startIt = async () => {
      await stopAll((other) => Number(other.split('/')[1]) < Number(group))
      if (project === 'origins') return startWithOrigins()
      return start(project === 'memory' ? { redisUrl: 'memory:' } : {})
    }
    const stack = latest.then(startIt, startIt)
    latest = stack
    return stack
  }
  const stopAll = async (isOver: (name: string) => boolean) => {
    const over = [...stacks].filter(([name]) => isOver(name))
    for (const [name] of over) stacks.delete(name)
    await Promise.allSettled(over.map(([, stack]) => stack.then((each) => each.stop())))
  }
  const server = await listenOnLoopback(async (request, response) => {
    const name = request.url ?? ''
    if (name === '/openapi') return answer(response, 200, await closedDocument())
    const stack = stacks.get(name) ?? begin(name)
    stacks.set(name, stack)
    await stack.then(
      ({ addresses }) => answer(response, 200, JSON.stringify(addresses)),
      (cause) => answer(response, 500, JSON.stringify({ error: String(cause) })),
    )
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    stop: async () => {
      await server.close()
      await stopAll(() => true)
    },
  }
}

let document: Promise<string> | undefined
const closedDocument = (): Promise<string> => {
  document ??= import('../../local/openapi.ts').then(({ openapi }) =>
    JSON.stringify(openapi({ repliesAreOpen: false })),
  )
  return document
}

/** A stack that sells what exists only in the tests: its tables in the sandbox, and a Worker that knows its origins. */
async function startWithOrigins() {
  const [{ bundleWorker }, { areasSql }, { rightsSql, soldTables }, { sold }] = await Promise.all([
    import('../../local/bundle.ts'),
    import('../../local/area-sql.ts'),
    import('../../local/rights.ts'),
    import('./origins/sold.ts'),
  ])
  const folder = join('dist', 'worker-with-origins')
  const workerFolder = await bundleWorker(undefined, 'test/support/origins/worker.ts', folder)
  const tables = Object.values(sold.kinds).map(({ table }) => table)
  const made = {
    '016_areas.sql': areasSql('The areas, and what the tests sell.', sold),
    '090_rights.sql': rightsSql([...soldTables, ...tables]),
  } as Readonly<Record<string, string>>
  const files = readdirSync('drizzle/sql').filter((name) => /^\d.*\.sql$/.test(name) && name >= '016')
  return start({ workerFolder }, [
    readFileSync(new URL('origins/tables.sql', import.meta.url), 'utf8'),
    ...files.sort().map((name) => made[name] ?? readFileSync(join('drizzle/sql', name), 'utf8')),
  ])
}

async function start(
  more: StackOptions = {},
  sql: readonly string[] = [],
): Promise<{ addresses: StackAddresses; stop(): Promise<void> }> {
  const databaseUrl = process.env.DATABASE_URL
  const stack = await startControlledStack({
    databaseUrl,
    ...(!databaseUrl && { databases: await migrated() }),
    redisUrl: process.env.REDIS_URL,
    rateLimits: RAISED,
    // What a connection does for the first time takes Postgres thirty times as long as the next time.
    ...(!isWhole && { neonConnectionsMax: 10 }),
    ...more,
  })
  if (sql.length > 0) await runAsOwner(stack.postgres.ownerUrl('sandbox'), sql)
  const control = await serveControl(stack)
  return {
    addresses: addressesOf(stack, control.url),
    stop: async () => {
      await control.close()
      await stack.stop()
    },
  }
}

let databases: Promise<MigratedDatabases> | undefined
/** Migrations take as long as the rest of a stack's start: they are run once, and each stack has a copy of the outcome. */
const migrated = (): Promise<MigratedDatabases> => {
  const given = process.env.MIGRATED_DATABASES
  databases ??= given
    ? Promise.resolve(JSON.parse(given) as MigratedDatabases)
    : migrateDatabases(join(temporaryFolder('migrated').path, 'data'))
  return databases
}

async function runAsOwner(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of statements) await client.query(text)
  } finally {
    await client.end()
  }
}

function addressesOf(stack: Stack, controlUrl: string): StackAddresses {
  const { postgres } = stack
  const environment = (name: 'sandbox' | 'live') => {
    const { baseUrl, linkBaseUrl, directUrl, apiKeyPeppers, doorSecrets, signingSecret, vars } = stack[name]
    const authSecrets = vars.AUTH_SECRETS!
    return { baseUrl, linkBaseUrl, directUrl, apiKeyPeppers, doorSecrets, signingSecret, authSecrets }
  }
  const database = (name: 'sandbox' | 'live' | 'identity') => ({
    adminUrl: postgres.adminUrl(name),
    ownerUrl: postgres.ownerUrl(name),
    workerUrl: name === 'identity' ? postgres.identityUrl() : postgres.workerUrl(name),
  })
  return {
    sandbox: environment('sandbox'),
    live: environment('live'),
    databases: { sandbox: database('sandbox'), live: database('live'), identity: database('identity') },
    neonUrl: stack.neon.url,
    redis: { url: stack.redis.url, kind: stack.redis.kind },
    mailboxUrl: stack.mailbox.url,
    stripeUrl: stack.stripe.url,
    controlUrl,
  }
}
