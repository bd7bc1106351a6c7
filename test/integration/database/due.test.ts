import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { journalsOf } from '../../support/books.ts'
import { writesRowsByHand } from '../../support/kept-books.ts'
import { newLink, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack, trigger, workerCall } from '../../support/stack.ts'
import { paid } from '../payments/story.ts'

writesRowsByHand()

const sql = adminSql('sandbox')
const putOffSignature = 'door.back_off(text,timestamptz,text[],uuid[])'

/** A paid payment whose funds are due; and `copies` of it for which no journal can be made. */
async function released(copies = 0, availableOn = '2026-01-02') {
  const merchant = await newMerchant()
  await paid(await newLink(merchant, { usage: 'multi_use' }), 'tok_sbx_approve')
  await sql('update payments set available_on = $2 where tenant_id = $1', [merchant.tenantId, availableOn])
  if (copies > 0)
    await sql(
      `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
         'public_id', 'spcs_' || replace(gen_random_uuid()::text, '-', ''), 'net_minor', 0, 'available_on', '2026-01-01'))).*
       from payments p, generate_series(1, $2::int) n where p.tenant_id = $1`,
      [merchant.tenantId, copies],
    )
  return merchant
}

const failuresOf = (tenantId: string) =>
  sql<{ failures_count: number; n: number }>(
    'select failures_count, count(*)::int n from due_failures where tenant_id = $1 group by 1 order by 1',
    [tenantId],
  )

const nextTryHasCome = (tenantId: string) =>
  sql(`update due_failures set next_try_at = now() - interval '1 second' where tenant_id = $1`, [tenantId])

describe('work that always fails', () => {
  test('a set of it delays no other work, comes back and is not lost', async () => {
    const broken = await released(40)
    const sound = await released()
    await trigger('sandbox')
    expect(await journalsOf(sound.tenantId)).toEqual({ capture: 1, release: 1 })
    expect(await journalsOf(broken.tenantId)).toEqual({ capture: 1, release: 1 })
    const [first] = await failuresOf(broken.tenantId)
    expect(first!.n).toBe(40)
    await nextTryHasCome(broken.tenantId)
    await trigger('sandbox')
    const [next] = await failuresOf(broken.tenantId)
    expect(next!.n).toBe(40)
    expect(next!.failures_count).toBeGreaterThan(first!.failures_count)
    await sql(`update payments set funds_status = 'none' where tenant_id = $1`, [broken.tenantId])
  })

  test('it comes back with the next run, then after 1, 2, 4 … minutes, within the hour; after a good day as if new', async () => {
    const { tenantId } = await newMerchant()
    const id = crypto.randomUUID()
    const now = new Date()
    const minutes: number[] = []
    const backOff = async (at: Date) => {
      await workerCall(putOffSignature, ['links', at, `{${tenantId}}`, `{${id}}`])
      const [row] = await sql<{ next_try_at: Date }>(
        'select next_try_at from due_failures where tenant_id = $1',
        [tenantId],
      )
      return Math.abs(Math.round((row!.next_try_at.getTime() - Math.max(at.getTime(), Date.now())) / 60_000))
    }
    for (let tries = 1; tries <= 12; tries++) {
      await nextTryHasCome(tenantId)
      minutes.push(await backOff(new Date()))
    }
    expect(minutes).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60])
    expect(await backOff(new Date(now.getTime() + 26 * 3_600_000))).toBe(0)
    expect(await failuresOf(tenantId)).toMatchObject([{ failures_count: 1, n: 1 }])
  })

  test('parallel runs that fail on one row count once: they do not put it off for an hour', async () => {
    const { tenantId } = await newMerchant()
    const id = crypto.randomUUID()
    const crowd = async () => {
      const now = new Date()
      await Promise.all(
        Array.from({ length: 50 }, () =>
          workerCall(putOffSignature, ['links', now, `{${tenantId}}`, `{${id}}`]),
        ),
      )
      return failuresOf(tenantId)
    }
    expect(await crowd()).toMatchObject([{ failures_count: 1 }])
    await nextTryHasCome(tenantId)
    expect(await crowd()).toMatchObject([{ failures_count: 2 }])
  })

  test('a row with a next look of its own is put off by that look; a later time set meanwhile stays', async () => {
    const merchant = await newMerchant()
    await paid(await newLink(merchant), 'tok_sbx_timeout_then_paid')
    const [attempt] = await sql<{ id: string }>('select id from payment_attempts where tenant_id = $1', [
      merchant.tenantId,
    ])
    const backOff = async () => {
      await nextTryHasCome(merchant.tenantId)
      await workerCall(putOffSignature, ['attempts', 'now', `{${merchant.tenantId}}`, `{${attempt!.id}}`])
    }
    const lookIn = async (text: string) => {
      await sql(`update payment_attempts set next_check_at = now() + $2::interval where tenant_id = $1`, [
        merchant.tenantId,
        text,
      ])
      await backOff()
      const [row] = await sql<{ minutes: number }>(
        `select round(extract(epoch from next_check_at - now()) / 60)::int as minutes from payment_attempts where id = $1`,
        [attempt!.id],
      )
      return row!.minutes
    }
    await backOff()
    await backOff()
    await backOff()
    expect(await lookIn('30 seconds')).toBe(4)
    expect(await lookIn('3 hours')).toBe(180)
  })
})

test('every job finds its rows by an index, and no other job exists', async () => {
  const admin = new Client(stack.databases.sandbox.adminUrl)
  await admin.connect()
  try {
    const { rows: jobs } = await admin.query<{ job: string; table: string }>(
      'select job, table_name as table from door.due_jobs where table_name is not null',
    )
    expect(jobs.length).toBeGreaterThan(10)
    for (const { job, table } of jobs) {
      await admin.query('begin; set local enable_seqscan = off')
      await admin.query('select door.due($1, now(), 100)', [job])
      const { rows: read } = await admin.query<{ relname: string; by: string }>(
        `select relname, case when seq_scan > 0 then 'scan' else 'index' end as by
         from pg_stat_xact_user_tables where schemaname = 'public' and (seq_scan > 0 or relname = $1)`,
        [table],
      )
      await admin.query('rollback')
      expect({ job, read }).toEqual({ job, read: [{ relname: table, by: 'index' }] })
    }
    const { rows: read } = await admin
      .query(
        `begin; set local enable_seqscan = off; select door.waiting_jobs(now());
       select relname from pg_stat_xact_user_tables where schemaname = 'public' and seq_scan > 0; rollback`,
      )
      .then((results) => (results as unknown as pg.QueryResult[])[3]!)
    expect(read).toEqual([])
    await expect(admin.query(`select door.due('links', now(), 100)`)).rejects.toMatchObject({ code: 'P0002' })
  } finally {
    await admin.end()
  }
})

test('every job leases its rows or leaves out what was put off', async () => {
  const [due] = await sql<{ prosrc: string }>(`select prosrc from pg_proc where oid = to_regproc('door.due')`)
  const statements = [...due!.prosrc.matchAll(/'with due as \(.*?\)'\n/gs)].map(([text]) => text)
  expect(statements).toHaveLength(2)
  for (const statement of statements)
    expect(statement).toMatch(/set next_check_at =|not door\.is_put_off\(\$3/)
})
