import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { reportTypeNames } from '../../../drizzle/schema/reporting.ts'
import {
  rowsOf as foundRows,
  heldAt,
  movedBy,
  type RunRow,
  summedRows,
} from '../../../functions/insight/reporting/store.ts'
import { explained } from '../../support/explain.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { funded, payOut, settingsFor, settlesAs } from '../../support/payouts.ts'
import { Client } from '../../support/postgres.ts'
import { getReport as get, over, type Run, started, today } from '../../support/reporting.ts'
import { adminSql, control, stack, trigger } from '../../support/stack.ts'
import { newWorld, take } from '../money/world.ts'

const sql = adminSql('sandbox')

type Cells = { journal_id: string; amount: string; total: string; booked_at: string }
type Rows = { data: { id: string; cells: Cells }[]; next: string | null }

async function rowsOf(merchant: Merchant, { id }: { readonly id: string }, limit = 2) {
  const rows: Cells[] = []
  for (let after: string | null = ''; ; ) {
    const query = new URLSearchParams({ limit: String(limit), ...(after && { after }) })
    const { status, body, text } = await get<Rows>(merchant, `/runs/${id}/rows?${query}`)
    if (status !== 200) throw new Error(text)
    rows.push(...body.data.map(({ cells }) => cells))
    after = body.next
    if (after === null) return rows
  }
}

const sum = (amounts: readonly string[]) => amounts.reduce((all, amount) => all + BigInt(amount), 0n)

test('the rows of a day are what moved, its closing is the balance, and its file is the rows', async () => {
  const world = await newWorld()
  const { merchant } = world
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 90_000, months: 1 })
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 30_000, months: 1 })
  await take(world, { kind: 'clock', hours: 168 })
  await take(world, { kind: 'payout' })
  const run = await over(merchant, await started(merchant, 'balance.activity'))
  const rows = await rowsOf(merchant, run)
  const [ledger] = await sql<{ balance: string }>(
    `select balance_minor::text as balance from ledger_accounts where tenant_id = $1 and code = 'merchant_available'`,
    [merchant.tenantId],
  )
  expect(run).toMatchObject({ status: 'succeeded', opening: { mxn: '0' }, closing: { mxn: ledger!.balance } })
  expect(rows).toHaveLength(run.rows_count)
  expect(rows.length).toBeGreaterThan(2)
  expect(String(sum(rows.map(({ amount }) => amount)))).toBe(ledger!.balance)
  // Reading it as text takes its mark away.
  const file = await get<never>(merchant, `/runs/${run.id}/file`)
  expect(createHash('sha256').update(`\ufeff${file.text}`).digest('hex')).toBe(run.sha256)
  const lines = file.text.trimEnd().split('\r\n').slice(1)
  expect(lines.map((line) => line.split(',').at(-1))).toEqual(rows.map(({ amount }) => amount))
})

test('the fees of a day are those of its payments, computed a second time', async () => {
  const world = await newWorld()
  const { merchant } = world
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 90_000, months: 1 })
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 77_777, months: 1 })
  const run = await over(merchant, await started(merchant, 'fees_and_iva', today, today, { format: 'jsonl' }))
  const [paid] = await sql<{ fees: string }>(
    `select sum(fee_processing_minor + fee_installments_minor + fee_iva_minor)::text as fees from payments
     where tenant_id = $1`,
    [merchant.tenantId],
  )
  const rows = await rowsOf(merchant, run)
  expect(run.status).toBe('succeeded')
  expect(String(sum(rows.map(({ total }) => total)))).toBe(paid!.fees)
  const { text } = await get<never>(merchant, `/runs/${run.id}/file`)
  const lines = text.trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as Cells).total)).toEqual(rows.map(({ total }) => total))
})

test('each account agrees with its report after some of everything', async () => {
  const world = await newWorld()
  const { merchant } = world
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 90_000, months: 1 })
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 60_000, months: 3 })
  await take(world, { kind: 'clock', hours: 168 })
  await take(world, { kind: 'payout' })
  await take(world, { kind: 'dashboard_refund', which: 0, part: 'third' })
  await take(world, { kind: 'dispute', which: 1 })
  const ends = []
  for (const type of reportTypeNames) {
    const run = await over(merchant, await started(merchant, type))
    ends.push([type, run.status, (await rowsOf(merchant, run)).length > 0])
  }
  const empty = ['unapplied_funds', 'tips.staff', 'shifts', 'offline_losses']
  expect(ends).toEqual(reportTypeNames.map((type) => [type, 'succeeded', !empty.includes(type)]))
})

test('the rows of a payout sum to its deposit, each with the sale and the fees under it', async () => {
  const world = await newWorld()
  const { merchant } = world
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 90_000, months: 1 })
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 30_000, months: 1 })
  await take(world, { kind: 'clock', hours: 168 })
  await take(world, { kind: 'dashboard_refund', which: 0, part: 'third' })
  await take(world, { kind: 'payout' })
  const [payout] = await sql<{ id: string; amount: string }>(
    'select id, amount_minor::text as amount from payouts where tenant_id = $1',
    [merchant.tenantId],
  )
  const rows = (await rowsOf(
    merchant,
    await over(merchant, await started(merchant, 'payout.reconciliation')),
  )) as unknown as {
    payout_id: string
    source_type: string
    gross: string
    fee: string
    iva: string
    amount: string
  }[]
  expect(new Set(rows.map(({ payout_id }) => payout_id))).toEqual(new Set([payout!.id]))
  expect(String(sum(rows.map(({ amount }) => amount)))).toBe(payout!.amount)
  const sales = rows.filter(({ source_type }) => source_type === 'payment')
  expect(sales.map(({ gross }) => gross).sort()).toEqual(['30000', '90000'])
  for (const { gross, fee, iva, amount } of sales)
    expect(BigInt(gross) - BigInt(fee) - BigInt(iva)).toBe(BigInt(amount))
})

test('a payout that failed stands under the next one', async () => {
  const { merchant } = await funded([10_000, 20_000], '11')
  const { body: failed } = await payOut(merchant)
  await settlesAs(merchant, failed.id, 'failed')
  await settingsFor(merchant)
  const { body: next } = await payOut(merchant)
  const rows = (await rowsOf(
    merchant,
    await over(merchant, await started(merchant, 'payout.reconciliation')),
  )) as unknown as { payout_id: string; source_id: string; entry_kind: string; amount: string }[]
  expect(rows.filter(({ payout_id }) => payout_id === failed.id)).toHaveLength(2)
  expect(rows.filter(({ payout_id }) => payout_id === next.id)).toMatchObject([
    { source_id: failed.id, entry_kind: 'payout_reversed', amount: next.amount },
  ])
})

test('the mix of methods and of terms sums to what was captured', async () => {
  const world = await newWorld()
  const { merchant } = world
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 90_000, months: 1 })
  await take(world, {
    kind: 'card',
    token: 'tok_sbx_msi_3_6_9_12',
    manual: false,
    amount: 600_000,
    months: 3,
  })
  await take(world, { kind: 'card', token: 'tok_sbx_debit', manual: false, amount: 10_000, months: 1 })
  const rowsOfType = async (type: string) =>
    (await rowsOf(merchant, await over(merchant, await started(merchant, type)), 1)) as unknown as Record<
      string,
      string
    >[]
  expect(await rowsOfType('method_mix')).toMatchObject([
    { method: 'card', currency: 'mxn', payments_count: '3', gross: '700000' },
  ])
  const terms = await rowsOfType('msi.terms')
  expect(terms.map(({ installment_months, gross }) => [installment_months, gross]).sort()).toEqual([
    ['1', '100000'],
    ['3', '600000'],
  ])
})

test('a report reads no table from end to end', async () => {
  const merchant = await newMerchant()
  const run = await over(merchant, await started(merchant, 'balance.activity'))
  const [row] = await sql<{ starts: string; ends: string; as_of: string }>(
    'select starts_at::text as starts, ends_at::text as ends, as_of::text from report_runs where id = $1',
    [run.id],
  )
  const placed = {
    startsAt: new Date(row!.starts),
    endsAt: new Date(row!.ends),
    asOf: BigInt(row!.as_of),
    showsPersons: true,
  } as RunRow
  const queries = reportTypeNames.flatMap((type) => {
    const run = { ...placed, type }
    return [foundRows(run, null, 100), summedRows(run, null, 100), movedBy(run)]
  })
  for (const query of [...queries, heldAt(placed.endsAt)]) {
    const { nodes } = await explained(merchant.tenantId, query)
    expect(
      nodes.map((node) => node['Node Type']),
      query.text,
    ).not.toContain('Seq Scan')
  }
})

/** Journals of the available balance at times in the past, which the database alone could book. */
async function bookedAt(merchant: Merchant, times: readonly string[]) {
  writtenByHand(merchant.tenantId)
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  let balance = 0
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    for (const [at, time] of times.entries()) {
      const [id, amount] = [randomUUID(), (at + 1) * 101 * (at % 3 === 0 ? -1 : 1)]
      balance += amount
      await client.query(
        `insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at, commit_order,
           booked_at) values ($1, $2, 'payment', $2, 'release', 'mxn', $3, 1, $3)`,
        [merchant.tenantId, id, time],
      )
      for (const [line, code, minor] of [
        [1, 'merchant_available', amount],
        [2, 'processor_clearing', -amount],
      ])
        await client.query(`insert into ledger_postings values ($1, $2, $3, 'mxn', $4, $5)`, [
          merchant.tenantId,
          id,
          line,
          code,
          minor,
        ])
    }
    for (const [code, minor] of [
      ['merchant_available', balance],
      ['processor_clearing', -balance],
    ])
      await client.query(`insert into ledger_accounts values ($1, 'mxn', $2, $3)`, [
        merchant.tenantId,
        code,
        minor,
      ])
    await client.query('commit')
  } finally {
    await client.end()
  }
  return balance
}

test('days chain: each opening is the closing before it, and each movement is in one day', async () => {
  const merchant = await newMerchant()
  const times = [
    // Days in Mexico City begin at 06:00 in UTC.
    '2026-03-01T05:59:59.999Z',
    '2026-03-01T06:00:00.000Z',
    '2026-03-01T23:59:59.999Z',
    '2026-03-02T05:59:59.999Z',
    '2026-03-02T06:00:00.000Z',
    '2026-03-02T06:00:00.000Z',
    '2026-03-03T05:59:59.999Z',
    '2026-03-04T12:00:00.000Z',
    '2026-03-05T06:00:00.000Z',
  ]
  const balance = await bookedAt(merchant, times)
  const days = ['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']
  const runs: Run[] = []
  for (const day of days) runs.push(await over(merchant, await started(merchant, 'balance.activity', day)))
  expect(runs.map(({ rows_count }) => rows_count)).toEqual([1, 3, 3, 0, 1, 1])
  expect(runs.map(({ opening }) => opening?.mxn)).toEqual([
    '0',
    ...runs.slice(0, -1).map(({ closing }) => closing?.mxn),
  ])
  expect(runs.at(-1)?.closing).toEqual({ mxn: String(balance) })
  const each = (await Promise.all(runs.map((run) => rowsOf(merchant, run)))).flat()
  const whole = await over(merchant, await started(merchant, 'balance.activity', days[0], days.at(-1)))
  expect(each).toEqual(await rowsOf(merchant, whole, 4))
  expect(new Set(each.map(({ journal_id }) => journal_id)).size).toBe(times.length)
  const [again, once] = [await over(merchant, await started(merchant, 'balance.activity', days[1])), runs[1]!]
  expect(again.sha256).toBe(once.sha256)
  const at = await get<{ accounts: object[] }>(merchant, '/balance?at=2026-03-01T06:00:00Z')
  expect(at.body.accounts).toEqual([
    { account: 'merchant_available', currency: 'mxn', amount: '-101' },
    { account: 'processor_clearing', currency: 'mxn', amount: '101' },
  ])
})

/** What our log has of a run: a line of the level `error` raises the alarm. */
const logged = async ({ id }: { readonly id: string }) =>
  (await control.workerLines('sandbox'))
    .filter(({ message }) => message.includes(id))
    .map(({ message }) => JSON.parse(message) as object)

test('a run whose rows are not what its accounts moved by fails, and shows no rows', async () => {
  const merchant = await newMerchant()
  await bookedAt(merchant, ['2026-03-01T12:00:00.000Z'])
  await sql(`update ledger_accounts set balance_minor = balance_minor + 1 where tenant_id = $1`, [
    merchant.tenantId,
  ])
  const run = await over(merchant, await started(merchant, 'balance.activity', '2026-03-01'))
  expect(run).toMatchObject({ status: 'failed', failure: 'report_unbalanced', sha256: null })
  const alarm = { level: 'error', place: 'report_runs', id: run.id, what: 'a report is not balanced' }
  await expect.poll(() => logged(run)).toMatchObject([alarm])
  const rows = await get<{ error: { code: string } }>(merchant, `/runs/${run.id}/rows`)
  expect([rows.status, rows.body.error.code]).toEqual([409, 'report_run_unfinished'])
})

test('a run that is not over after 7 days fails, and what it wrote is removed', async () => {
  const merchant = await newMerchant()
  const { id } = await started(merchant, 'balance.activity', '2026-03-01')
  const aged = async (days: number) => {
    const [copy] = await sql<{ id: string }>(
      `insert into report_runs select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(),
         'status', 'queued', 'created_at', now() - make_interval(days => $2), 'next_check_at', now(), 'finished_at', null,
         'remove_at', null, 'file_digest', null, 'parts_count', 0, 'parts', '[]'::jsonb))).*
       from report_runs r where r.id = $1 returning id`,
      [id, days],
    )
    return over(merchant, copy!)
  }
  expect(await aged(6)).toMatchObject({ status: 'succeeded', failure: null })
  const failed = await aged(8)
  expect(failed).toMatchObject({ status: 'failed', failure: 'report_abandoned', sha256: null })
  const alarm = { level: 'error', place: 'report_runs', what: 'a report was abandoned' }
  await expect.poll(() => logged(failed)).toMatchObject([alarm])
  await trigger('sandbox')
  const removal = await sql('select remove_at > finished_at as later from report_runs where id = $1', [
    failed.id,
  ])
  // Removed, and to be removed once more.
  expect(removal).toEqual([{ later: true }])
  const events = await sql('select type from events where tenant_id = $1 and resource_id = $2', [
    merchant.tenantId,
    failed.id,
  ])
  expect(events).toEqual([{ type: 'report_run.failed' }])
})

test('a run waits for a transaction that was open when it was started, and has what that books', async () => {
  const merchant = await newMerchant()
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select pg_current_xact_id()')
    const run = await started(merchant, 'balance.activity')
    await trigger('sandbox')
    expect((await get<Run>(merchant, `/runs/${run.id}`)).body.status).toBe('queued')
    await client.query('commit')
    expect((await over(merchant, run)).status).toBe('succeeded')
  } finally {
    await client.end()
  }
})

test('a canceled run stays canceled, and a file is removed when its time is over', async () => {
  const merchant = await newMerchant()
  const bearer = merchant.apiKey
  const canceled = await started(merchant, 'balance.activity', '2026-03-01')
  const cancel = () =>
    call<Run & { error: { code: string } }>('POST', `/v1/reporting/runs/${canceled.id}/cancel`, {
      bearer,
      headers: { 'idempotency-key': randomUUID() },
    })
  expect((await cancel()).body.status).toBe('canceled')
  expect((await cancel()).body.error.code).toBe('report_run_over')
  const run = await over(merchant, await started(merchant, 'balance.activity', '2026-03-01'))
  await sql(`update report_runs set remove_at = now() where id = $1`, [run.id])
  await trigger('sandbox')
  expect((await get<Run>(merchant, `/runs/${run.id}`)).body.status).toBe('expired')
  expect((await get<never>(merchant, `/runs/${run.id}/file`)).status).toBe(410)
  expect(await rowsOf(merchant, run)).toEqual([])
})

test.each([
  ['ends before it begins', '2026-03-02', '2026-03-01', 'parameter_invalid'],
  ['has 367 days', '2025-01-01', '2026-01-02', 'parameter_invalid'],
  ['has not come yet', today, '2099-01-01', 'parameter_invalid'],
  [
    'ends tomorrow',
    today,
    new Date(Date.now() + 36 * 3_600_000).toISOString().slice(0, 10),
    'report_time_ahead',
  ],
])('a period that %s is refused', async (_, from, to, code) => {
  const merchant = await newMerchant()
  const reply = await call<{ error: { code: string } }>('POST', '/v1/reporting/runs', {
    bearer: merchant.apiKey,
    headers: { 'idempotency-key': randomUUID() },
    body: { type: 'balance.activity', period: { from, to } },
  })
  expect(reply.body.error.code).toBe(code)
})
