import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { type RunRow, rowsOf } from '../../../functions/insight/reporting/store.ts'
import { answered } from '../../support/explain.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { over, started } from '../../support/reporting.ts'
import { isWhole } from '../../support/share.ts'
import { adminSql, stack } from '../../support/stack.ts'

const sql = adminSql('sandbox')
/** How many begin before midnight. They go on until the day that is over was read. */
const beforeCount = 600
const clientsCount = 60
const dayMs = 86_400_000
/** How long before midnight the first of them begin, and how long after it the last ones. */
const halfMs = 15_000

/** Books a movement and commits it up to 300 ms later: its clock is read long before others can see it. */
async function move(client: pg.Client, tenantId: string, amount: number): Promise<void> {
  const id = randomUUID()
  // One message: what the clients do is not measured.
  await client.query(`begin;
    insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at)
    values ('${tenantId}', '${id}', 'payment', '${id}', 'release', 'mxn', now());
    select pg_sleep(random() * 0.3);
    insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
    values ('${tenantId}', '${id}', 1, 'mxn', 'merchant_available', ${amount}),
      ('${tenantId}', '${id}', 2, 'mxn', 'processor_clearing', ${-amount});
    commit`)
}

/** The rows of the day that ends at `midnight` and of the one that begins then, as the report finds them below a number. */
async function daysAt({ tenantId }: Merchant, midnight: Date, asOf: string) {
  const day = async (startsAt: Date, endsAt: Date) => {
    const run = { type: 'balance.activity', startsAt, endsAt, asOf: BigInt(asOf) } as RunRow
    const rows = await answered(tenantId, rowsOf(run, null, 100_000))
    return rows.map(({ cells }) => cells.join())
  }
  const before = await day(new Date(midnight.getTime() - dayMs), midnight)
  return { before, after: await day(midnight, new Date(midnight.getTime() + dayMs)) }
}

/** The number of a run that is made now, once all that lies below it is over. */
async function asOfNow(merchant: Merchant): Promise<string> {
  const run = await over(merchant, await started(merchant, 'balance.activity'))
  expect(run.status).toBe('succeeded')
  const [row] = await sql<{ asOf: string }>('select as_of::text as "asOf" from report_runs where id = $1', [
    run.id,
  ])
  return row!.asOf
}

/** So many clients, each of which books one movement after the other until `isOver`. Answers how many there were. */
async function booking(merchant: Merchant, clientsCount: number, isOver: (begun: number) => boolean) {
  const clients = Array.from({ length: clientsCount }, () => new Client(stack.databases.sandbox.adminUrl))
  await Promise.all(clients.map((client) => client.connect()))
  let begun = 0
  await Promise.all(
    clients.map(async (client) => {
      while (!isOver(begun)) await move(client, merchant.tenantId, ++begun)
      await client.end()
    }),
  )
  return begun
}

test('movements across midnight, in slow transactions: each is in one day, and a day that is over stays as it is', {
  timeout: 120_000,
}, async () => {
  const merchant = await newMerchant()
  writtenByHand(merchant.tenantId)
  let [isRead, atMidnight] = [false, () => {}]
  const half = new Promise<void>((resolve) => {
    atMidnight = resolve
  })
  const startedAt = Date.now()
  const moving = booking(merchant, clientsCount, (begun) => {
    if (begun >= beforeCount) atMidnight()
    return isRead
  })
  await half
  const [clock] = await sql<{ midnight: Date }>(
    `select date_trunc('milliseconds', clock_timestamp()) as midnight`,
  )
  const { midnight } = clock!
  // While they go on, a run of the day that is over.
  const asOf = await asOfNow(merchant)
  const { before } = await daysAt(merchant, midnight, asOf)
  isRead = true
  const begun = await moving
  const seconds = (Date.now() - startedAt) / 1000
  const week = await daysAt(merchant, midnight, await asOfNow(merchant))
  expect(week.before).toEqual(before)
  expect(new Set([...week.before, ...week.after]).size).toBe(begun)
  expect(week.before.length).toBeGreaterThan(beforeCount / 4)
  expect(week.after.length).toBeGreaterThan(0)
  console.log(
    `midnight: ${Math.round(begun / seconds)} movements a second, ${before.length} before it, ${week.after.length} after it`,
  )
})

/** The file of a run of these times, as of now: no request can name another midnight than those of Mexico. */
async function filed(merchant: Merchant, startsAt: Date, endsAt: Date) {
  const [{ id: like }, id] = [await started(merchant, 'balance.activity', '2026-03-01'), randomUUID()]
  const times = JSON.stringify({ id, starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString() })
  await sql(`do $$ begin
    set local session_replication_role = replica;
    insert into report_runs select (jsonb_populate_record(r, '${times}')).* from report_runs r where r.id = '${like}';
  end $$`)
  const run = await over(merchant, { id })
  expect(run).toMatchObject({ status: 'succeeded' })
  const reply = await fetch(`${stack.sandbox.directUrl}/v1/reporting/runs/${id}/file`, {
    headers: { authorization: `Bearer ${merchant.apiKey}` },
  })
  const file = Buffer.from(await reply.arrayBuffer())
  expect(createHash('sha256').update(file).digest('hex')).toBe(run.sha256)
  return { file, run, rows: file.toString().trimEnd().split('\r\n').slice(1) }
}

test.runIf(isWhole)(
  '200 movements a second across midnight: the file of the day is that of a later run',
  {
    timeout: 600_000,
  },
  async () => {
    const merchant = await newMerchant()
    writtenByHand(merchant.tenantId)
    const startedAt = Date.now()
    const midnight = new Date(startedAt + halfMs)
    const before = () => filed(merchant, new Date(midnight.getTime() - dayMs), midnight)
    let isFiled = false
    const moving = booking(merchant, 90, () => isFiled && Date.now() > midnight.getTime() + halfMs)
    await delay(halfMs + 50)
    // While they go on, of a day that was over just now.
    const first = await before()
    isFiled = true
    const begun = await moving
    const rate = begun / ((Date.now() - startedAt) / 1000)
    const late = await booking(merchant, 10, (count) => count >= 100)
    const week = [
      await before(),
      await filed(merchant, midnight, new Date(midnight.getTime() + dayMs)),
    ] as const
    expect(week[0].file.equals(first.file)).toBe(true)
    expect(week[0].run.closing).toEqual(week[1].run.opening)
    expect(new Set([...week[0].rows, ...week[1].rows]).size).toBe(begun + late)
    for (const { rows } of week) expect(rows.length).toBeGreaterThan(begun / 8)
    console.log(
      `midnight: ${Math.round(rate)} movements a second, ${first.rows.length} before it, ${week[1].rows.length} after it; ${first.file.length} bytes`,
    )
    expect(rate, 'movements a second: the machine does something else beside').toBeGreaterThan(200)
  },
)
