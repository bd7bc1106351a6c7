import type pg from 'pg'
import { expect, test } from 'vitest'
import { linkForSale } from '../../../functions/selling/payment-links/store.ts'
import { newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { pastTriggers } from '../../support/explain.ts'
import { newLink, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, pin, stack } from '../../support/stack.ts'

// Queries of a fixed shape read as spindle_reader, whose policies ask for the pin alone: each looks for the seal before.

const looksFirst =
  /^ ?(#variable_conflict use_column )?begin if door\.sealed_tenant\(\) is (not null then return query [^;]*; end if; end|null then return; end if; return query [^;]*; end) ?$/

const asText = { getTypeParser: () => String } as pg.CustomTypesConfig

/** What the queries call. None writes, and none authorizes. */
const readingFunctions = [
  'begun_under',
  'customers_within',
  'discount_uses_of',
  'environment_methods',
  'external_id_digest',
  'is_off_sale',
  'mailbox_of',
  'pinned_tenant',
  'risk_asked_again',
  'risk_customers',
  'risk_decided',
  'risk_described',
  'risk_features',
  'risk_holds',
  'risk_listed',
  'sealed_tenant',
  'surviving_customer',
  'sync_matches',
]

test.each(['sandbox', 'live'] as const)(
  '%s: what reads by the pin alone looks for the seal before, and reads what the Worker may',
  async (environment) => {
    const sql = adminSql(environment)
    const of = await sql<{ name: string; body: string }>(
      `select proname::text as name, regexp_replace(prosrc, '[[:space:]]+', ' ', 'g') as body
       from pg_proc where proowner = 'spindle_reader'::regrole order by 1`,
    )
    expect(of.filter(({ body }) => !looksFirst.test(body))).toEqual([])
    expect(of.map(({ name }) => name).filter((name) => !name.startsWith('planned_'))).toEqual([
      'beside_links',
      'beside_table_sessions',
    ])
    const rights = await sql<{ name: string }>(
      `select proname::text as name from pg_proc where pronamespace::regnamespace::text in ('public', 'door', 'simulator')
         and proowner <> 'spindle_reader'::regrole and has_function_privilege('spindle_reader', oid, 'EXECUTE') order by 1`,
    )
    expect(rights.map(({ name }) => name)).toEqual(readingFunctions)
    expect(
      await sql(
        `select nspname from pg_namespace where nspname in ('public', 'door', 'simulator')
           and has_schema_privilege('spindle_reader', oid, 'CREATE')`,
      ),
    ).toEqual([])
    const differs = `select c.relname, a.attname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      where c.relnamespace::regnamespace::text in ('public', 'door', 'simulator') and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and (has_column_privilege('spindle_reader', c.oid, a.attnum, 'SELECT')
            <> has_column_privilege('spindle_worker', c.oid, a.attnum, 'SELECT')
          or has_any_column_privilege('spindle_reader', c.oid, 'INSERT, UPDATE, REFERENCES')
          or has_table_privilege('spindle_reader', c.oid, 'DELETE, TRUNCATE, TRIGGER'))`
    expect(await sql(differs)).toEqual([])
    expect(
      await sql(`select from pg_auth_members where roleid = 'spindle_reader'::regrole and member <>
      (select datdba from pg_database where datname = current_database())`),
    ).toEqual([])
  },
)

test('each such query may call what it calls', async () => {
  const { tenantId } = await newMerchant()
  const queries = await adminSql('sandbox')<{ text: string }>(
    `select format('select count(*) from door.%I(%s)', p.proname,
       array_to_string(array_fill('null'::text, array[p.pronargs::int]), ', ')) as text
     from pg_proc p where p.pronamespace = 'door'::regnamespace and p.proname like 'planned\\_%'`,
  )
  expect(queries.length).toBeGreaterThan(300)
  const worker = new Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
  try {
    await worker.query('begin read only')
    await pin(worker, tenantId)
    for (const { text } of queries) await worker.query(text)
  } finally {
    await worker.end()
  }
})

test('a function that such a query calls too reads nothing by the pin alone when the Worker calls it', async () => {
  const merchant = await newMerchant()
  const item = await newItem(merchant, (await newCatalog(merchant)).id)
  const link = await newLink(merchant)
  const lines = JSON.stringify([{ item_id: item.id }])
  // Its catalog is a draft: what is sold is off sale.
  await pastTriggers('update payment_links set lines = $2 where id = $1', [link.id, lines])
  const worker = new Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
  const within = async (pinned: () => Promise<unknown>, query: string, values: unknown[]) => {
    await worker.query('begin read only')
    await pinned()
    const { rows } = await worker.query({ text: query, values, rowMode: 'array', types: asText })
    await worker.query('rollback')
    return rows[0] as unknown[]
  }
  const sealed = () => pin(worker, merchant.tenantId)
  const forged = () => worker.query(`select set_config('spindle.tenant', $1, true)`, [merchant.tenantId])
  const sale = linkForSale({ publicId: link.public_id })
  const asReader = async () => {
    const cells = await within(sealed, sale.planned!, sale.values as unknown[])
    return sale.rows([cells as string[]])[0]?.isOffSale
  }
  const asWorker = async (pinned: () => Promise<unknown>) =>
    (await within(pinned, 'select door.is_off_sale($1, $2)', [merchant.tenantId, lines]))[0] === 't'
  try {
    // After some calls Postgres keeps one plan of the function for the session, which the reader and the Worker share.
    for (let call = 0; call < 8; call++) {
      expect(await asReader()).toBe(true)
      expect(await asWorker(forged)).toBe(false)
      expect(await asWorker(sealed)).toBe(true)
    }
  } finally {
    await worker.end()
  }
})
