import { adminSql, control, type Database } from './stack.ts'

/** Where a database holds a text, in any column of any table. */
async function tablesWith(database: Database, text: string): Promise<string[]> {
  const sql = adminSql(database)
  const tables = await sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_toast'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await sql(`select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text])
    if (rows.length > 0) found.push(`${database} ${name}`)
  }
  return found
}

/** Everything that holds a text: a table, Redis, a line of a Worker's log. */
export async function placesOf(text: string): Promise<string[]> {
  const databases = await Promise.all(
    (['sandbox', 'live', 'identity'] as const).map((name) => tablesWith(name, text)),
  )
  const redis = Object.entries(await control.redisEntries('sandbox')).filter((entry) =>
    entry.join(' ').includes(text),
  )
  const lines = (await Promise.all([control.workerLines('sandbox'), control.workerLines('live')])).flat()
  return [
    ...databases.flat(),
    ...redis.map(([key]) => `redis ${key}`),
    ...lines.filter(({ message }) => message.includes(text)).map(({ message }) => `log ${message}`),
  ]
}
