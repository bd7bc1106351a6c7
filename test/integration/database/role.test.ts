import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { newEndpoint } from '../../support/receiver.ts'
import { adminSql, stack, workerSql } from '../../support/stack.ts'

const environments = ['sandbox', 'live'] as const

/** Every right that lets somebody write, on whole tables and on single columns. */
const writeRights = `
  select c.relnamespace::regnamespace || '.' || c.relname as name, r.right
    from pg_class c cross join unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) r ("right")
   where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
     and (has_table_privilege('spindle_worker', c.oid, r.right)
       or (r.right in ('INSERT', 'UPDATE', 'REFERENCES') and has_any_column_privilege('spindle_worker', c.oid, r.right)))`

const owned = `
  select 'relation' as kind, oid::regclass::text as name from pg_class where relowner = 'spindle_worker'::regrole
  union all select 'function', oid::regprocedure::text from pg_proc where proowner = 'spindle_worker'::regrole
  union all select 'schema', nspname from pg_namespace where nspowner = 'spindle_worker'::regrole
  union all select 'type', typname from pg_type where typowner = 'spindle_worker'::regrole
  union all select 'database', datname from pg_database where datdba = 'spindle_worker'::regrole`

const unforced = `
  select c.relname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     and not (c.relrowsecurity and c.relforcerowsecurity)`

/** Policies that could let the Workers' role see a row without its tenant pinned. */
const otherPolicies = `
  select tablename, policyname from pg_policies
   where (roles && array['spindle_worker', 'public', 'spindle_door']::name[])
     and (qual <> '(tenant_id = ( SELECT door.pinned_tenant() AS pinned_tenant))'
       or with_check <> '(tenant_id = ( SELECT door.pinned_tenant() AS pinned_tenant))')`

/** Foreign keys between tenant tables that do not carry the tenant from one to the other. */
const loose = `
  select k.conname from pg_constraint k
    join pg_attribute child on child.attrelid = k.conrelid and child.attname = 'tenant_id'
    join pg_attribute parent on parent.attrelid = k.confrelid and parent.attname = 'tenant_id'
   where k.contype = 'f' and not exists (
     select from generate_subscripts(k.conkey, 1) at
      where k.conkey[at] = child.attnum and k.confkey[at] = parent.attnum)`

const functions = `
  select p.oid::regprocedure::text as name from pg_proc p
   where p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
     and has_function_privilege('spindle_worker', p.oid, 'EXECUTE') order by 1`

const theDoor = [
  'door.attempt_tenant(uuid)',

  'door.authorize(jsonb,text)',
  'door.clabe_tenant(text)',
  'door.claim_deliveries(text,uuid,integer)',
  'door.due(text,timestamp with time zone,integer)',
  'door.enter(jsonb,text,jsonb)',
  'door.finish_notification(text,text,text)',
  'door.forget_deliveries(integer,integer)',
  'door.keep_notification(text,text,text,text,text)',
  'door.metadata_entry(text,text)',
  'door.owner_of(text,uuid)',
  'door.pinned_tenant()',
  'door.processor_account(text,text,text)',
  'door.processor_accounts(text,text)',
  'door.publish(jsonb)',
  'door.put_off(text,timestamp with time zone,text[],uuid[])',
  'door.sealed_otherwise(text,text,timestamp with time zone,integer)',
  'door.sweep(timestamp with time zone,integer)',
  'door.waiting_endpoints(integer)',
  'door.waiting_notifications(timestamp with time zone,integer)',
  'door.workspace_is_open(text)',
  'door.workspaces_of(text)',
]
const theSimulator = [
  'simulator."fetch"(uuid)',
  'simulator.answer_challenge(uuid,boolean)',
  'simulator.bank_cancel(uuid)',
  'simulator.bank_look(uuid)',
  'simulator.bank_order(uuid)',
  'simulator.bank_refuse(uuid,text,text)',
  'simulator.bank_send(jsonb)',
  'simulator.cancel(uuid)',
  'simulator.capture(uuid,bigint)',
  'simulator.charge(jsonb)',
  'simulator.clabe_of(uuid)',
  'simulator.close_clabe(uuid)',
  'simulator.close_voucher(uuid)',
  'simulator.expire_voucher(text)',
  'simulator.fetch_dispute(text)',
  'simulator.issue_voucher(jsonb)',
  'simulator.lend_clabe(jsonb)',
  'simulator.make_refund(text,uuid,bigint)',
  'simulator.open_dispute(text,uuid,bigint,text,timestamp with time zone)',
  'simulator.pay_voucher(text,boolean)',
  'simulator.reconsider_dispute(text,text)',
  'simulator.refund(jsonb)',
  'simulator.refund_made(text)',
  'simulator.refund_of(uuid)',
  'simulator.refund_sent_back(text)',
  'simulator.resolve_dispute(text,text)',
  'simulator.spei_arrive(jsonb)',
  'simulator.spei_confirm(uuid)',
  'simulator.spei_deposit(uuid)',
  'simulator.spei_deposits_of(uuid)',
  'simulator.spei_unconfirmed(integer)',
  'simulator.submit_evidence(text,jsonb)',
  'simulator.told(text,text)',
  'simulator.told_refund(text,text)',
  'simulator.untold(integer)',
  'simulator.untold_refunds(integer)',
  'simulator.voucher_of(uuid)',
]

test.each(environments)('%s: the Workers’ role may write nothing by itself', async (environment) => {
  expect(await adminSql(environment)(writeRights)).toEqual([])
  expect(await adminSql(environment)(owned)).toEqual([])
  const [role] = await adminSql(environment)(
    `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
            (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
            has_schema_privilege('spindle_worker', 'public', 'CREATE') as creates_in_public,
            has_schema_privilege('spindle_worker', 'door', 'CREATE') as creates_in_door
       from pg_roles r where rolname = 'spindle_worker'`,
  )
  expect(role).toEqual({
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolbypassrls: false,
    rolreplication: false,
    memberships: 0,
    creates_in_public: false,
    creates_in_door: false,
  })
})

test.each(environments)('%s: every tenant table holds its tenants apart', async (environment) => {
  const sql = adminSql(environment)
  expect(await sql(unforced)).toEqual([])
  expect(await sql(otherPolicies)).toEqual([])
  expect(await sql(loose)).toEqual([])
  // Were the queries blind, they would find nothing either.
  const [{ tables } = { tables: 0 }] = await sql<{ tables: number }>(
    `select count(distinct tablename)::int as tables from pg_policies where policyname = 'tenant_pin'`,
  )
  expect(tables).toBeGreaterThanOrEqual(13)
})

test.each(environments)('%s: it may call the door, and nothing behind it', async (environment) => {
  const names = (await adminSql(environment)<{ name: string }>(functions)).map(({ name }) => name)
  expect(names).toEqual(environment === 'sandbox' ? [...theDoor, ...theSimulator] : theDoor)
})

const unreadable = [
  'select digest from api_keys',
  'select token_digest from step_up_challenges',
  'select sealed from webhook_secrets',
  'select * from api_keys',
  'select reply_body from idempotency_claims',
  'select * from door_operations',
  'select * from door_settings',
  'select * from spindle_guards',
  'select * from drizzle.__drizzle_migrations',
  'insert into payments default values',
  'update payment_links set status = status',
  'delete from events',
  'truncate ledger_postings',
  'create table x (a int)',
  'create schema x',
  'alter table payments disable row level security',
  'set role spindle_door',
  'set role spindle_gate',
  "select door.refuse('SP401', 'x')",
  "select door.apply_insert('x', '{}')",
  "select door.claim('x', '{}')",
  "select door.explain_proof('x', '{}')",
]
test.each(unreadable)('refused: %s', async (statement) => {
  await expect(workerSql('sandbox')(statement)).rejects.toMatchObject({ code: '42501' })
})

test('the simulator keeps its charges to itself', async () => {
  await expect(workerSql('sandbox')('select * from simulator.charges')).rejects.toMatchObject({
    code: '42501',
  })
})

/** The tenant tables that the role may read. */
const readable = `
  select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and has_column_privilege('spindle_worker', a.attrelid, a.attnum, 'SELECT')
   order by 1`

test('without its tenant filter a query finds nothing, or the pinned tenant only', async () => {
  const [own, other] = [await newMerchant(), await newMerchant()]
  await Promise.all([newLink(own), newLink(other)])
  const client = new pg.Client({ connectionString: stack.databases.sandbox.workerUrl })
  await client.connect()
  const seen = async (table: string) =>
    (await client.query<{ tenant_id: string }>(`select distinct tenant_id from ${table}`)).rows.map(
      (row) => row.tenant_id,
    )
  const pinned = async <T>(tenantId: string, work: () => Promise<T>): Promise<T> => {
    await client.query('begin')
    await client.query("select set_config('spindle.tenant', $1, true)", [tenantId])
    const result = await work()
    await client.query('commit')
    return result
  }
  try {
    const tables = (await client.query<{ name: string }>(readable)).rows.map(({ name }) => name)
    expect(tables).toContain('payment_links')
    expect(tables.length).toBeGreaterThanOrEqual(11)
    for (const table of tables) expect([table, await seen(table)]).toEqual([table, []])
    for (const { tenantId } of [own, other]) {
      for (const table of ['tenants', 'memberships', 'payment_links', 'events', 'api_keys']) {
        expect([table, await pinned(tenantId, () => seen(table))]).toEqual([table, [tenantId]])
      }
      // What a transaction pinned is an empty text on this connection from now on, not NULL.
      expect((await client.query("select current_setting('spindle.tenant') as t")).rows).toEqual([{ t: '' }])
      for (const table of tables) expect([table, await seen(table)]).toEqual([table, []])
    }
    for (const nobody of ['', ' ', '%', randomUUID()]) {
      expect(await pinned(nobody, () => seen('payment_links'))).toEqual([])
    }
  } finally {
    await client.end()
  }
})

const appendOnly = [
  'events',
  'audit_events',
  'ledger_journals',
  'ledger_postings',
  'webhook_attempts',
  'webhook_payloads',
]
const rewrites = appendOnly.flatMap((table) =>
  [`update ${table} set tenant_id = tenant_id`, `delete from ${table}`, `truncate ${table} cascade`].map(
    (statement) => [statement],
  ),
)
test.each(rewrites)('what is written stays, whoever asks: %s', async (statement) => {
  const merchant = await newMerchant()
  await newEndpoint(merchant, 'http://127.0.0.1:9')
  const link = await newLink(merchant)
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  const client = new pg.Client({ connectionString: stack.databases.sandbox.adminUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`insert into audit_events (tenant_id, id, operation, actor_kind, actor_id, request_id, created_at)
      select tenant_id, gen_random_uuid(), 'x', 'x', 'x', 'x', now() from tenants limit 1`)
    await client.query(`insert into webhook_attempts (tenant_id, id, delivery_id, number, duration_ms, created_at)
      select tenant_id, gen_random_uuid(), id, 99, 1, now() from webhook_deliveries limit 1`)
    await expect(client.query(statement)).rejects.toMatchObject({ code: 'SP460' })
  } finally {
    await client.query('rollback')
    await client.end()
  }
})
