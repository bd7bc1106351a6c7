import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROJECT } from '../../../local/project.ts'
import { stack } from '../../support/stack.ts'

const folder = join(PROJECT, 'drizzle/migrations')
const migrations = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
const at = migrations.findIndex((name) => name.endsWith('_payouts_to_bank_accounts.sql'))
const database = `before_${randomUUID().replaceAll('-', '')}`
const owner = new pg.Client({ connectionString: stack.databases.sandbox.ownerUrl })
let client: pg.Client

/** A database of the owner's, as it was before payouts took their account from bank accounts. */
beforeAll(async () => {
  await owner.connect()
  await owner.query(`create database ${database}`)
  const url = new URL(stack.databases.sandbox.ownerUrl)
  url.pathname = database
  client = new pg.Client({ connectionString: url.href })
  await client.connect()
  for (const name of migrations.slice(0, at)) await client.query(readFileSync(join(folder, name), 'utf8'))
})
afterAll(async () => {
  await client.end()
  await owner.query(`drop database ${database}`)
  await owner.end()
})

const clabe = '032180000118359719'
const cool = '2026-06-14T12:00:00.000Z'

/** The statuses of a workspace's bank accounts with the CLABE of its settings, oldest first, and what they become. */
const workspaces: readonly [tenantId: string, accounts: readonly string[], named: object, all: number][] = [
  ['tn_none', [], { status: 'verified', verification: 'review', holder: 'Settings' }, 1],
  ['tn_verified', ['verified'], { status: 'verified', verification: 'deposit', holder: 'Account' }, 1],
  ['tn_pending', ['pending_verification'], { status: 'verified', holder: 'Settings', polls: false }, 1],
  ['tn_again', ['rejected', 'disabled', 'verified'], { status: 'verified', holder: 'Account' }, 3],
  ['tn_disabled', ['rejected', 'disabled'], { status: 'disabled', holder: 'Account' }, 2],
]

test('settings that name a CLABE name the bank account of it, and payouts go on as before', async () => {
  for (const [tenantId, accounts] of workspaces) {
    await client.query(
      `insert into tenants (tenant_id, id, name, status, version, created_at, updated_at)
       values ($1, gen_random_uuid(), 'Café', 'active', 1, now(), now())`,
      [tenantId],
    )
    await client.query(
      `insert into payout_settings (tenant_id, id, currency, interval, minimum_minor, clabe, holder,
         cool_down_ends_at, next_payout_on, version, created_at, updated_at)
       values ($1, gen_random_uuid(), 'mxn', 'daily', 0, $2, 'Settings', $3, '2026-06-15', 1, now(), now())`,
      [tenantId, clabe, cool],
    )
    for (const [order, status] of accounts.entries())
      await client.query(
        `insert into bank_accounts (tenant_id, id, status, clabe, holder, verification, rejection_code, verified_at,
           next_check_at, checks_count, created_at, updated_at)
         values ($1, gen_random_uuid(), $2, $3, 'Account', 'deposit',
           case $2 when 'rejected' then 'account_closed' end, now(),
           case $2 when 'pending_verification' then now() end, 0, now() + $4::int * interval '1 hour', now())`,
        [tenantId, status, clabe, order],
      )
  }
  for (const table of ['payout_settings', 'bank_accounts'])
    await client.query(
      `alter table ${table} enable row level security; alter table ${table} force row level security`,
    )

  await client.query(`begin; ${readFileSync(join(folder, migrations[at]!), 'utf8')}; commit`)

  for (const [tenantId, , named, all] of workspaces) {
    const { rows } = await client.query(
      `select b.status, b.verification, b.holder, b.clabe, b.cool_down_ends_at, b.next_check_at is not null as polls,
         s.next_payout_on::text, (select count(*)::int from bank_accounts o where o.tenant_id = s.tenant_id) as all
       from payout_settings s join bank_accounts b on b.tenant_id = s.tenant_id and b.id = s.bank_account_id
       where s.tenant_id = $1`,
      [tenantId],
    )
    const kept = { clabe, next_payout_on: '2026-06-15', all }
    const cooling = tenantId === 'tn_disabled' ? {} : { cool_down_ends_at: new Date(cool) }
    expect(rows, tenantId).toMatchObject([{ ...named, ...kept, ...cooling }])
  }
})
