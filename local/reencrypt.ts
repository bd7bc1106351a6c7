import pg from 'pg'
import { decryptText, encryptText } from '../functions/account/auth/encryption.ts'
import { secretContext as endpointContext } from '../functions/developer/webhooks/signing.ts'
import { codeContext, keyContext } from '../functions/goods/entitlements/secrets.ts'
import { appKeyContext } from '../functions/in-person/attestation/secrets.ts'
import { secretContext as accountContext } from '../functions/money/payments/api.ts'
import { connectionContext } from '../functions/people/sync-sources/stripe/secrets.ts'
import { readAuthSecrets, readSecretsKeys, type VersionedKeys } from '../src/env/settings.ts'
import { decryptSecret, encryptSecret } from '../src/platform/encryption.ts'
import { failed, StackError } from './errors.ts'

/** Sends one statement to the database that is re-encrypted, with the role that migrates it. */
export type Query = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>

type Row = Readonly<Record<string, string | null>>

interface EncryptedTable {
  readonly name: string
  readonly idType: 'uuid' | 'text'
  /** The columns that hold ciphertexts. */
  readonly columns: readonly string[]
  /** SQL: the version that a column's ciphertext needs. */
  readonly version: (column: string) => string
  readonly decrypt: (keys: VersionedKeys, row: Row, column: string) => Promise<string>
  readonly encrypt: (keys: VersionedKeys, row: Row, column: string, text: string) => Promise<string>
}

const underSecretsKeys = (
  name: string,
  columns: readonly string[],
  context: (row: Row, column: string) => string,
): EncryptedTable => ({
  name,
  idType: 'uuid',
  columns,
  version: (column) => `split_part(${column}, '.', 1)::int`,
  decrypt: (keys, row, column) => decryptSecret(keys, context(row, column), row[column]!),
  encrypt: (keys, row, column, text) => encryptSecret(keys, context(row, column), text),
})

export const tablesUnder: Readonly<Record<'SECRETS_KEYS' | 'AUTH_SECRETS', readonly EncryptedTable[]>> = {
  SECRETS_KEYS: [
    underSecretsKeys('webhook_secrets', ['ciphertext'], (row) => endpointContext(row.endpoint_id!)),
    underSecretsKeys('processor_credentials', ['secret_key', 'webhook_secret'], (row, column) =>
      accountContext(row.id!, column as 'secret_key' | 'webhook_secret'),
    ),
    underSecretsKeys('stripe_connections', ['api_key', 'webhook_secret'], (row, column) =>
      connectionContext(row.id!, column as 'api_key' | 'webhook_secret'),
    ),
    underSecretsKeys('phone_apps', ['decryption_key', 'verification_key'], (row, column) =>
      appKeyContext(row.id!, column as 'decryption_key' | 'verification_key'),
    ),
    underSecretsKeys('entitlements', ['code_ciphertext'], (row) => codeContext(row.id!)),
    underSecretsKeys('license_keys', ['ciphertext'], (row) => keyContext(row.id!)),
  ],
  AUTH_SECRETS: [
    {
      name: 'two_factors',
      idType: 'text',
      columns: ['secret', 'backup_codes'],
      version: (column) => `split_part(${column}, '$', 3)::int`,
      decrypt: (keys, row, column) => decryptText(keys, row[column]!),
      encrypt: (keys, _row, _column, text) => encryptText(keys, text),
    },
  ],
}

const batchRows = 100

export type Reencrypted = {
  readonly changed: number
  /** Rows that still need an older version, by version; every listed version is there. */
  readonly left: Readonly<Record<string, number>>
  /** Ids of rows that do not decrypt. */
  readonly undecryptable: readonly string[]
}

/**
 * Re-encrypts a table's rows under the newest version of its keys. Each batch is one statement, which skips rows that a
 * Worker has changed or locked since they were read: these are read again. So it may be stopped at any time and run
 * again. A row that does not decrypt stays as it is.
 * @throws StackError when the newest version is not the one that the Workers encrypt with
 */
export async function reencrypt(
  query: Query,
  table: EncryptedTable,
  keys: VersionedKeys,
): Promise<Reencrypted> {
  const { name, columns, version } = table
  const newest = Object.keys(keys.byVersion).reduce((a, b) => (Number(a) > Number(b) ? a : b))
  if (keys.current !== newest)
    throw new StackError(
      `The Workers still encrypt under version ${keys.current}: make ${newest} current first.`,
    )
  const [known] = await query(
    `select * from ${name} where ${columns.map(version).join(' = $1 and ')} = $1 limit 1`,
    [newest],
  )
  if (known && !(await reencryptedRow(table, keys, known as Row)))
    throw new StackError(
      `Version ${newest} is another one in the Workers: it does not decrypt what they encrypted.`,
    )

  const needed = `array[${columns.map(version).join(', ')}]`
  const undecryptable = new Set<string>()
  let changed = 0
  for (let progress = -1; progress !== changed; ) {
    progress = changed
    const found = await query(`select id from ${name} where $1 <> any (${needed})`, [newest])
    const ids = found.map(({ id }) => String(id)).filter((id) => !undecryptable.has(id))
    for (let at = 0; at < ids.length; at += batchRows) {
      const rows = await query(`select * from ${name} where id = any ($1)`, [ids.slice(at, at + batchRows)])
      const renewed: object[] = []
      for (const row of rows as Row[]) {
        const next = await reencryptedRow(table, keys, row)
        if (next) renewed.push({ id: row.id, ...next, ...renamed(row, columns) })
        else undecryptable.add(row.id!)
      }
      changed += (await query(replaceBatch(table), [JSON.stringify(renewed)])).length
    }
  }

  const left = Object.fromEntries(Object.keys(keys.byVersion).map((each) => [each, 0]))
  const counts = `select v as version, count(*)::int as n from (
    select distinct t.id, v from ${name} t, unnest(${needed}) v where v <> $1) each group by v`
  for (const row of await query(counts, [newest])) left[String(row.version)] = Number(row.n)
  delete left[newest]
  return { changed, left, undecryptable: [...undecryptable] }
}

/** The row's ciphertexts under the newest version; null when one does not decrypt. */
async function reencryptedRow(
  { columns, decrypt, encrypt }: EncryptedTable,
  keys: VersionedKeys,
  row: Row,
): Promise<Record<string, string> | null> {
  try {
    const set = columns.filter((column) => row[column] !== null)
    const next = set.map(async (column) => {
      const text = await decrypt(keys, row, column)
      return [column, await encrypt(keys, row, column, text)] as const
    })
    return Object.fromEntries(await Promise.all(next))
  } catch {
    return null
  }
}

const renamed = (row: Row, columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [`old_${column}`, row[column]]))

const replaceBatch = ({ name, idType, columns }: EncryptedTable) => `
  with renewed as (
    select * from jsonb_to_recordset($1::jsonb)
      as n(id ${idType}, ${columns.map((column) => `${column} text, old_${column} text`).join(', ')})),
  held as (select id from ${name} where id in (select id from renewed) order by id for update skip locked)
  update ${name} t set ${columns.map((column) => `${column} = n.${column}`).join(', ')}
    from renewed n join held using (id)
   where t.id = n.id and ${columns.map((column) => `t.${column} is not distinct from n.old_${column}`).join(' and ')}
  returning 1`

const liveSessions = `
  select secret_version as version, count(*)::int as n, max(expires_at) as ends from sessions
   where secret_version <> $1 and expires_at > now() group by 1 order by 1`

/** What was made under a version of API_KEY_PEPPERS and still opens something: table and condition. */
export const openUnderPeppers: Readonly<Record<string, string>> = {
  api_keys: `status not in ('failed', 'revoked')`,
  device_credentials: `coalesce(ends_at > now(), true) and exists (select from devices d
    where d.tenant_id = t.tenant_id and d.id = t.device_id and d.status = 'paired' and d.pairings_count = t.pairing)`,
  device_pairing_codes: `status = 'active'`,
}

/** Nothing of it can be moved to another version: only who has it can make a new one. */
export async function leftUnderPeppers(query: Query): Promise<string[]> {
  const counts = Object.entries(openUnderPeppers).map(
    ([
      name,
      open,
    ]) => `select '${name}' as name, pepper_version as version, count(*) filter (where ${open})::int as n
      from ${name} t group by 2`,
  )
  const rows = await query(`${counts.join(' union all ')} order by 2, 1`, [])
  const versions = [...new Set(rows.map(({ version }) => String(version)))]
  return versions.map((each) => {
    const open = rows.filter(({ version, n }) => String(version) === each && Number(n) > 0)
    const what = open.map(({ name, n }) => `, ${n} of ${name}`).join('')
    return `version ${each} of API_KEY_PEPPERS: ${open.reduce((sum, { n }) => sum + Number(n), 0)} left${what}`
  })
}

/** `npm run reencrypt`: the database and keys that the environment's variables name. */
async function main(): Promise<void> {
  const { MIGRATION_DATABASE_URL, IDENTITY_MIGRATION_DATABASE_URL } = process.env
  if (!MIGRATION_DATABASE_URL && !IDENTITY_MIGRATION_DATABASE_URL)
    throw new StackError(
      'Set MIGRATION_DATABASE_URL and SECRETS_KEYS, or IDENTITY_MIGRATION_DATABASE_URL and AUTH_SECRETS, or all',
    )
  if (MIGRATION_DATABASE_URL) await run(MIGRATION_DATABASE_URL, 'SECRETS_KEYS', readSecretsKeys(process.env))
  if (IDENTITY_MIGRATION_DATABASE_URL)
    await run(IDENTITY_MIGRATION_DATABASE_URL, 'AUTH_SECRETS', readAuthSecrets(process.env))
}

async function run(url: string, variable: keyof typeof tablesUnder, keys: VersionedKeys): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'spindle-reencrypt' })
  await client.connect()
  try {
    const query: Query = async (text, values) => (await client.query(text, values)).rows
    for (const line of await reencryptAll(query, variable, keys)) console.log(line)
  } finally {
    await client.end()
  }
}

/** Re-encrypts what a variable's keys encrypt; where that is the environment's database, counts what peppers keep open. Returns what an operator needs to know, with no part of a secret. */
export async function reencryptAll(
  query: Query,
  variable: keyof typeof tablesUnder,
  keys: VersionedKeys,
): Promise<string[]> {
  const lines: string[] = []
  const left = new Map<string, number>()
  for (const table of tablesUnder[variable]) {
    const done = await reencrypt(query, table, keys)
    lines.push(
      `${table.name}: ${done.changed} rows re-encrypted under version ${keys.current} of ${variable}`,
    )
    for (const [version, rows] of Object.entries(done.left))
      left.set(version, (left.get(version) ?? 0) + rows)
    if (done.undecryptable.length > 0)
      lines.push(`${table.name}: these rows do not decrypt: ${done.undecryptable.join(' ')}`)
  }
  const sessions = variable === 'AUTH_SECRETS' ? await query(liveSessions, [keys.current]) : []
  for (const { version, n, ends } of sessions) {
    lines.push(
      `sessions: ${n} signed with version ${version}, the last until ${(ends as Date).toISOString()}`,
    )
    left.set(String(version), (left.get(String(version)) ?? 0) + Number(n))
  }
  for (const [version, rows] of left) lines.push(`version ${version} of ${variable}: ${rows} left`)
  return variable === 'SECRETS_KEYS' ? [...lines, ...(await leftUnderPeppers(query))] : lines
}

if (import.meta.main) main().catch(failed)
