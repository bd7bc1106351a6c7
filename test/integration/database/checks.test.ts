import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { newLink, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack } from '../../support/stack.ts'

// The CHECKs of a table with four or more are asked by one trigger (drizzle/sql/048_checks.sql), under their own names.

const environments = ['sandbox', 'live'] as const

test.each(environments)(
  '%s: each CHECK is enforced by Postgres or asked by the trigger of its table',
  async (environment) => {
    const checks = await adminSql(environment)<{
      table: string
      name: string
      enforced: boolean
      asked: string | null
    }>(
      `select r.relname as table, k.conname as name, k.conenforced as enforced, p.prosrc as asked
     from pg_constraint k join pg_class r on r.oid = k.conrelid
     left join pg_trigger t on t.tgrelid = r.oid and t.tgname = 'z_checks' and t.tgenabled = 'O' and t.tgtype = 1 | 2 | 4 | 16
     left join pg_proc p on p.oid = t.tgfoid
     where k.contype = 'c' and r.relnamespace = 'public'::regnamespace`,
    )
    expect(checks.length).toBeGreaterThan(500)
    expect(checks.filter(({ enforced }) => enforced).length).toBeGreaterThan(50)
    expect(
      checks.filter(({ enforced, name, asked }) => enforced === (asked?.includes(`then '${name}'`) ?? false)),
    ).toEqual([])
  },
)

test.each(environments)('%s: the trigger is the last before a row is stored', async (environment) => {
  const later = await adminSql(environment)(
    `select t.tgrelid::regclass::text as table, t.tgname as name from pg_trigger t
     join pg_trigger c on c.tgrelid = t.tgrelid and c.tgname = 'z_checks'
     where t.tgtype & 3 = 3 and t.tgname > 'z_checks' collate "C"`,
  )
  expect(later).toEqual([])
})

const file = readFileSync(new URL('../../../drizzle/sql/048_checks.sql', import.meta.url), 'utf8')

type Change = (set: string) => Promise<unknown>

/** Hands over how to change a link of its own, in a transaction that is rolled back. */
async function ofLink(work: (client: pg.Client, change: Change) => Promise<void>) {
  const { id } = await newLink(await newMerchant())
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  try {
    await client.query('begin')
    await work(client, async (set) => {
      await client.query('savepoint before')
      const refused = await client.query(`update payment_links set ${set} where id = '${id}'`).then(
        ({ rowCount }) => void expect(rowCount).toBe(1),
        (error: pg.DatabaseError) => error,
      )
      if (refused) await client.query('rollback to before')
      return refused
    })
  } finally {
    await client.end()
  }
}

const refusedBy = (constraint: string) => ({
  code: '23514',
  schema: 'public',
  table: 'payment_links',
  constraint,
  message: `new row for relation "payment_links" violates check constraint "${constraint}"`,
})

test('what breaks a CHECK is refused under its name, the first by name where several are broken', async () => {
  await ofLink(async (_, change) => {
    expect(await change(`status = 'open'`)).toMatchObject(refusedBy('payment_links_status_known'))
    expect(await change(`starts_at = now(), expires_at = now(), status = 'open'`)).toMatchObject(
      refusedBy('payment_links_opens_before_end'),
    )
    expect(await change(`starts_at = now(), expires_at = null`)).toBeUndefined()
  })
})

test('a CHECK that a migration adds is held, and one that it drops is not', async () => {
  await ofLink(async (client, change) => {
    await client.query(`alter table payment_links add constraint a_probe check (description <> 'refused')`)
    await client.query(file)
    expect(await change(`description = 'refused'`)).toMatchObject(refusedBy('a_probe'))
    expect(await change(`description = 'taken'`)).toBeUndefined()
    await client.query(
      'alter table payment_links drop constraint a_probe, drop constraint payment_links_status_known',
    )
    await client.query(file)
    expect(await change(`description = 'refused', status = 'open'`)).toBeUndefined()
  })
})

test('a table that loses its last CHECK takes every row', async () => {
  await ofLink(async (client, change) => {
    await client.query(`do $$ declare v text; begin
      for v in select conname from pg_constraint where conrelid = 'payment_links'::regclass and contype = 'c' loop
        execute format('alter table payment_links drop constraint %I', v);
      end loop; end $$`)
    await client.query(file)
    expect(await change(`status = 'open', starts_at = now(), expires_at = now()`)).toBeUndefined()
  })
})
