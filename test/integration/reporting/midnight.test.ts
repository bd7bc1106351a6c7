import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { type RunRow, rowsOf } from '../../../functions/insight/reporting/store.ts'
import { answered } from '../../support/explain.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { over, started } from '../../support/reporting.ts'
import { adminSql, stack } from '../../support/stack.ts'

const sql = adminSql('sandbox')
/** How many begin before midnight. They go on until the day that is over was read. */
const beforeCount = 600
const clientsCount = 60

/** Books a movement and commits it up to 300 ms later: its clock is read long before others can see it. */
async function move(client: pg.Client, tenantId: string, amount: number): Promise<void> {
  const id = randomUUID()
  await client.query('begin')
  await client.query(
    `insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at)
     values ($1, $2, 'payment', $2, 'release', 'mxn', now())`,
    [tenantId, id],
  )
  await client.query('select pg_sleep(random() * 0.3)')
  await client.query(
    `insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
     values ($1, $2, 1, 'mxn', 'merchant_available', $3::bigint), ($1, $2, 2, 'mxn', 'processor_clearing', -$3::bigint)`,
    [tenantId, id, amount],
  )
  await client.query('commit')
}

/** The rows of the day that ends at `midnight` and of the one that begins then, as the report finds them below a number. */
async function daysAt({ tenantId }: Merchant, midnight: Date, asOf: string) {
  const day = async (startsAt: Date, endsAt: Date) => {
    const run = { type: 'balance.activity', startsAt, endsAt, asOf: BigInt(asOf) } as RunRow
    const rows = await answered(tenantId, rowsOf(run, null, 100_000))
    return rows.map(({ cells }) => cells.join())
  }
  const before = await day(new Date(midnight.getTime() - 86_400_000), midnight)
  return { before, after: await day(midnight, new Date(midnight.getTime() + 86_400_000)) }
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

test('movements across midnight, in slow transactions: each is in one day, and a day that is over stays as it is', {
  timeout: 120_000,
}, async () => {
  const merchant = await newMerchant()
  writtenByHand(merchant.tenantId)
  const clients = Array.from({ length: clientsCount }, () => new pg.Client(stack.databases.sandbox.adminUrl))
  await Promise.all(clients.map((client) => client.connect()))
  let [begun, isRead, atMidnight] = [0, false, () => {}]
  const half = new Promise<void>((resolve) => {
    atMidnight = resolve
  })
  const startedAt = Date.now()
  const moving = Promise.all(
    clients.map(async (client) => {
      while (!isRead) {
        begun++
        if (begun === beforeCount) atMidnight()
        await move(client, merchant.tenantId, begun)
      }
    }),
  )
  await half
  const [clock] = await sql<{ midnight: Date }>(
    `select date_trunc('milliseconds', clock_timestamp()) as midnight`,
  )
  const { midnight } = clock!
  // While they go on, a run of the day that is over.
  const asOf = await asOfNow(merchant)
  const { before } = await daysAt(merchant, midnight, asOf)
  isRead = true
  await moving
  const seconds = (Date.now() - startedAt) / 1000
  await Promise.all(clients.map((client) => client.end()))
  const week = await daysAt(merchant, midnight, await asOfNow(merchant))
  expect(week.before).toEqual(before)
  expect(new Set([...week.before, ...week.after]).size).toBe(begun)
  expect(week.before.length).toBeGreaterThan(beforeCount / 4)
  expect(week.after.length).toBeGreaterThan(0)
  console.log(
    `midnight: ${Math.round(begun / seconds)} movements a second, ${before.length} before it, ${week.after.length} after it`,
  )
})
