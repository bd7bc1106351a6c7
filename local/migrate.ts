import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate as applyJournal } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { readDoorSecrets } from '../src/env/settings.ts'
import { failed, reasonOf, StackError } from './errors.ts'
import { plannedSql } from './planned.ts'

const DRIZZLE = new URL('../drizzle', import.meta.url).pathname
const LOCK = 20_260_613

export type Migration = {
  /** With the role that owns the database: no superuser, but CREATEROLE. */
  url: string
  /** Which of the databases it is. */
  target: 'sandbox' | 'live' | 'identity'
  /** The new password of the Workers' role; absent: unchanged. */
  rolePassword?: string
  /** The Worker's DOOR_SECRETS, of which the database stores digests; absent: unchanged. */
  doorSecrets?: string
}

export type Migrated = { migrations: number; sql: number }

/**
 * Brings one database up to date: Drizzle's migrations, then the hand-written SQL (roles, rights, policies, functions,
 * triggers), all in one transaction that one process at a time may hold. These files are idempotent; all of them run
 * again when one of them or any migration is new, since one may loop over the tables or build on another.
 * @throws StackError naming the file that failed and what Postgres said; then nothing has changed
 */
export async function migrate({ url, target, rolePassword, doorSecrets }: Migration): Promise<Migrated> {
  const base = target === 'identity' ? join(DRIZZLE, 'identity') : DRIZZLE
  const role = target === 'identity' ? 'spindle_identity' : 'spindle_worker'
  const client = new pg.Client({ connectionString: url, application_name: 'spindle-migrate' })
  await client.connect()
  try {
    await client.query('SET client_min_messages = warning')
    return await drizzle(client).transaction(async (tx) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
      await client.query("SELECT set_config('spindle.environment', $1, true)", [target])
      const migrations = await applyMigrations(client, tx, join(base, 'migrations'))
      const sql = await applySql(client, await sqlFiles(base, target), migrations > 0)
      if (rolePassword !== undefined) {
        await client.query(`ALTER ROLE ${role} PASSWORD ${client.escapeLiteral(rolePassword)}`)
      }
      if (target !== 'identity') await keepProofs(client, doorSecrets)
      return { migrations, sql }
    })
  } catch (cause) {
    throw cause instanceof StackError
      ? cause
      : new StackError(`Migrating ${target} failed: ${reasonOf(cause)}`)
  } finally {
    await client.end()
  }
}

/** Stores digests of exactly these DOOR_SECRETS, which authorize the Worker beside its password. */
async function keepProofs(client: pg.Client, doorSecrets: string | undefined): Promise<void> {
  if (doorSecrets === undefined) {
    if ((await client.query('SELECT FROM door.proofs')).rowCount) return
    throw new StackError('DOOR_SECRETS must be set: this database does not know the Worker yet')
  }
  const { byVersion } = readDoorSecrets({ DOOR_SECRETS: doorSecrets })
  await client.query('DELETE FROM door.proofs')
  for (const [version, secret] of Object.entries(byVersion)) {
    await client.query("INSERT INTO door.proofs VALUES ($1, sha256(convert_to($2, 'UTF8')))", [
      version,
      secret,
    ])
  }
}

type Transaction = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0]

async function applyMigrations(client: pg.Client, tx: Transaction, folder: string): Promise<number> {
  const count = async () =>
    (await client.query<{ n: number }>('SELECT count(*)::int AS n FROM drizzle.__drizzle_migrations')).rows[0]
      ?.n ?? 0
  const known = await client.query("SELECT to_regclass('drizzle.__drizzle_migrations') AS journal")
  const before = known.rows[0].journal ? await count() : 0
  try {
    await applyJournal(insideTransaction(tx), { migrationsFolder: folder })
  } catch (cause) {
    const reason = cause instanceof Error && cause.cause ? cause.cause : cause
    throw new StackError(`A migration of ${folder} failed: ${reasonOf(reason)}`)
  }
  return (await count()) - before
}

/** Drizzle's migrator opens a transaction of its own, whose COMMIT would end ours; here it gets a savepoint instead. */
function insideTransaction(tx: Transaction): NodePgDatabase {
  const { dialect, session } = tx as unknown as { dialect: unknown; session: object }
  const nested = Object.create(session, { transaction: { value: tx.transaction.bind(tx) } })
  return { dialect, session: nested } as unknown as NodePgDatabase
}

const plannedFile = '078_planned.sql'

type SqlFile = { name: string; text: string; sha256: string }

/** The digest includes the environment: the files run, and refuse, when a database meets another one. */
async function sqlFiles(base: string, target: string): Promise<SqlFile[]> {
  const folder = join(base, 'sql')
  const files = [...readFolder(folder), ...(target === 'sandbox' ? readFolder(folder, 'sandbox') : [])]
  // Before the rights of all functions are set.
  const planned = target === 'identity' ? [] : [{ name: plannedFile, text: await plannedSql() }]
  const ordered = [
    ...files.filter(({ name }) => name < plannedFile),
    ...planned,
    ...files.filter(({ name }) => name > plannedFile),
  ]
  return ordered.map(({ name, text }) => ({
    name,
    text,
    sha256: createHash('sha256').update(`${target}\n${text}`).digest('hex'),
  }))
}

function readFolder(root: string, sub = ''): { name: string; text: string }[] {
  const folder = join(root, sub)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names
    .sort()
    .map((file) => ({ name: join(sub, file), text: readFileSync(join(folder, file), 'utf8') }))
}

async function applySql(client: pg.Client, files: SqlFile[], all: boolean): Promise<number> {
  await client.query('CREATE TABLE IF NOT EXISTS spindle_sql (name text PRIMARY KEY, sha256 text NOT NULL)')
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM spindle_sql',
  )
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  if (!all && files.every((file) => applied.get(file.name) === file.sha256)) return 0
  for (const file of files) {
    try {
      await client.query(file.text)
    } catch (cause) {
      throw new StackError(`The file ${file.name} failed: ${reasonOf(cause)}${lineOf(file.text, cause)}`)
    }
    await client.query(
      'INSERT INTO spindle_sql VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256',
      [file.name, file.sha256],
    )
  }
  return files.length
}

function lineOf(text: string, cause: unknown): string {
  const position = Number((cause as { position?: string }).position)
  return position ? ` (line ${text.slice(0, position).split('\n').length})` : ''
}

/** `npm run db:migrate`: what the environment's variables name. */
async function main(): Promise<void> {
  const { MIGRATION_DATABASE_URL, ENVIRONMENT, WORKER_DATABASE_PASSWORD, DOOR_SECRETS } = process.env
  const { IDENTITY_MIGRATION_DATABASE_URL, IDENTITY_DATABASE_PASSWORD } = process.env
  const wanted: Migration[] = []
  if (MIGRATION_DATABASE_URL) {
    if (ENVIRONMENT !== 'sandbox' && ENVIRONMENT !== 'live') {
      throw new StackError(
        'ENVIRONMENT must be sandbox or live: it says whose database MIGRATION_DATABASE_URL is',
      )
    }
    wanted.push({
      url: MIGRATION_DATABASE_URL,
      target: ENVIRONMENT,
      ...password(WORKER_DATABASE_PASSWORD),
      ...(DOOR_SECRETS && { doorSecrets: DOOR_SECRETS }),
    })
  }
  if (IDENTITY_MIGRATION_DATABASE_URL) {
    wanted.push({
      url: IDENTITY_MIGRATION_DATABASE_URL,
      target: 'identity',
      ...password(IDENTITY_DATABASE_PASSWORD),
    })
  }
  if (wanted.length === 0) {
    throw new StackError(
      'Nothing to migrate: set MIGRATION_DATABASE_URL and ENVIRONMENT, or IDENTITY_MIGRATION_DATABASE_URL, or both',
    )
  }
  for (const migration of wanted) {
    const { migrations, sql } = await migrate(migration)
    console.log(`${migration.target}: ${migrations} migrations and ${sql} SQL files applied`)
  }
}

function password(value: string | undefined): { rolePassword?: string } {
  return value ? { rolePassword: value } : {}
}

if (import.meta.main) main().catch(failed)
