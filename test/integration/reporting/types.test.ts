import { expect, test } from 'vitest'
import { newVoucher } from '../../support/cash.ts'
import { newSession, payByCard, sessionNow } from '../../support/checkout.ts'
import { asked, newCustomer } from '../../support/customers.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { forwards, newOfflineCounter, stores } from '../../support/offline.ts'
import { atRegisters, inCash, newCounter, newOrder, openShift } from '../../support/registers.ts'
import { getReport, over, started, today, verify } from '../../support/reporting.ts'
import { deposit, fundsOf, lent, standing } from '../../support/spei.ts'
import { adminSql } from '../../support/stack.ts'
import { newWaiter, tablePay, tipped } from '../../support/table-pay.ts'
import { inPerson, newCounter as newReader, present, process } from '../../support/terminal.ts'
import { newWorld, take } from '../money/world.ts'

type Cells = Record<string, string | null>

/** The run of a report of today, and its rows, read two at a time: none is missing, and none comes twice. */
async function reported(merchant: Merchant, type: string) {
  const run = await over(merchant, await started(merchant, type))
  const rows: Cells[] = []
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after && `&after=${after}`
    const { body } = await getReport<{ data: { cells: Cells }[]; next: string | null }>(
      merchant,
      `/runs/${run.id}/rows?limit=2${query}`,
    )
    rows.push(...body.data.map(({ cells }) => cells))
    after = body.next
  }
  expect(rows).toHaveLength(run.rows_count)
  return { run, rows }
}

const sum = (rows: readonly Cells[], column: string) =>
  rows.reduce((all, row) => all + BigInt(row[column] ?? '0'), 0n)

const balanceOf = async ({ tenantId }: Merchant) =>
  (
    await adminSql('sandbox')<{ balance: string }>(
      `select balance_minor::text as balance from ledger_accounts where tenant_id = $1 and code = 'merchant_available'`,
      [tenantId],
    )
  )[0]!.balance

test('balance.summary sums the activity by what happened, and comes to the balance', async () => {
  const world = await newWorld()
  const { merchant } = world
  for (const amount of [90_000, 60_000, 30_000])
    await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount, months: 1 })
  await take(world, { kind: 'clock', hours: 168 })
  await take(world, { kind: 'payout' })
  const [summary, activity] = [
    await reported(merchant, 'balance.summary'),
    await reported(merchant, 'balance.activity'),
  ]
  expect(summary.run).toMatchObject({ status: 'succeeded', closing: { mxn: await balanceOf(merchant) } })
  expect(String(sum(summary.rows, 'amount'))).toBe(await balanceOf(merchant))
  const kindOf = (row: Cells) => `${row.source_type} ${row.entry_kind}`
  for (const row of summary.rows) {
    const alike = activity.rows.filter((each) => kindOf(each) === kindOf(row))
    expect([row.movements_count, row.amount]).toEqual([String(alike.length), String(sum(alike, 'amount'))])
  }
  expect(summary.rows.map(kindOf).sort()).toEqual([...new Set(activity.rows.map(kindOf))].sort())
})

test('iva_collected has what each payment collected by rate, and says where a rate is not known', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, {
    line_items: [
      { name: 'Taza', unit_amount: '11600' },
      { name: 'Libro', unit_amount: '20000', iva_rate: '0' },
      { name: 'Café', unit_amount: '10800', iva_rate: '8' },
    ],
    client_reference_id: 'order-7',
  })
  await payByCard(session)
  await payByCard(await newSession(merchant, { line_items: undefined, amount: '50000' }))
  const held = await newSession(merchant, {
    line_items: [{ name: 'Silla', unit_amount: '23200' }],
    capture_method: 'manual',
  })
  await payByCard(held)
  const { payment_id } = await sessionNow(merchant, held)
  const captured = await call('POST', `/v1/payments/${payment_id}/capture`, {
    bearer: merchant.apiKey,
    body: { amount: '11600' },
  })
  expect(captured.status, captured.text).toBe(200)
  const { rows } = await reported(merchant, 'iva_collected')
  const shown = rows.map(({ client_reference_id, sat_payment_form, iva_rate, base, iva, total }) => [
    client_reference_id,
    sat_payment_form,
    iva_rate,
    base,
    iva,
    total,
  ])
  expect(shown.sort((a, b) => Number(a[5]) - Number(b[5]))).toEqual([
    ['order-7', '04', '8', '10000', '800', '10800'],
    ['order-7', '04', '16', '10000', '1600', '11600'],
    [null, '04', null, null, null, '11600'],
    ['order-7', '04', '0', '20000', '0', '20000'],
    [null, '04', null, null, null, '50000'],
  ])
  const [all] = await adminSql('sandbox')<{ sum: string }>(
    'select sum(amount_captured_minor)::text as sum from payments where tenant_id = $1',
    [merchant.tenantId],
  )
  expect(String(sum(rows, 'total'))).toBe(all!.sum)
})

test('tips.staff has what each waiter is owed and was paid', async () => {
  const merchant = await newMerchant()
  const [ana, luz] = [
    await newWaiter(merchant, { name: 'Ana', payroll_reference: 'N-1' }),
    await newWaiter(merchant, { name: 'Luz' }),
  ]
  await tipped(merchant, ana.id, '1500')
  await tipped(merchant, luz.id, '700')
  await tablePay(merchant, 'POST', `/waiters/${ana.id}/tip-payouts`, { amount: '1000' })
  const { rows } = await reported(merchant, 'tips.staff')
  expect(
    rows.map(({ waiter_name, payroll_reference, owed }) => [waiter_name, payroll_reference, owed]),
  ).toEqual(
    expect.arrayContaining([
      ['Ana', 'N-1', '1500'],
      ['Luz', null, '700'],
      ['Ana', 'N-1', '-1000'],
    ]),
  )
  expect(rows).toHaveLength(3)
})

test('what a reader took is in iva_collected and tips.staff as all else is', async () => {
  const counter = await newReader()
  const { id } = await newWaiter(counter.merchant, { name: 'Ana' })
  await process(counter, {
    amount: '11600',
    line_items: [{ name: 'Café', unit_amount: '5800', quantity: 2 }],
    amount_tip: '1500',
    waiter_id: id,
  })
  await present(counter)
  const taxed = await reported(counter.merchant, 'iva_collected')
  expect(taxed.rows).toMatchObject([{ iva_rate: '16', base: '10000', iva: '1600' }])
  const tips = await reported(counter.merchant, 'tips.staff')
  expect(tips.rows).toMatchObject([{ waiter_id: id, waiter_name: 'Ana', owed: '1500' }])
})

test('of what a reader captured in part the tip is at most that, and what was sold is the rest', async () => {
  const counter = await newReader()
  const captured = { '1000': ['1000', '0'], '6000': ['1500', '4500'] } as const
  for (const amount of Object.keys(captured)) {
    const asked = { amount: '10000', amount_tip: '1500', capture_method: 'manual' }
    const { body } = await process(counter, asked)
    await present(counter)
    expect((await inPerson(counter, body, 'capture', { body: { amount } })).status).toBe(200)
  }
  const shown = Object.entries(captured)
  const detail = await reported(counter.merchant, 'payments.detail')
  const tips = detail.rows.map(({ gross, tip }) => [gross, tip]).sort()
  expect(tips).toEqual(shown.map(([amount, [tip]]) => [amount, tip]))
  const taxed = await reported(counter.merchant, 'iva_collected')
  expect(taxed.rows.map(({ total }) => total).sort()).toEqual(shown.map(([, [, rest]]) => rest))
})

test('shifts has each drawer that was counted, and none that is open', async () => {
  const counter = await newCounter()
  const { merchant } = counter
  const shift = await openShift(counter, '10000')
  await inCash(counter, await newOrder(counter, { amount: '5000' }))
  await atRegisters(merchant, 'POST', `/shifts/${shift.id}/close`, { amount_counted: '14950' })
  await openShift(counter)
  const { rows } = await reported(merchant, 'shifts')
  expect(rows).toMatchObject([
    {
      shift_id: shift.id,
      register_name: 'Mostrador',
      opening: '10000',
      cash_sales: '5000',
      expected: '15000',
      counted: '14950',
      difference: '-50',
    },
  ])
})

test('offline_losses has what a card did not pay that a reader had stored, and nothing else', async () => {
  const counter = await newOfflineCounter()
  const { merchant, reader } = counter
  const tokens = ['tok_sbx_approve', 'tok_sbx_decline_funds', 'tok_sbx_expired']
  const stored = tokens.map((token, at) => stores(counter, { token, amount: `${12_000 + at * 100}` }))
  await forwards(counter, [...(await Promise.all(stored)), await stores(counter, { amount: '50001' })])
  const { rows } = await reported(merchant, 'offline_losses')
  expect(rows.map(({ reason, amount }) => `${reason} ${amount}`).sort()).toEqual([
    'expired_card 12200',
    'insufficient_funds 12100',
  ])
  expect(rows[0]).toMatchObject({
    day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    device_id: reader.id,
    location_id: reader.location_id,
    currency: 'mxn',
  })
})

test('poliza has every posting once, and each of its journals comes to zero', async () => {
  const world = await newWorld()
  const { merchant } = world
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 90_000, months: 3 })
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 30_000, months: 1 })
  await take(world, { kind: 'clock', hours: 168 })
  const { rows } = await reported(merchant, 'poliza')
  const [postings] = await adminSql('sandbox')<{ count: number }>(
    'select count(*)::int as count from ledger_postings where tenant_id = $1',
    [merchant.tenantId],
  )
  expect(rows).toHaveLength(postings!.count)
  expect(new Set(rows.map(({ journal_id, line }) => `${journal_id} ${line}`)).size).toBe(rows.length)
  expect(sum(rows, 'debit')).toBe(sum(rows, 'credit'))
  for (const journal of new Set(rows.map(({ journal_id }) => journal_id)))
    expect(
      sum(
        rows.filter(({ journal_id }) => journal_id === journal),
        'amount',
      ),
    ).toBe(0n)
})

test('customers has what each customer paid, and all others in one row; a merge changes no row of then', async () => {
  const merchant = await newMerchant()
  const people = await Promise.all(
    ['Ana', 'Eva', 'Luis'].map(async (name) => (await newCustomer(merchant, { name })).id),
  )
  const [ana, eva, luis] = people as [string, string, string]
  const buys = async (customer_id: string | null, unit_amount: string) =>
    payByCard(
      await newSession(merchant, {
        ...(customer_id && { customer_id }),
        line_items: [{ name: 'Taza', unit_amount }],
      }),
    )
  await buys(ana, '10000')
  await buys(eva, '20000')
  await buys(eva, '5000')
  await buys(luis, '40000')
  await buys(null, '80000')
  const { rows } = await reported(merchant, 'customers')
  expect((await asked(merchant, 'POST', `/customers/${eva}/merge`, { into: ana })).status).toBe(200)
  expect((await reported(merchant, 'customers')).rows).toEqual(rows)
  const paid = (of: string | null) => rows.find(({ customer_id }) => customer_id === of)
  expect(rows).toHaveLength(4)
  expect(paid(ana)).toMatchObject({ payments_count: '1', currency: 'mxn' })
  expect(paid(eva)).toMatchObject({ payments_count: '2' })
  expect(paid(luis)).toMatchObject({ payments_count: '1' })
  expect(paid(null)).toMatchObject({ payments_count: '1' })
  const [all] = (await reported(merchant, 'method_mix')).rows
  for (const column of ['gross', 'fee', 'iva', 'net']) expect(String(sum(rows, column))).toBe(all![column])
})

test('a SPEI payment is collected on the day of the bank and settled on another, a card on the day of its zone', async () => {
  const merchant = await newMerchant()
  const { clabe, paymentId } = await lent(merchant, 120_000)
  await deposit(merchant, clabe, 50_000, { operated_on: '2026-06-11' })
  await deposit(merchant, clabe, 70_000, { operated_on: '2026-06-12' })
  await expect.poll(() => standing(merchant, paymentId)).toContain('succeeded')
  await payByCard(await newSession(merchant, { line_items: undefined, amount: '50000' }))
  const payments = await adminSql('sandbox')<{ id: string; day: string; available: string }>(
    `select p.id, p.available_on::text as available,
       (j.booked_at at time zone 'America/Mexico_City')::date::text as day
     from payments p join ledger_journals j on j.tenant_id = p.tenant_id and j.source_id = p.id and j.entry_kind = 'capture'
     where p.tenant_id = $1`,
    [merchant.tenantId],
  )
  for (const type of ['payments.detail', 'iva_collected']) {
    const { rows, run } = await reported(merchant, type)
    expect(rows).toHaveLength(2)
    for (const { id, day, available } of payments)
      expect(rows.find(({ payment_id }) => payment_id === id)).toMatchObject({
        collected_on: id === paymentId ? '2026-06-12' : day,
        available_on: available,
      })
    expect((await verify(merchant, run)).body).toMatchObject({ equal: true })
  }
})

test('a voucher is collected on the day on which we learned of the cash, in the zone of the run', async () => {
  const merchant = await newMerchant()
  writtenByHand(merchant.tenantId)
  const { reference } = await newVoucher(merchant)
  const paid = await call('POST', `/v1/sandbox/oxxo/${reference}/pay`, { bearer: merchant.apiKey, body: {} })
  expect(paid.status, paid.text).toBe(200)
  // Half past eleven in Mexico City, half past twelve in Cancún.
  const learned = '2026-06-12 05:30Z'
  await adminSql('sandbox')(`do $$ begin set local session_replication_role = replica;
    update ledger_journals set booked_at = '${learned}' where tenant_id = '${merchant.tenantId}' and entry_kind = 'capture';
  end $$`)
  for (const type of ['payments.detail', 'iva_collected'])
    for (const [time_zone, day] of [
      ['America/Mexico_City', '2026-06-11'],
      ['America/Cancun', '2026-06-12'],
    ] as const) {
      const run = await over(merchant, await started(merchant, type, day, day, { time_zone }))
      const { body } = await getReport<{ data: { cells: Cells }[] }>(merchant, `/runs/${run.id}/rows`)
      expect(body.data.map(({ cells }) => cells.collected_on)).toEqual([day])
    }
})

test('what is paid by card after a part by SPEI, or completed with other funds, is collected on the day of the capture', async () => {
  const merchant = await newMerchant()
  const left = await lent(merchant, 120_000)
  await deposit(merchant, left.clabe, 50_000, { operated_on: '2026-06-11' })
  const retry = `?retry=${/spcs_[a-z0-9]{32}/.exec(left.location)![0]}`
  await pay(left.link.public_id, await openLink(left.link.public_id, retry), 'tok_sbx_approve')
  const completed = await lent(merchant, 90_000)
  await deposit(merchant, completed.clabe, 40_000, { operated_on: '2026-06-03' })
  const [unapplied] = await fundsOf(merchant)
  const applied = await call('POST', `/v1/payment-operations/unapplied-funds/${unapplied!.id}/apply`, {
    bearer: merchant.apiKey,
    body: { payment_id: completed.paymentId },
  })
  expect(applied.body, applied.text).toMatchObject({ payment_status: 'succeeded' })
  const { rows } = await reported(merchant, 'payments.detail')
  expect(rows.map(({ method, collected_on }) => [method, collected_on])).toEqual([
    ['card', today],
    ['spei', today],
  ])
})

test('a transfer that was set apart since, or came to another CLABE, is not the day of collection', async () => {
  const merchant = await newMerchant()
  writtenByHand(merchant.tenantId)
  const { clabe, paymentId } = await lent(merchant, 120_000)
  await deposit(merchant, clabe, 50_000, { operated_on: '2026-06-14' })
  await deposit(merchant, clabe, 70_000, { operated_on: '2026-06-12' })
  const collectedOn = async () => (await reported(merchant, 'payments.detail')).rows[0]!.collected_on
  /** As a processor's balance leaves it: its movements are of no sandbox. */
  const byHand = (statement: string) =>
    adminSql('sandbox')(
      `do $$ begin set local session_replication_role = replica; ${statement.replaceAll('$1', `'${paymentId}'`)}; end $$`,
    )
  expect(await collectedOn()).toBe('2026-06-14')
  await byHand(`insert into unapplied_funds (tenant_id, id, status, reason, method, amount_minor, remaining_minor, currency,
      payment_id, deposit_id, movement_id, version, created_at, updated_at)
    select tenant_id, gen_random_uuid(), 'settled', 'incomplete', 'spei', amount_minor, 0, currency, payment_id, id,
      gen_random_uuid(), 1, now(), now() from spei_deposits where payment_id = $1 and operated_on = '2026-06-14'`)
  expect(await collectedOn()).toBe('2026-06-12')
  await byHand(`update spei_deposits set clabe = '012914002014112176' where payment_id = $1`)
  expect(await collectedOn()).toBe(today)
})
