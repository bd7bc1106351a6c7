import { expect, test } from 'vitest'
import { newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { newEndpoint } from '../../support/receiver.ts'
import { adminSql, stack, workerSql } from '../../support/stack.ts'

const environments = ['sandbox', 'live'] as const

/** Every right to write, on whole tables and on single columns. */
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

/** Policies by which the Worker's role might see a row without a sealed pin, or publish reach another tenant's row. */
const pin = '(tenant_id = ( SELECT door.pinned_tenant() AS pinned_tenant))'
const otherPolicies = `
  select tablename, policyname, roles from pg_policies
   where (roles && array['spindle_worker', 'public', 'spindle_caller']::name[]
       and (roles <> array['spindle_worker']::name[] or cmd <> 'SELECT'
         or qual <> '(door.is_sealed() AND (tenant_id = ( SELECT door.sealed_tenant() AS sealed_tenant)))'))
     or ('spindle_door' = any (roles) and (roles <> array['spindle_door']::name[] or qual <> '${pin}' or with_check <> '${pin}'))
     or ('spindle_reader' = any (roles) and (roles <> array['spindle_reader']::name[] or cmd <> 'SELECT' or qual <> '${pin}'))`

/** Foreign keys between tenant tables that do not carry the tenant from one to the other. */
const loose = `
  select k.conname from pg_constraint k
    join pg_attribute child on child.attrelid = k.conrelid and child.attname = 'tenant_id'
    join pg_attribute parent on parent.attrelid = k.confrelid and parent.attname = 'tenant_id'
   where k.contype = 'f' and not exists (
     select from generate_subscripts(k.conkey, 1) at
      where k.conkey[at] = child.attnum and k.confkey[at] = parent.attnum)`

const executableBy = (role: string) => `
  select p.oid::regprocedure::text as name from pg_proc p
   where p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
     and has_function_privilege('${role}', p.oid, 'EXECUTE') order by 1`

const theDoor = [
  'door.authorize(jsonb,text)',
  'door.begun_under(text,text[],text)',
  'door.beside_links(uuid[])',
  'door.beside_table_sessions(uuid[])',
  'door.call(text,text,jsonb)',
  'door.customers_within(uuid)',
  'door.details_given_with(uuid,text[])',
  'door.discount_uses_of(uuid,uuid,uuid)',
  'door.email_digest(uuid,text)',
  'door.emails_of(uuid,uuid[])',
  'door.enter(jsonb,text,jsonb)',
  'door.environment_methods()',
  'door.events_horizon()',
  'door.external_id_digest(uuid,uuid,text)',
  'door.is_off_sale(uuid,jsonb)',
  'door.is_sealed()',
  'door.is_unproved(payments)',
  'door.mailbox_of(text)',
  'door.metadata_entry(text,text)',
  'door.open_business(uuid[])',
  'door.personal_rows(text,uuid,uuid,integer)',
  'door.pinned_tenant()',
  'door.prices_alive(uuid,uuid,uuid,timestamp with time zone)',
  'door.publish(jsonb)',
  'door.readable_event_types(text)',
  'door.reported_until()',
  'door.risk_asked_again(uuid)',
  'door.risk_customers(uuid,uuid,text)',
  'door.risk_decided(uuid,jsonb,boolean,boolean,boolean)',
  'door.risk_described(jsonb)',
  'door.risk_features(uuid,timestamp with time zone,jsonb,text[],uuid[],text,text,text,text)',
  'door.risk_holds(jsonb,jsonb)',
  'door.risk_listed(uuid,timestamp with time zone,text[])',
  'door.sealed_tenant()',
  'door.surviving_customer(uuid)',
  'door.sync_matches(jsonb)',
  'door.verify_own_audit(bigint,text,integer)',
  'door.workspace_is_open(text)',
]
/** Behind door.call, with the Worker's proof. */
const called = [
  'door.accounts_to_read(timestamp with time zone,boolean,integer)',
  'door.action_tenant(uuid)',
  'door.anchor_audit(timestamp with time zone,integer)',
  'door.attempt_tenant(uuid)',
  'door.back_off(text,timestamp with time zone,text[],uuid[])',
  'door.call(text,text,jsonb)',
  'door.clabe_tenant(text)',
  'door.claim_deliveries(text,uuid,integer)',
  'door.claim_stripe_reading(uuid)',
  'door.count_link_view(text)',
  'door.due(text,timestamp with time zone,integer)',
  'door.environment_account_to_check(text,timestamp with time zone)',
  'door.finish_notification(text,text,text)',
  'door.follow_journals(integer)',
  'door.forget_deliveries(integer,integer)',
  'door.forget_mails(integer)',
  'door.forget_refusals(integer)',
  'door.invitation(uuid)',
  'door.is_proof(text)',
  'door.keep_environment_account(text,jsonb,text,timestamp with time zone)',
  'door.keep_events(text,text,jsonb,text,boolean,timestamp with time zone)',
  'door.keep_notification(text,text,text,text,text)',
  'door.owner_of(text,uuid)',
  'door.phone_app_keys(text,text)',
  'door.processor_account(text,text,text)',
  'door.processor_accounts(text,text)',
  'door.refuse(text,text,jsonb)',
  'door.refuse_proof()',
  'door.reminders_of(uuid)',
  'door.report_mail(uuid,text)',
  'door.report_of_delivery(uuid)',
  'door.saw_device(text)',
  'door.stripe_connection(uuid)',
  'door.sweep(timestamp with time zone,integer)',
  'door.try_pairing(text,text)',
  'door.verify_audit(uuid,bigint,text,integer)',
  'door.waiting_endpoints(integer)',
  'door.waiting_jobs(timestamp with time zone)',
  'door.waiting_notifications(timestamp with time zone,integer)',
  'door.workspaces_of(text)',
]
const theSimulator = [
  'simulator."fetch"(uuid)',
  'simulator.accept_dispute(text)',
  'simulator.answer_challenge(uuid,boolean)',
  'simulator.bank_cancel(uuid)',
  'simulator.bank_fetch(uuid)',
  'simulator.bank_order(uuid)',
  'simulator.bank_refuse(uuid,text,text)',
  'simulator.bank_send(jsonb)',
  'simulator.cancel(uuid)',
  'simulator.cancel_any(uuid)',
  'simulator.capture(uuid,bigint)',
  'simulator.charge(jsonb)',
  'simulator.clabe_of(uuid)',
  'simulator.close_clabe(uuid)',
  'simulator.close_voucher(uuid)',
  'simulator.confirm_dispute(text,text)',
  'simulator.confirm_fraud_warning(text,boolean)',
  'simulator.confirm_refund(text,text)',
  'simulator.draft_evidence(text,jsonb)',
  'simulator.end_inquiry(text,text)',
  'simulator.expire_voucher(text)',
  'simulator.fetch_any(uuid)',
  'simulator.fetch_dispute(text)',
  'simulator.fetch_fraud_warning(text)',
  'simulator.forward(jsonb)',
  'simulator.issue_voucher(jsonb)',
  'simulator.lend_clabe(jsonb)',
  'simulator.make_refund(text,uuid,bigint)',
  'simulator.open_dispute(text,uuid,bigint,text,timestamp with time zone,boolean)',
  'simulator.pay_voucher(text,boolean)',
  'simulator.present(jsonb)',
  'simulator.read_card(jsonb)',
  'simulator.reconsider_dispute(text,text)',
  'simulator.refund(jsonb)',
  'simulator.refund_made(text)',
  'simulator.refund_of(uuid)',
  'simulator.refund_sent_back(text)',
  'simulator.report_fraud(text,uuid,text)',
  'simulator.resolve_dispute(text,text)',
  'simulator.spei_arrive(jsonb)',
  'simulator.spei_confirm(uuid)',
  'simulator.spei_deposit(uuid)',
  'simulator.spei_deposits_of(uuid)',
  'simulator.spei_unconfirmed(integer)',
  'simulator.submit_evidence(text,jsonb)',
  'simulator.unconfirmed_disputes(integer)',
  'simulator.unconfirmed_fraud_warnings(integer)',
  'simulator.unconfirmed_refunds(integer)',
  'simulator.voucher_of(uuid)',
]

test.each(environments)('%s: the Workers’ role has no write right of its own', async (environment) => {
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

test.each(environments)('%s: every tenant table separates its tenants', async (environment) => {
  const sql = adminSql(environment)
  expect(await sql(unforced)).toEqual([])
  expect(await sql(otherPolicies)).toEqual([])
  expect(await sql(loose)).toEqual([])
  // If the queries missed violations, they would find none here either.
  const [{ tables } = { tables: 0 }] = await sql<{ tables: number }>(
    `select count(distinct tablename)::int as tables from pg_policies where policyname = 'tenant_pin'`,
  )
  expect(tables).toBeGreaterThanOrEqual(13)
})

test.each(environments)(
  '%s: it may call the door, and what is behind it only with its proof',
  async (environment) => {
    const executable = async (role: string) =>
      (await adminSql(environment)<{ name: string }>(executableBy(role))).map(({ name }) => name)
    // planned.test.ts looks at these.
    const isPlanned = (name: string) => name.startsWith('door.planned_')
    expect((await executable('spindle_worker')).filter((name) => !isPlanned(name))).toEqual(theDoor)
    expect(await executable('spindle_caller')).toEqual(
      environment === 'sandbox' ? [...called, ...theSimulator] : called,
    )
    // Other functions run with the rights of spindle_door, which adds none.
    const [lent] = await adminSql(environment)<{ names: string[] }>(
      `select array_agg(proname::text order by proname) as names from pg_proc
       where prosecdef and has_function_privilege('spindle_door', oid, 'EXECUTE')
         and pronamespace::regnamespace::text in ('public', 'door', 'simulator')`,
    )
    expect(lent!.names).toEqual(
      environment === 'sandbox'
        ? [
            'admit',
            'advance',
            'authorize',
            'details_given_with',
            'explain_proof',
            'external_id_digest',
            'mail_digest',
            'mail_refused',
            'publish',
          ]
        : [
            'admit',
            'authorize',
            'details_given_with',
            'explain_proof',
            'external_id_digest',
            'mail_digest',
            'mail_refused',
            'publish',
          ],
    )
    const readByCaller = `select c.relname from pg_class c
    where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and c.relnamespace::regnamespace::text in ('public', 'door', 'simulator')
      and has_any_column_privilege('spindle_caller', c.oid, 'SELECT')`
    expect(await adminSql(environment)(readByCaller)).toEqual([{ relname: 'proofs' }])
  },
)

const unreadable = [
  'select digest from api_keys',
  'select token_digest from step_up_challenges',
  'select params_hash from step_up_challenges',
  'select ciphertext from webhook_secrets',
  'select secret_key from processor_credentials',
  'select webhook_secret from processor_credentials',
  'select decryption_key from phone_apps',
  'select verification_key from phone_apps',
  'select api_key from stripe_connections',
  'select webhook_secret from stripe_connections',
  'select * from api_keys',
  'select reply_body from idempotency_claims',
  'select * from door_operations',
  'select * from door_settings',
  'select * from spindle_sql',
  'select * from drizzle.__drizzle_migrations',
  'select * from door.seal_keys',
  'select * from door.proofs',
  'select * from due_failures',
  'select * from processor_event_reads',
  'select * from report_cursor',
  'select * from environment_accounts',
  'select * from processor_notifications',
  'insert into payments default values',
  'update payment_links set status = status',
  'delete from events',
  'truncate ledger_postings',
  'create table x (a int)',
  'create schema x',
  'create table door.x (a int)',
  'create function public.x() returns int language sql return 1',
  'create temp table payments (a int)',
  "create function pg_temp.sha256(bytea) returns bytea language sql return 'x'::bytea",
  'create temp view x as select 1',
  "copy (select 1) to program 'cat'",
  "copy payment_links from '/etc/passwd'",
  'select lo_create(0)',
  "select lo_from_bytea(0, 'x')",
  "select lo_import('/etc/passwd')",
  'select lo_creat(-1)',
  "select pg_read_file('/etc/passwd')",
  'alter table payments disable row level security',
  'set role spindle_door',
  'set role spindle_auth',
  'set role spindle_caller',
  'set role spindle_reader',
  'set role spindle_owner',
  'set session authorization spindle_door',
  'grant spindle_auth to spindle_worker',
  'alter role spindle_worker createrole',
  'select door.seal(gen_random_uuid())',
  "select door.is_proof('x')",
  "select door.owner_of('refunds', gen_random_uuid())",
  "select door.due('refunds', now(), 1)",
  "select door.refuse('SP401', 'x')",
  "select door.apply_insert(gen_random_uuid(), '{}')",
  "select door.claim(gen_random_uuid(), '{}')",
  "select door.explain_proof(gen_random_uuid(), '{}')",
]
test.each(unreadable)('refused: %s', async (statement) => {
  await expect(workerSql('sandbox')(statement)).rejects.toMatchObject({ code: '42501' })
})

test("the simulator's charges are hidden from the role", async () => {
  await expect(workerSql('sandbox')('select * from simulator.charges')).rejects.toMatchObject({
    code: '42501',
  })
})

test.each(environments)(
  '%s: the role has no temporary tables, and every statement has a time limit',
  async (environment) => {
    const [role] = await adminSql(environment)(
      `select r.rolconfig, has_database_privilege(r.oid, current_database(), 'TEMP') as temp,
       has_database_privilege(r.oid, current_database(), 'CREATE') as creates
     from pg_roles r where rolname = 'spindle_worker'`,
    )
    expect(role).toEqual({
      rolconfig: [
        'statement_timeout=10s',
        'idle_in_transaction_session_timeout=10s',
        'enable_seqscan=off',
        'random_page_cost=1.1',
        'jit=off',
      ],
      temp: false,
      creates: false,
    })
  },
)

const appendOnly = [
  'events',
  'audit_events',
  'audit_event_objects',
  'ledger_journals',
  'ledger_postings',
  'webhook_attempts',
]
const rewrites = [
  ...appendOnly.flatMap((table) => [
    `update ${table} set tenant_id = tenant_id`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
  ]),
  'update audit_heads set sequence = sequence + 2',
  'update audit_heads set sequence = sequence - 1',
  `update audit_heads set digest = sha256('x')`,
  'delete from audit_heads',
  'truncate audit_heads',
]
test.each(rewrites)('what is written stays, even for the superuser: %s', async (statement) => {
  const merchant = await newMerchant()
  await newEndpoint(merchant, 'http://127.0.0.1:9')
  const link = await newLink(merchant)
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  const client = new Client({ connectionString: stack.databases.sandbox.adminUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`insert into webhook_attempts (tenant_id, id, delivery_id, number, duration_ms, created_at)
      select tenant_id, gen_random_uuid(), id, 99, 1, now() from webhook_deliveries limit 1`)
    await expect(client.query(statement)).rejects.toMatchObject({ code: 'SP460' })
  } finally {
    await client.query('rollback')
    await client.end()
  }
})
