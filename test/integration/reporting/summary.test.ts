import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dispute, disputeIs, endInquiry, pollDisputes, reconsider, resolve } from '../../support/disputes.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { paidByCard } from '../../support/refunds.ts'
import { getReport, over, started } from '../../support/reporting.ts'
import { counted, type Figures, summaryOf } from '../../support/reporting-summary.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { newWorld, take } from '../money/world.ts'

const sql = adminSql('sandbox')

/** What the groups of a summary sum to, each figure for itself. */
const summed = (groups: readonly Figures[]) =>
  Object.fromEntries(
    ['gross', 'refunds', 'disputes', 'fees', 'iva', 'net'].map((name) => {
      const amounts = groups.map((group) => BigInt(group[`amount_${name}` as 'amount_net']))
      return [`amount_${name}`, String(amounts.reduce((all, amount) => all + amount, 0n))]
    }),
  )

/** Cards at a location and at none, MSI, a refund, a dispute that is open and one that was won, all of it available. */
async function sold() {
  const world = await newWorld()
  const { merchant } = world
  const place = await call<{ id: string }>('POST', '/v1/workspace/locations', {
    bearer: merchant.apiKey,
    headers: { 'idempotency-key': randomUUID() },
    body: { name: 'Roma Norte' },
  })
  const card = { kind: 'card', token: 'tok_sbx_approve', manual: false } as const
  await take(world, { ...card, amount: 90_000, months: 1 })
  await take(world, { ...card, amount: 60_000, months: 3 })
  const link = await newLink(merchant, { location_id: place.body.id, manual_amount: 45_000 })
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  await take(world, { kind: 'clock', hours: 168 })
  await take(world, { kind: 'dashboard_refund', which: 0, part: 'third' })
  await take(world, { kind: 'dispute', which: 1 })
  await take(world, { kind: 'dispute', which: 2 })
  await take(world, { kind: 'resolve', which: 1, outcome: 'won' })
  return { merchant, location: place.body.id }
}

/** The sum of what these sources moved, as the report of the balance has it. */
async function movedBy(merchant: Merchant, ...sources: readonly string[]) {
  const run = await over(merchant, await started(merchant, 'balance.summary'))
  const { body } = await getReport<{ data: { cells: { source_type: string; amount: string } }[] }>(
    merchant,
    `/runs/${run.id}/rows`,
  )
  return body.data
    .filter(({ cells }) => sources.includes(cells.source_type))
    .reduce((all, { cells }) => all + BigInt(cells.amount), 0n)
}

test('the groups of each part sum to the totals, and these are what the books and balance.summary have', async () => {
  const { merchant, location } = await sold()
  await counted(merchant)
  const whole = await summaryOf(merchant)
  const [books] = await sql<{ gross: string; fees: string; iva: string; waits: string }>(
    `select (select sum(amount_captured_minor) from payments p where p.tenant_id = a.tenant_id)::text as gross,
       sum(balance_minor) filter (where code = 'fee_expense')::text as fees,
       sum(balance_minor) filter (where code = 'iva_on_fees')::text as iva,
       coalesce(sum(balance_minor) filter (where code in ('merchant_pending', 'merchant_reserve')), 0)::text as waits
     from ledger_accounts a where tenant_id = $1 and currency = 'mxn' group by tenant_id`,
    [merchant.tenantId],
  )
  expect(whole).toMatchObject({
    groups: [],
    amount_gross: books!.gross,
    amount_fees: books!.fees,
    amount_iva: books!.iva,
    payments_count: 3,
    refunds_count: 1,
    disputes_count: 2,
  })
  const available = await movedBy(merchant, 'payment', 'refund', 'dispute')
  expect(whole.amount_net).toBe(String(available + BigInt(books!.waits)))
  expect(whole.amount_refunds).toBe(String(-(await movedBy(merchant, 'refund'))))
  for (const by of ['day', 'method', 'location']) {
    const shown = await summaryOf(merchant, `by=${by}`)
    expect(summed(shown.groups)).toEqual(summed([whole]))
    expect(summed([shown])).toEqual(summed([whole]))
  }
  const { groups } = await summaryOf(merchant, 'by=location')
  expect(groups).toHaveLength(2)
  expect(groups.find(({ group }) => group === location)).toMatchObject({
    amount_gross: '45000',
    amount_disputes: '0',
    payments_count: 1,
    disputes_count: 1,
  })
  expect(groups.find(({ group }) => group === null)).toMatchObject({ payments_count: 2, disputes_count: 1 })
  expect(await summaryOf(merchant, 'currency=usd&by=day')).toMatchObject({ amount_gross: '0', groups: [] })
})

test('a dispute is counted when it first holds money, and once', async () => {
  const merchant = await newMerchant()
  const disputed = async (inquiry: boolean) =>
    (await dispute(merchant, await paidByCard(merchant, { amount: 50_000 }), { inquiry })).body.id
  const [asked, claimed] = [await disputed(true), await disputed(false)]
  await counted(merchant)
  expect(await summaryOf(merchant)).toMatchObject({ disputes_count: 1, amount_disputes: '50000' })
  expect((await endInquiry(merchant, asked, 'disputed')).status).toBe(200)
  await disputeIs(merchant, asked, 'needs_response')
  expect((await resolve(merchant, claimed, 'won')).status).toBe(200)
  await disputeIs(merchant, claimed, 'won')
  expect((await reconsider(merchant, claimed, 'needs_response')).status).toBe(200)
  await pollDisputes(merchant.tenantId)
  await disputeIs(merchant, claimed, 'needs_response')
  await counted(merchant)
  expect(await summaryOf(merchant)).toMatchObject({ disputes_count: 2 })
})

test('counted from zero once more, the hours are the same', async () => {
  const { merchant } = await sold()
  await counted(merchant)
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  const hours = async () =>
    (
      await client.query(
        `select to_jsonb(h) - 'id' as hour from report_hours h where tenant_id = $1 order by hour, location_id`,
        [merchant.tenantId],
      )
    ).rows
  try {
    const before = await hours()
    await client.query('begin')
    await client.query('delete from report_hours')
    await client.query('update report_cursor set commit_order = 0')
    let steps = 0
    for (; ; steps++) {
      const { rows } = await client.query<{ more: boolean }>('select door.follow_journals(200) as more')
      if (!rows[0]!.more) break
    }
    expect(steps).toBeGreaterThan(0)
    expect(before.length).toBeGreaterThan(1)
    expect(await hours()).toEqual(before)
  } finally {
    await client.query('rollback')
    await client.end()
  }
})

test('50 payments at once while the follower runs are each counted once', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  const forms = await Promise.all(Array.from({ length: 50 }, () => openLink(link.public_id)))
  let isDone = false
  const following = (async () => {
    while (!isDone) await Promise.all([trigger('sandbox'), trigger('sandbox')])
  })()
  await Promise.all(forms.map((form) => pay(link.public_id, form, 'tok_sbx_approve')))
  isDone = true
  await following
  await counted(merchant)
  expect(await summaryOf(merchant)).toMatchObject({
    amount_gross: String(50 * 120_000),
    payments_count: 50,
  })
})

test('the days are those of the zone that is asked for, on which its clocks change too', async () => {
  const merchant = await newMerchant()
  await sql(
    `insert into report_hours (tenant_id, id, hour, currency, method, gross_minor, refunds_minor, disputes_minor, fees_minor,
       iva_minor, payments_count, refunds_count, disputes_count)
     select $1, gen_random_uuid(), h, 'mxn', 'card', 100, 0, 0, 4, 1, 1, 0, 0
     from generate_series(timestamptz '2026-03-06Z', timestamptz '2026-03-11Z', interval '1 hour') h`,
    [merchant.tenantId],
  )
  const daysIn = async (zone: string) => {
    const days = `by=day&begins_on=2026-03-07&ends_on=2026-03-09&time_zone=${zone}`
    const { groups } = await summaryOf(merchant, days)
    return groups.map(({ group, payments_count }) => [group, payments_count])
  }
  const days = ['2026-03-07', '2026-03-08', '2026-03-09']
  expect(await daysIn('America/Mexico_City')).toEqual(days.map((day) => [day, 24]))
  expect(await daysIn('America/Tijuana')).toEqual(days.map((day) => [day, day === days[1] ? 23 : 24]))
})

test('it has at most 366 days, and is a picture where the request accepts that', async () => {
  const merchant = await newMerchant()
  const refused = await summaryOf(merchant, 'begins_on=2025-01-01&ends_on=2026-01-02')
  expect(refused.error).toMatchObject({ code: 'parameter_invalid', param: 'begins_on' })
  expect((await summaryOf(merchant, 'begins_on=2025-01-02&ends_on=2026-01-02')).begins_on).toBe('2025-01-02')
  const picture = await call('GET', '/v1/reporting/summary?by=day', {
    bearer: merchant.apiKey,
    headers: { accept: 'image/svg+xml', 'accept-language': 'en' },
  })
  expect(picture.headers.get('content-type')).toBe('image/svg+xml')
  expect(picture.text).toContain('<title id="title">What your payments brought in</title>')
})

test('what a transaction that is still open books is counted once it has ended, and nothing is passed over for it', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  const buys = async () => pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  await buys()
  writtenByHand(merchant.tenantId)
  const client = new Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(
      `with j as (insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at, commit_order, booked_at)
         select tenant_id, gen_random_uuid(), 'payment', id, 'late', 'mxn', now(), door.commit_order(pg_current_xact_id()), now()
         from payments where tenant_id = $1 returning tenant_id, id)
       insert into ledger_postings select j.tenant_id, j.id, p.line, 'mxn', p.code, p.amount
       from j, (values (1, 'fee_expense', 700), (2, 'processor_clearing', -700)) p (line, code, amount)`,
      [merchant.tenantId],
    )
    await buys()
    for (const _ of [1, 2]) await trigger('sandbox')
    expect((await summaryOf(merchant)).amount_gross).not.toBe('240700')
    await client.query('commit')
  } finally {
    await client.end()
  }
  await counted(merchant)
  expect(await summaryOf(merchant)).toMatchObject({ amount_gross: '240700', payments_count: 2 })
})
