import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newSession, payByCard } from '../../support/checkout.ts'
import { call, type Merchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { mulberry32, type Random } from '../../support/random.ts'
import { getReport, over, type Run, started } from '../../support/reporting.ts'
import { type SecondBooks, secondBooks, type Told } from '../../support/second-books.ts'
import { isWhole } from '../../support/share.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { beginning, type Command, command } from '../money/commands.ts'
import { newWorld, settle, take } from '../money/world.ts'

const sql = adminSql('sandbox')
type Cells = Readonly<Record<string, string | null>>

/** What every month has beside chance: sales with IVA at three rates, and payouts. */
const sales = [
  [{ name: 'Taza', unit_amount: '11600' }],
  [
    { name: 'Libro', unit_amount: '20000', iva_rate: '0' },
    { name: 'Café', unit_amount: '10899', iva_rate: '8', quantity: 3 },
  ],
]
const ending: readonly Command[] = [
  { kind: 'clock', hours: 240 },
  { kind: 'payout' },
  { kind: 'payout_fail', which: 0 },
  { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 500_000, months: 1 },
  { kind: 'clock', hours: 240 },
  { kind: 'payout' },
  { kind: 'reconciler' },
]

/** All events that an endpoint of the merchant's could have got, in their order, with the number of their transaction. */
async function streamOf({ apiKey: bearer, tenantId }: Merchant) {
  const events: { id: string; data: { object: Told['object'] } }[] = []
  for (let cursor = ''; ; ) {
    const query = `?order=asc&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const { body, text, status } = await call<{
      data: typeof events
      has_more: boolean
      next_cursor: string
    }>('GET', `/v1/webhooks/events${query}`, { bearer })
    if (status !== 200) throw new Error(text)
    events.push(...body.data)
    cursor = body.next_cursor
    if (!body.has_more) break
  }
  const orders = await sql<{ id: string; commit: string }>(
    'select id, commit_order::text as commit from events where tenant_id = $1',
    [tenantId],
  )
  const commits = new Map(orders.map(({ id, commit }) => [id, commit]))
  return events.map(({ id, data: { object } }) => ({ commit: commits.get(id)!, object }))
}

const monthBegins = Date.parse('2026-10-01T06:00:00Z')
const dayMs = 86_400_000

/** Books what each transaction did at a random time of October, in their order. Answers the times. */
async function spreadOverOctober({ tenantId }: Merchant, commits: readonly string[], random: Random) {
  const times = commits.map(() => monthBegins + Math.trunc(random() * 31 * dayMs)).sort((a, b) => a - b)
  // Some at the very beginning and end of a day.
  for (const [at, time] of times.entries())
    if (at % 5 === 0) times[at] = monthBegins + Math.trunc((time - monthBegins) / dayMs) * dayMs - (at % 2)
  times[0] = Math.max(times[0]!, monthBegins)
  times.sort((a, b) => a - b)
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    for (const table of ['ledger_journals', 'balance_activity'])
      await client.query(
        `update ${table} b set booked_at = t.at from unnest($2::bigint[], $3::timestamptz[]) t (commit, at)
         where b.tenant_id = $1 and b.commit_order = t.commit`,
        [tenantId, commits, times.map((time) => new Date(time))],
      )
    await client.query('commit')
  } finally {
    await client.end()
  }
  return new Map(commits.map((commit, at) => [commit, new Date(times[at]!)]))
}

const dateOf = (day: number) => `2026-10-${String(day).padStart(2, '0')}`

/** October in parts of random days. */
function partsOf(random: Random): { from: string; to: string; begins: number; ends: number }[] {
  const cuts = [1, 1, 1, 1].map(() => 2 + Math.trunc(random() * 30))
  const firsts = [...new Set([1, ...cuts])].sort((a, b) => a - b)
  return firsts.map((first, at) => {
    const last = (firsts[at + 1] ?? 32) - 1
    return {
      from: dateOf(first),
      to: dateOf(last),
      begins: monthBegins + (first - 1) * dayMs,
      ends: monthBegins + last * dayMs,
    }
  })
}

async function reported(merchant: Merchant, type: string, from: string, to: string) {
  const run = await over(merchant, await started(merchant, type, from, to))
  expect(run.status, `${type} ${from} to ${to}`).toBe('succeeded')
  const rows: Cells[] = []
  for (let after: string | null = ''; after !== null; ) {
    const query: string = `limit=100${after && `&after=${after}`}`
    const { body } = await getReport<{ data: { cells: Cells }[]; next: string | null }>(
      merchant,
      `/runs/${run.id}/rows?${query}`,
    )
    rows.push(...body.data.map(({ cells }) => cells))
    after = body.next
  }
  return { run, rows }
}

/** Sums by a name; what comes to nothing is left out. */
function sums<T>(rows: readonly T[], name: (row: T) => unknown, amount: (row: T) => bigint) {
  const all = new Map<string, bigint>()
  for (const row of rows) all.set(String(name(row)), (all.get(String(name(row))) ?? 0n) + amount(row))
  return Object.fromEntries([...all].filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)))
}
const cell = (name: string) => (row: Cells) => BigInt(row[name] ?? '0')
const total = (rows: readonly bigint[]) => rows.reduce((all, each) => all + each, 0n)

/** Each part of the month as the reports have it, against the second books. */
async function compareParts(merchant: Merchant, books: SecondBooks, random: Random): Promise<void> {
  let opening = 0n
  for (const { from, to, begins, ends } of partsOf(random)) {
    const within = <T extends { readonly at: Date }>(rows: readonly T[]) =>
      rows.filter(({ at }) => at.getTime() >= begins && at.getTime() < ends)
    const moves = within(books.moves)
    const closing = opening + total(moves.map(({ amountMinor }) => amountMinor))
    const summary = await reported(merchant, 'balance.summary', from, to)
    const activity = await reported(merchant, 'balance.activity', from, to)
    const ofBalance = { opening: opening, closing }
    for (const { run } of [summary, activity])
      expect({ opening: minorOf(run.opening), closing: minorOf(run.closing) }).toEqual(ofBalance)
    expect(sums(summary.rows, (row) => row.source_type, cell('amount'))).toEqual(
      sums(
        moves,
        (move) => move.sourceType,
        (move) => move.amountMinor,
      ),
    )
    expect(sums(activity.rows, (row) => row.source_id, cell('amount'))).toEqual(
      sums(
        moves,
        (move) => move.sourceId,
        (move) => move.amountMinor,
      ),
    )
    const fees = await reported(merchant, 'fees_and_iva', from, to)
    for (const [column, of] of [
      ['fee', 'feeMinor'],
      ['iva', 'ivaMinor'],
    ] as const)
      expect(sums(fees.rows, (row) => row.source_id, cell(column))).toEqual(
        sums(
          within(books.fees),
          (fee) => fee.sourceId,
          (fee) => fee[of],
        ),
      )
    const iva = await reported(merchant, 'iva_collected', from, to)
    const shown = iva.rows.map((row) => [row.payment_id, row.iva_rate, row.base, row.iva, row.total].join())
    const known = within(books.collected).map((each) =>
      [each.paymentId, each.rate, each.baseMinor, each.ivaMinor, each.totalMinor].join(),
    )
    expect(shown.sort()).toEqual(known.sort())
    opening = closing
  }
}
const minorOf = (amounts: Run['opening']) => BigInt(amounts?.mxn ?? '0')

/** Each deposit as the bank has it, and under it what had become available since the one before. */
async function comparePayouts(merchant: Merchant, books: SecondBooks): Promise<number> {
  const { rows } = await reported(merchant, 'payout.reconciliation', dateOf(1), dateOf(31))
  const orders = await sql<{ id: string; amount: string }>(
    `select reference::text as id, amount_minor::text as amount from simulator.bank_orders
     where reference in (select id from payouts where tenant_id = $1)`,
    [merchant.tenantId],
  )
  const payouts = books.moves.flatMap((move, at) =>
    move.sourceType === 'payout' && move.amountMinor < 0n ? [{ ...move, at }] : [],
  )
  let since = 0
  for (const { sourceId, amountMinor, at } of payouts) {
    const under = rows.filter((row) => row.payout_id === sourceId)
    expect(total(under.map(cell('amount')))).toBe(-amountMinor)
    expect(sums(under, (row) => row.source_id, cell('amount'))).toEqual(
      sums(
        books.moves.slice(since, at),
        (move) => move.sourceId,
        (move) => move.amountMinor,
      ),
    )
    since = at + 1
  }
  expect(new Set(rows.map((row) => row.payout_id))).toEqual(new Set(payouts.map(({ sourceId }) => sourceId)))
  expect(new Set(rows.map((row) => row.journal_id)).size).toBe(rows.length)
  const sent = payouts.map(({ sourceId, amountMinor }) => [sourceId, String(-amountMinor)])
  expect(sent).toEqual(expect.arrayContaining(orders.map(({ id, amount }) => [id, amount])))
  return orders.length
}

test('a month is closed by its events and the bank’s statement alone, and agrees with every report to the centavo', {
  timeout: 900_000,
}, async () => {
  const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31))
  const histories = fc.sample(fc.array(command, { minLength: 30, maxLength: 50, size: 'max' }), {
    numRuns: isWhole ? 10 : 1,
    seed,
  })
  const random = mulberry32(seed)
  let [moved, deposited] = [0, 0]
  for (const history of histories) {
    const world = await newWorld()
    const { merchant, other } = world
    for (const line_items of sales) await payByCard(await newSession(merchant, { line_items }))
    for (const one of [...beginning, ...history, ...ending]) await take(world, one)
    await settle([merchant.tenantId, other.tenantId])
    const stream = await streamOf(merchant)
    const booked = await sql<{ commit: string }>(
      'select commit_order::text as commit from ledger_journals where tenant_id = $1',
      [merchant.tenantId],
    )
    const commits = [...new Set([...stream, ...booked].map(({ commit }) => commit))]
    commits.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
    const times = await spreadOverOctober(merchant, commits, random)
    const books = secondBooks(stream.map(({ commit, object }) => ({ object, at: times.get(commit)! })))
    await compareParts(merchant, books, random)
    deposited += await comparePayouts(merchant, books)
    moved += books.moves.length
  }
  console.log(`months: SEED=${seed}, ${histories.length} closed, ${moved} movements, ${deposited} deposits`)
  expect(deposited).toBeGreaterThan(0)
})
