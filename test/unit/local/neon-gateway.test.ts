import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { leakyBuckets } from '../../../local/neon-gateway.ts'
import { type Postgres, startPostgres } from '../../../local/postgres.ts'
import { startControlledNeon } from '../../support/gateways/neon.ts'

let postgres: Postgres
let gateway: Awaited<ReturnType<typeof startControlledNeon>>
let sql: NeonQueryFunction<false, false>
let owner: pg.Client

beforeAll(async () => {
  const passwords = { superuser: 'a', owner: 'b c/%', worker: 'd', identity: 'e' }
  postgres = await startPostgres({ passwords })
  gateway = await startControlledNeon({ postgres })
  neonConfig.fetchEndpoint = gateway.url
  sql = neon(postgres.ownerUrl('sandbox'))
  owner = new pg.Client({ connectionString: postgres.ownerUrl('sandbox') })
  await owner.connect()
  await owner.query(
    'CREATE TABLE notes (id int PRIMARY KEY, body text CONSTRAINT short CHECK (length(body) < 10))',
  )
}, 30_000)

afterAll(async () => {
  await owner?.end()
  await gateway?.stop()
  await postgres?.stop()
})

beforeEach(() => owner.query('TRUNCATE notes'))
afterEach(() => {
  gateway.faults.clear()
  gateway.setLatencyMs(0)
})

const count = async () => Number((await owner.query('SELECT count(*) FROM notes')).rows[0].count)

describe('what the driver receives', () => {
  test('values come in the types it would parse from Neon', async () => {
    const rows =
      await sql`SELECT ${5}::int AS n, ${'x'}::text AS t, null AS none, 9007199254740993::bigint AS big,
      '{"a":[1]}'::jsonb AS j, ARRAY['p','q'] AS list, true AS yes, '2026-01-02T03:04:05Z'::timestamptz AS at`
    expect(rows).toEqual([
      {
        n: 5,
        t: 'x',
        none: null,
        big: '9007199254740993',
        j: { a: [1] },
        list: ['p', 'q'],
        yes: true,
        at: new Date('2026-01-02T03:04:05Z'),
      },
    ])
  })

  test('full results carry the command, the count and the columns', async () => {
    const result = await sql.query(
      'INSERT INTO notes VALUES ($1, $2), ($3, $4) RETURNING id',
      [1, 'a', 2, 'b'],
      {
        fullResults: true,
        arrayMode: true,
      },
    )
    expect(result).toMatchObject({ command: 'INSERT', rowCount: 2, rows: [[1], [2]], rowAsArray: true })
    expect(result.fields[0]).toMatchObject({ name: 'id', dataTypeID: 23, format: 'text' })
  })

  test("a refusal carries Postgres's own error", async () => {
    const failure = await sql`INSERT INTO notes VALUES (1, 'much too long a body')`.catch((error) => error)
    expect(failure).toMatchObject({
      name: 'NeonDbError',
      severity: 'ERROR',
      code: '23514',
      constraint: 'short',
      schema: 'public',
      table: 'notes',
      detail: 'Failing row contains (1, much too long a body).',
    })
  })

  test('two commands in one statement are refused, as by the extended protocol', async () => {
    await expect(sql.query('SELECT 1; SELECT 2')).rejects.toMatchObject({ code: '42601' })
  })

  test('a wrong password is a refusal with its code', async () => {
    const wrong = neon(postgres.ownerUrl('sandbox').replace('b%20c', 'wrong'))
    await expect(wrong`SELECT 1`).rejects.toMatchObject({ code: '28P01' })
  })
})

describe('transactions', () => {
  test('commit together', async () => {
    const results = await sql.transaction([
      sql`INSERT INTO notes VALUES (1, 'a')`,
      sql`SELECT set_config('spindle.tenant', 't1', true)`,
      sql`SELECT current_setting('spindle.tenant') AS tenant, count(*)::int AS n FROM notes`,
    ])
    expect(results[2]).toEqual([{ tenant: 't1', n: 1 }])
    expect(await count()).toBe(1)
  })

  test('fail together, and leave the connection usable', async () => {
    const broken = sql.transaction([
      sql`INSERT INTO notes VALUES (1, 'a')`,
      sql`INSERT INTO notes VALUES (1, 'b')`,
    ])
    await expect(broken).rejects.toMatchObject({ code: '23505', constraint: 'notes_pkey' })
    expect(await count()).toBe(0)
    expect(await sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
  })

  test('are read only where the driver says so', async () => {
    const [readOnly] = await sql.transaction([sql`SHOW transaction_read_only`], { readOnly: true })
    expect(readOnly).toEqual([{ transaction_read_only: 'on' }])
  })
})

test('a client that hangs up cancels its query', async () => {
  const signal = AbortSignal.timeout(150)
  const work = sql.transaction([sql`INSERT INTO notes VALUES (1, 'a')`, sql`SELECT pg_sleep(3)`], {
    fetchOptions: { signal },
  })
  await expect(work).rejects.toThrow()
  await expect
    .poll(
      async () =>
        (
          await owner.query(
            `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3)%' AND state = 'active' AND pid <> pg_backend_pid()`,
          )
        ).rowCount,
    )
    .toBe(0)
  expect(await count()).toBe(0)
})

test('calls are counted and remembered with their database, role and statements', async () => {
  const before = gateway.log.total
  await sql.transaction([sql`SELECT 1`, sql`SELECT 2`])
  await neon(postgres.ownerUrl('live'))`SELECT 3`
  expect(gateway.log.total - before).toBe(2)
  const calls = gateway.log.since(before)
  expect(calls.map(({ database, role, statements }) => ({ database, role, statements }))).toEqual([
    { database: 'sandbox', role: 'spindle_owner', statements: ['SELECT 1', 'SELECT 2'] },
    { database: 'live', role: 'spindle_owner', statements: ['SELECT 3'] },
  ])
  for (const call of calls) expect(call.finishedAtMs).toBeGreaterThanOrEqual(call.startedAtMs)
})

test('latency is added once to a call, however many statements it has', async () => {
  await sql`SELECT 1`
  gateway.setLatencyMs(150)
  const started = performance.now()
  await sql.transaction(Array.from({ length: 20 }, () => sql`SELECT 1`))
  const took = performance.now() - started
  expect(took).toBeGreaterThanOrEqual(149)
  expect(took).toBeLessThan(20 * 150)
})

describe('faults', () => {
  const insert = (signal?: AbortSignal) =>
    sql.transaction([sql`INSERT INTO notes VALUES (1, 'a')`], signal ? { fetchOptions: { signal } } : {})

  test.each([
    ['refuse', /Error connecting to database/, 0],
    ['reset-before-send', /Error connecting to database/, 0],
    ['reset-after-commit', /Error connecting to database/, 1],
    ['5xx-html', /HTTP status 502/, 0],
    ['400-without-sqlstate', /Control plane request failed/, 0],
    ['413', /HTTP status 413/, 0],
    ['507', /HTTP status 507/, 0],
    ['rate-limit', /HTTP status 500/, 0],
    ['truncated-json', /JSON/, 1],
  ] as const)('%s', async (mode, message, rows) => {
    gateway.faults.inject({ mode })
    const failure = await insert().catch((error) => error)
    expect(String(failure.message)).toMatch(message)
    expect(failure.code).toBeUndefined()
    expect(await count()).toBe(rows)
    await sql`DELETE FROM notes`
    await insert()
    expect(await count()).toBe(1)
  })

  test('53300 is Postgres’s own refusal', async () => {
    gateway.faults.inject({ mode: '53300' })
    await expect(insert()).rejects.toMatchObject({ code: '53300', severity: 'FATAL' })
    expect(await count()).toBe(0)
  })

  test('507 can be the answer to work that committed', async () => {
    gateway.faults.inject({ mode: '507', executed: true })
    await expect(insert()).rejects.toThrow('507')
    expect(await count()).toBe(1)
  })

  test('hang: nothing runs, nothing is answered', async () => {
    gateway.faults.inject({ mode: 'hang' })
    await expect(insert(AbortSignal.timeout(80))).rejects.toThrow(/abort/i)
    expect(await count()).toBe(0)
  })

  test('late-commit: the work commits after the client gave up', async () => {
    gateway.faults.inject({ mode: 'late-commit' })
    await expect(insert(AbortSignal.timeout(80))).rejects.toThrow(/abort/i)
    await expect.poll(count).toBe(1)
  })

  test('strike only matching calls, after the skipped ones, as often as ordered', async () => {
    const id = gateway.faults.inject({
      mode: '507',
      match: { database: 'sandbox', contains: 'INTO notes' },
      skip: 1,
      times: 2,
    })
    const outcomes: string[] = []
    for (let n = 1; n <= 5; n++) {
      await sql`SELECT 1`
      outcomes.push(
        await sql`INSERT INTO notes VALUES (${n}, 'a')`.then(
          () => 'fine',
          () => 'struck',
        ),
      )
    }
    expect(outcomes).toEqual(['fine', 'struck', 'struck', 'fine', 'fine'])
    expect(gateway.faults.hits(id)).toBe(2)
    await gateway.faults.hit(id, 2)
  })
})

describe('sizes are counted in bytes', () => {
  const half = 5 * 1024 * 1024

  test.each([
    ['a', 2 * half - 1000],
    ['ñ', half - 1000],
  ])('an answer of %s with room for its frame comes whole', async (letter, length) => {
    const [row] = await sql`SELECT repeat(${letter}, ${length}::int) AS text`
    expect(row!.text.length).toBe(length)
  })

  test('one that is too large only in bytes is refused', async () => {
    await expect(sql`SELECT repeat('ñ', ${half}::int) AS text`).rejects.toThrow('HTTP status 507')
    await expect(sql`SELECT ${'ñ'.repeat(half)}::text AS text`).rejects.toThrow('HTTP status 413')
  })
})

describe('the limit of calls', () => {
  test('a bucket leaks as many calls in a second as it holds, for each database by itself', () => {
    let nowMs = 0
    const hasRoom = leakyBuckets(10, () => nowMs)
    const taken = (database: string) =>
      Array.from({ length: 20 }, () => hasRoom(database)).filter(Boolean).length
    expect([taken('one'), taken('one'), taken('two')]).toEqual([10, 0, 10])
    nowMs = 300
    expect(taken('one')).toBe(3)
    nowMs = 60_000
    expect(taken('one')).toBe(10)
  })

  test('answers 500 without a code; what was refused ran nowhere', async () => {
    const limited = await startControlledNeon({ postgres, callsPerSecondMax: 5 })
    neonConfig.fetchEndpoint = limited.url
    try {
      const all = Array.from({ length: 50 }, (_, id) =>
        sql`INSERT INTO notes VALUES (${id}, 'a')`.then(
          () => 'done',
          (error) => [error.message.slice(0, 30), error.code],
        ),
      )
      const outcomes = await Promise.all(all)
      const done = outcomes.filter((each) => each === 'done').length
      expect(done).toBeGreaterThanOrEqual(5)
      expect(done).toBeLessThan(50)
      expect(outcomes.filter((each) => each !== 'done')).toContainEqual([
        'Server error (HTTP status 500)',
        undefined,
      ])
      expect(await count()).toBe(done)
      await expect.poll(() => sql`SELECT 1 AS one`.catch(() => [])).toEqual([{ one: 1 }])
    } finally {
      neonConfig.fetchEndpoint = gateway.url
      await limited.stop()
    }
  })
})
