import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { asDevice, asPairing, newCode, newDevice, newPaired } from '../../support/devices.ts'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { newEndpoint } from '../../support/receiver.ts'
import { adminSql, pin, proofOf, stack, workerCall, workerSql } from '../../support/stack.ts'
import { asKey } from './door.ts'

/* Attacks with DATABASE_URL and none of the Worker's other secrets: no row of any tenant is read or changed. */

/** Everything that the role may read a column of, wherever it lies. */
const readable = `
  select c.oid::regclass::text as name from pg_class c
   where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
     and has_any_column_privilege('spindle_worker', c.oid, 'SELECT')
   order by 1`

const connected = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: stack.databases.sandbox.workerUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const within = async <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => {
  await client.query('begin')
  try {
    return await work()
  } finally {
    await client.query('rollback')
  }
}
const set = (client: pg.Client, setting: string, value: string, isLocal = true) =>
  client.query('select set_config($1, $2, $3)', [setting, value, isLocal])
const sealOf = async (client: pg.Client, tenantId: string) => {
  await pin(client, tenantId)
  const { rows } = await client.query<{ seal: string }>(`select current_setting('spindle.seal') as seal`)
  expect(rows[0]!.seal).toMatch(/^[0-9a-f]{64}$/)
  return rows[0]!.seal
}

test('without its tenant filter a query finds nothing, or the pinned tenant only', async () => {
  const [own, other] = [await newMerchant(), await newMerchant()]
  await Promise.all([newLink(own), newLink(other)])
  await connected(async (client) => {
    const seen = async (table: string) =>
      (await client.query<{ tenant_id: string }>(`select distinct tenant_id from ${table}`)).rows.map(
        (row) => row.tenant_id,
      )
    const tables = (await client.query<{ name: string }>(readable)).rows.map(({ name }) => name)
    expect(tables).toContain('payment_links')
    expect(tables.length).toBeGreaterThanOrEqual(11)
    for (const table of tables) expect([table, await seen(table)]).toEqual([table, []])
    for (const { tenantId } of [own, other]) {
      for (const table of ['tenants', 'memberships', 'payment_links', 'events', 'api_keys'])
        await within(client, async () => {
          await pin(client, tenantId)
          expect([table, await seen(table)]).toEqual([table, [tenantId]])
        })
      // From now on the pin of that transaction is an empty text on this connection, not NULL.
      const settings = `select current_setting('spindle.tenant') as t, current_setting('spindle.seal') as s`
      expect((await client.query(settings)).rows).toEqual([{ t: '', s: '' }])
      for (const table of tables) expect([table, await seen(table)]).toEqual([table, []])
    }
    for (const none of ['', ' ', '%', randomUUID()])
      await within(client, async () => {
        await pin(client, none)
        expect(await seen('payment_links')).toEqual([])
      })
  })
})

type Forgery = (client: pg.Client, victim: string, other: string) => Promise<unknown>
const forgeries: Record<string, Forgery> = {
  'the pin alone': (client, victim) => set(client, 'spindle.tenant', victim),
  'the pin of the session': (client, victim) => set(client, 'spindle.tenant', victim, false),
  'an empty seal': async (client, victim) => {
    await set(client, 'spindle.tenant', victim)
    await set(client, 'spindle.seal', '')
  },
  'a seal of what the role can compute': async (client, victim) => {
    await set(client, 'spindle.tenant', victim)
    await client.query(
      `select set_config('spindle.seal', encode(sha256(sha256(int4send(pg_backend_pid())
         || timestamptz_send(transaction_timestamp()) || convert_to($1, 'UTF8'))), 'hex'), true)`,
      [victim],
    )
  },
  'the seal of another tenant': async (client, victim, other) => {
    await sealOf(client, other)
    await set(client, 'spindle.tenant', victim)
  },
  'the seal of an earlier transaction': async (client, victim) => {
    const seal = await sealOf(client, victim)
    await client.query('rollback')
    await client.query('begin')
    await set(client, 'spindle.tenant', victim)
    await set(client, 'spindle.seal', seal)
  },
  'the seal of another backend': (client, victim) =>
    connected((authorized) =>
      within(authorized, async () => {
        const seal = await sealOf(authorized, victim)
        await set(client, 'spindle.tenant', victim)
        await set(client, 'spindle.seal', seal)
      }),
    ),
  'a search path of its own': async (client, victim) => {
    await set(client, 'search_path', 'pg_temp, simulator, door, public')
    await set(client, 'spindle.tenant', victim)
    await set(client, 'spindle.seal', 'x')
  },
}

test.each(Object.entries(forgeries))('%s opens nothing', async (_what, forge) => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  await newLink(merchant)
  await newEndpoint(merchant, 'http://127.0.0.1:9')
  await connected((client) =>
    within(client, async () => {
      await forge(client, merchant.tenantId, other.tenantId)
      const { rows: tables } = await client.query<{ name: string }>(readable)
      for (const { name } of tables) {
        const { rows } = await client.query(`select count(*)::int as n from ${name}`)
        expect([name, rows]).toEqual([name, [{ n: 0 }]])
      }
      const { rows } = await client.query(
        'select door.sealed_tenant() as sealed, door.workspace_is_open($1) as open',
        [merchant.tenantId],
      )
      expect(rows).toEqual([{ sealed: null, open: false }])
    }),
  )
})

test('a plan that was made under a seal finds nothing without it', async () => {
  const merchant = await newMerchant()
  await newLink(merchant)
  await connected(async (client) => {
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query('prepare links as select id from payment_links')
    const found = async (makePin: () => Promise<unknown>) =>
      within(client, async () => {
        await makePin()
        return (await client.query('execute links')).rows.length
      })
    expect(await found(() => pin(client, merchant.tenantId))).toBe(1)
    expect(await found(() => set(client, 'spindle.tenant', merchant.tenantId))).toBe(0)
  })
})

/** The closest that an attacker can come to the proof. */
const guesses = () => {
  const proof = proofOf('sandbox')
  return [
    undefined,
    null,
    '',
    'x',
    createHash('sha256').update(proof).digest('hex'),
    `${proof} `,
    { 1: proof },
  ]
}

test('without the proof no credential is accepted, even one that names public values, whatever it asks for', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const sql = adminSql('sandbox')
  const [{ user_id: userId } = { user_id: '' }] = await sql<{ user_id: string }>(
    'select user_id from memberships where tenant_id = $1',
    [merchant.tenantId],
  )
  const named = {
    tenantId: merchant.tenantId,
    userId,
    publicId: link.public_id,
    challengeId: randomUUID(),
    tokenDigest: 'x',
    ...asPairing(await newCode(merchant, await newDevice(merchant))),
  }
  const { kid } = asKey(merchant.apiKey)
  const device = asDevice((await newPaired(merchant)).credential)
  const operations = await sql<{ id: string; kind: string }>(
    `select id, jsonb_object_keys(access) kind from door_operations
     union select id, 'step_up' from door_operations where access->'session' ? 'stepUp' order by 1, 2`,
  )
  expect(new Set(operations.map(({ kind }) => kind)).size).toBe(11)
  const answered: unknown[] = []
  await connected(async (client) => {
    const refusedBy = async (text: string, values: unknown[]) =>
      client.query(text, values).then(
        ({ rows }) => JSON.stringify(rows),
        ({ code }: { code: string }) => code,
      )
    for (const [at, { id: operation, kind }] of operations.entries()) {
      const proof = guesses()[at % guesses().length]
      const credential =
        kind === 'api_key' || kind === 'device'
          ? {
              kind,
              kid: kind === 'device' ? device.kid : kid,
              proof: proofOf('sandbox'),
              digests: [{}, { 1: 'x' }, null, { 1: null }][at % 4],
            }
          : { ...named, kind, proof }
      const publication = {
        operation,
        credential,
        publishId: randomUUID(),
        writes: [],
        events: [],
        claim: {},
      }
      // An operator's proof would be their login, which is not the Worker's.
      const expected = ['api_key', 'device', 'operator'].includes(kind) ? 'SP401' : '28000'
      for (const [text, values] of [
        ['select door.authorize($1, $2)', [JSON.stringify(credential), operation]],
        ['select door.enter($1, $2, $3)', [JSON.stringify(credential), operation, '{"key":"x"}']],
        ['select door.publish($1)', [JSON.stringify(publication)]],
      ] as const) {
        const code = await refusedBy(text, [...values])
        if (code !== expected) answered.push([text, operation, kind, code])
      }
    }
  })
  expect(answered).toEqual([])
})

/** Calls of all functions that `spindle_caller` may execute, or may not. */
const callsOf = (not: 'not' | '') => `
  select format('%s.%s(%s)', p.pronamespace::regnamespace, p.proname, (
      select string_agg(format('($1->>%s)::%s', a.at - 1, replace(t.typname, 'int4', 'int')), ', ' order by a.at)
      from unnest(p.proargtypes) with ordinality a (type, at) join pg_type t on t.oid = a.type)) as call
  from pg_proc p
  where p.pronamespace::regnamespace::text in ('door', 'simulator')
    and ${not} has_function_privilege('spindle_caller', p.oid, 'EXECUTE')`

test('no function that crosses tenants runs without the proof, and with it no other function does', async () => {
  const sql = adminSql('sandbox')
  const codeOf = (proof: unknown, made: string) =>
    workerSql('sandbox')('select door.call($1, $2, $3)', [proof, made, '[]']).then(
      () => 'answered',
      ({ code }: { code: string }) => code,
    )
  const callable = await sql<{ call: string }>(callsOf(''))
  expect(callable.length).toBeGreaterThan(50)
  for (const [at, { call: made }] of callable.entries()) {
    const guess = guesses()[at % guesses().length]
    const proof = typeof guess === 'object' ? JSON.stringify(guess) : guess
    expect([made, await codeOf(proof, made)]).toEqual([made, '28000'])
  }
  const proof = proofOf('sandbox')
  expect(await codeOf(proof, 'door.seal(($1->>0)::uuid)')).toBe('42501')
  expect(await codeOf(proof, 'door.apply_insert(($1->>0)::uuid, ($1->>1)::jsonb)')).toBe('42501')
  // Functions with a row or list argument are refused for the form of the call, or for an unknown type.
  for (const { call: made } of await sql<{ call: string }>(callsOf('not')))
    expect([made, await codeOf(proof, made)]).toEqual([made, expect.stringMatching(/^(42501|42704|SP460)$/)])
  for (const made of [
    'set_config(($1->>0)::text, ($1->>1)::text, true)',
    'pg_catalog.lo_create(($1->>0)::oid)',
    'door.sweep((select now()), ($1->>0)::int)',
    'door.owner_of(($1->>0)::text, ($1->>1)::uuid), (select 1)',
    'door.owner_of(($1->>0)::text, ($1->>1)::uuid); select (1)',
  ])
    expect([made, await codeOf(proof, made)]).toEqual([made, 'SP460'])
  expect(await workerCall('door.owner_of(text,uuid)', ['refunds', randomUUID()])).toBe(null)
})

test('no other session sees what the Worker sends beside its statements', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  await call('GET', '/v1/payment-links', { bearer: merchant.apiKey })
  const shown = await workerSql('sandbox')<{ query: string }>(
    `select query from pg_stat_activity where usename = 'spindle_worker' and datname = current_database()
     union all select statement from pg_prepared_statements union all select statement from pg_cursors`,
  )
  const text = shown.map(({ query }) => query).join('\n')
  expect(text).toContain('$1')
  const { kid, digests } = asKey(merchant.apiKey)
  for (const value of [proofOf('sandbox'), merchant.tenantId, link.public_id, kid!, digests[1]])
    expect(text).not.toContain(value)
})

type Node = { 'Node Type': string; 'Plan Rows': number; Plans?: Node[] }
const scans = (node: Node): Node[] =>
  [node, ...(node.Plans ?? []).flatMap(scans)].filter((each) => each['Node Type'].includes('Scan'))
const planOf = async (client: pg.Client, query: string) => {
  const { rows } = await client.query(`explain (analyze, format json) ${query}`)
  return rows[0]['QUERY PLAN'][0].Plan as Node
}

test('not even the number of rows leaks: without a seal no table is scanned or estimated', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  await connected((client) =>
    within(client, async () => {
      await set(client, 'spindle.tenant', merchant.tenantId)
      await set(client, 'enable_seqscan', 'off')
      for (const query of [
        `select from payment_links where public_id = '${link.public_id}'`,
        `select from payment_links where public_id > 'a'`,
        `select from payments p join payment_attempts a on a.payment_id = p.id where p.amount_minor > 0`,
        'select count(*) from events',
      ]) {
        const plan = await planOf(client, query)
        expect([query, scans(plan), plan['Plan Rows']]).toEqual([query, [], query.includes('count') ? 1 : 0])
      }
      await pin(client, merchant.tenantId)
      expect(scans(await planOf(client, 'select from events')).length).toBeGreaterThan(0)
    }),
  )
  const known = await workerSql('sandbox')(
    `select tablename from pg_stats where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  expect(known).toEqual([])
  await expect(
    connected(async (client) => {
      await client.query('set row_security = off')
      await client.query('select count(*) from payment_links')
    }),
  ).rejects.toMatchObject({ code: '42501' })
})
