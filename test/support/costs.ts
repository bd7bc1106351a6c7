import { adminSql, counts } from './stack.ts'

/** What one request costs the database, whatever the machine: averages over the requests that were counted. */
export interface Cost {
  /** How often the caller waits for the database or Redis. */
  readonly trips: number
  /** Statements that ran inside Postgres, those of functions and triggers included. */
  readonly statements: number
  /** Of these, how many were planned again. */
  readonly planned: number
  /** Pages of tables and indexes that were looked at. */
  readonly buffers: number
  readonly inserted: number
  /** Updates that wrote index entries again, and those that did not. */
  readonly updated: number
  readonly hotUpdated: number
  readonly indexEntries: number
  readonly walBytes: number
}

/** Rows of tables that a request finds, by an index or not: averages over some requests. */
export interface Found {
  readonly found: number
}

export interface Counted extends Cost {
  /** The statements, the most frequent first. */
  readonly ran: readonly string[]
}

const sql = adminSql('sandbox')
/** A session plans a statement of a function a few times before it keeps a plan. */
const warmRequests = 24
const countedRequests = 4

/** Has the database count statements, in all sessions to come. Only for exclusive files. */
export async function countStatements(isCounted: boolean): Promise<void> {
  await sql('create extension if not exists pg_stat_statements; create extension if not exists pg_walinspect')
  for (const setting of [`track = '${isCounted ? 'all' : 'none'}'`, `track_planning = ${isCounted}`])
    await sql(
      `do $$ begin execute format('alter database %I set pg_stat_statements.${setting.replaceAll("'", "''")}', current_database()); end $$`,
    )
  await endSessions()
}

/** Sends a request often enough that all sessions have their plans, then counts. */
export async function costOf(request: () => Promise<unknown>): Promise<Counted> {
  for (let sent = 0; sent < warmRequests; sent++) await request()
  await settled()
  await sql('select pg_stat_statements_reset()')
  const before = await flushed()
  let trips = 0
  for (let sent = 0; sent < countedRequests; sent++) trips += (await counts.during(request)).trips
  await settled()
  const statements = await sql<{
    text: string
    calls: number
    plans: number
    buffers: number
    within: number
  }>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, sum(calls)::int as calls, sum(plans)::int as plans,
       coalesce(sum(shared_blks_hit + shared_blks_read) filter (where toplevel), 0)::int as buffers,
       sum(shared_blks_hit + shared_blks_read)::int as within
     from pg_stat_statements s join pg_database d on d.oid = s.dbid
     where d.datname = current_database() and query !~ 'pg_stat_statements|pg_logical_emit|pg_get_wal' group by 1`,
  )
  const wal = await sql<{ kind: string; records: number; bytes: number }>(
    `select resource_manager || ' ' || record_type as kind, count(*)::int as records, sum(record_length)::int as bytes
     from pg_get_wal_records_info($1, $2) group by 1`,
    [before, await flushed()],
  )
  const each = (sum: number) => Math.round((sum / countedRequests) * 100) / 100
  const records = (kind: RegExp) =>
    each(wal.filter((of) => kind.test(of.kind)).reduce((sum, of) => sum + of.records, 0))
  const sum = (of: 'calls' | 'plans' | 'buffers') => each(statements.reduce((all, row) => all + row[of], 0))
  return {
    trips: each(trips),
    statements: sum('calls'),
    planned: sum('plans'),
    buffers: sum('buffers'),
    inserted: records(/^Heap2? .*INSERT/),
    updated: records(/^Heap UPDATE/),
    hotUpdated: records(/^Heap HOT_UPDATE/),
    indexEntries: records(/^Btree INSERT_(LEAF|POST)/),
    walBytes: each(wal.reduce((all, { bytes }) => all + bytes, 0)),
    ran: statements
      .toSorted((one, other) => other.plans - one.plans || other.calls - one.calls)
      .map(
        ({ text, calls, plans, within }) =>
          `${each(calls)} run, ${each(plans)} planned, ${each(within)} buffers: ${text.slice(0, 160)}`,
      ),
  }
}

/** How many rows a request finds. Sessions say so when they end: those of the gateway are ended before and afterwards. */
export async function foundBy(request: () => Promise<unknown>): Promise<Found> {
  await settled()
  const before = await rowsFound()
  for (let sent = 0; sent < countedRequests; sent++) await request()
  await settled()
  return { found: ((await rowsFound()) - before) / countedRequests }
}

async function rowsFound(): Promise<number> {
  await endSessions()
  const [row] = await sql<{ found: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as found from pg_stat_user_tables
     where schemaname in ('public', 'simulator')`,
  )
  return row!.found
}

const endSessions = () =>
  sql(`select pg_terminate_backend(pid, 1000) from pg_stat_activity where application_name = 'neon-gateway'`)

/** Where the log ends that can be read: a server that need not survive a crash writes it out late. */
async function flushed(): Promise<string> {
  const [row] = await sql<{ lsn: string }>(`select pg_logical_emit_message(false, '', '', true)::text as lsn`)
  return row!.lsn
}

/** Work behind the replies has ended: at several looks in a row no call was under way, and none had begun. */
async function settled(): Promise<void> {
  let last = await counts.start()
  for (let quietLooks = 0; quietLooks < 5; quietLooks++) {
    const begun = Object.values(await counts.since(last)).flat()
    if (begun.some(({ finishedAtMs }) => finishedAtMs === undefined)) quietLooks = -1
    else if (begun.length > 0) [quietLooks, last] = [-1, await counts.start()]
  }
}
