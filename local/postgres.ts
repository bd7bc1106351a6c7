import { rm } from 'node:fs/promises'
import pg from 'pg'
import { type Death, temporaryFolder } from './children.ts'
import { reasonOf, StackError } from './errors.ts'
import { folderInUse, reachableDataFolder, serverUsing, startServer } from './postgres-server.ts'

export type Environment = 'sandbox' | 'live'
export type Database = Environment | 'identity'

export const DATABASES: readonly Database[] = ['sandbox', 'live', 'identity']
const OWNER = 'spindle_owner'

export type Passwords = { superuser: string; owner: string; worker: string; identity: string }

export type PostgresOptions = {
  passwords: Passwords
  /** Kept between runs in this folder; absent: a temporary folder, tuned for speed and removed by `stop`. */
  dataFolder?: string
  /** A data folder with the same superuser's password, of a server that was stopped: the temporary one begins as its copy. */
  copyOf?: string
  port?: number
  /** An existing server; its role must be allowed to create roles and databases. */
  existingUrl?: string
  /** The command that empties `dataFolder`, named in the message that it is broken. */
  resetCommand?: string
  onDeath?: (death: Death) => void
}

export type Postgres = {
  host: string
  port: number
  /** The role that created the rest: the superuser on our own server. Row-level security does not apply to it. */
  adminUrl(database: Database): string
  /** The role that runs migrations and owns everything. */
  ownerUrl(database: Database): string
  /** The role of the Workers in one environment's database. */
  workerUrl(environment: Environment): string
  /** The role of the Workers in the identity database. */
  identityUrl(): string
  stop(): Promise<void>
}

/**
 * A PostgreSQL with the role `spindle_owner` (may log in, make roles and databases; no superuser, as on Neon) and its
 * three databases `spindle_sandbox`, `spindle_live`, `spindle_identity`. Tables and other roles come with the migrations.
 * @throws StackError with one line that says what to do
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const server = options.existingUrl ? existingServer(options.existingUrl) : await ownServer(options)
  try {
    await prepare(server.adminUrl, options.passwords.owner)
  } catch (cause) {
    await server.stop()
    throw cause instanceof StackError
      ? cause
      : new StackError(
          `PostgreSQL at ${server.host}:${server.port} could not be prepared${options.existingUrl ? ', see DATABASE_URL' : ''}: ${reasonOf(cause)}`,
        )
  }
  const url = (role: string, password: string, database: Database) =>
    `postgresql://${role}:${encodeURIComponent(password)}@${server.host}:${server.port}/spindle_${database}`
  return {
    host: server.host,
    port: server.port,
    adminUrl: (database) =>
      Object.assign(new URL(server.adminUrl), { pathname: `/spindle_${database}` }).href,
    ownerUrl: (database) => url(OWNER, options.passwords.owner, database),
    workerUrl: (environment) => url('spindle_worker', options.passwords.worker, environment),
    identityUrl: () => url('spindle_identity', options.passwords.identity, 'identity'),
    stop: server.stop,
  }
}

type Server = { host: string; port: number; adminUrl: string; stop(): Promise<void> }

async function ownServer(options: PostgresOptions): Promise<Server> {
  const { dataFolder, copyOf, passwords, port, resetCommand, onDeath } = options
  const temporary = dataFolder === undefined ? temporaryFolder('postgres') : undefined
  const running = await startServer({
    dataFolder: temporary ? `${temporary.path}/data` : reachableDataFolder(dataFolder ?? ''),
    superuserPassword: passwords.superuser,
    fast: temporary !== undefined,
    ...(temporary && copyOf && { copyOf }),
    ...(port !== undefined && { port }),
    ...(resetCommand && { resetCommand }),
    ...(onDeath && { onDeath }),
  })
  return {
    host: '127.0.0.1',
    port: running.port,
    adminUrl: `postgresql://postgres:${encodeURIComponent(passwords.superuser)}@127.0.0.1:${running.port}/postgres`,
    stop: async () => {
      await running.stop()
      await temporary?.drop()
    },
  }
}

function existingServer(connectionString: string): Server {
  let url: URL
  try {
    url = new URL(connectionString)
  } catch {
    throw new StackError(
      'DATABASE_URL is not a URL: it should look like postgresql://user:password@host:5432/postgres',
    )
  }
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    adminUrl: connectionString,
    stop: async () => {},
  }
}

async function prepare(adminUrl: string, ownerPassword: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const me = await client.query<{ superuser: boolean; enough: boolean }>(
      'SELECT rolsuper AS superuser, rolsuper OR (rolcreaterole AND rolcreatedb) AS enough FROM pg_roles WHERE rolname = current_user',
    )
    if (!me.rows[0]?.enough) {
      throw new StackError(
        'The role in DATABASE_URL may not make roles and databases: give it CREATEROLE and CREATEDB',
      )
    }
    const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [OWNER])
    if (!role.rowCount) await client.query(`CREATE ROLE ${OWNER}`)
    await client.query(
      `ALTER ROLE ${OWNER} LOGIN CREATEROLE CREATEDB PASSWORD ${client.escapeLiteral(ownerPassword)}`,
    )
    if (!me.rows[0].superuser) await client.query(`GRANT ${OWNER} TO CURRENT_USER WITH SET TRUE`)
    for (const database of DATABASES) {
      const name = `spindle_${database}`
      const there = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
      if (!there.rowCount) await client.query(`CREATE DATABASE ${name} OWNER ${OWNER}`)
      if (me.rows[0].superuser) await withoutLargeObjects(adminUrl, name)
    }
  } finally {
    await client.end()
  }
}

/** A superuser revokes large objects from PUBLIC, so that a role without write rights cannot store any. */
async function withoutLargeObjects(adminUrl: string, database: string): Promise<void> {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href,
  })
  await client.connect()
  try {
    await client.query(`DO $$ DECLARE f regprocedure; BEGIN
      FOR f IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^(lo_|loread$|lowrite$)'
      LOOP EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f); END LOOP; END $$`)
  } finally {
    await client.end()
  }
}

/**
 * Deletes what `startPostgres` kept in `dataFolder`.
 * @throws StackError when a server uses it
 */
export async function removePostgresData(dataFolder: string): Promise<void> {
  const folder = reachableDataFolder(dataFolder)
  const server = serverUsing(folder)
  if (server) throw folderInUse(folder, server)
  await rm(folder, { recursive: true, force: true })
}
