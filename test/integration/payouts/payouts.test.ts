import { expect, test } from 'vitest'
import { accountOf } from '../../support/bank-accounts.ts'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import { newSession, payByCard, type Session } from '../../support/checkout.ts'
import { noticesOf } from '../../support/mails.ts'
import { call, newLink, newMerchant } from '../../support/merchant.ts'
import {
  availableOf,
  entriesOf,
  funded,
  payOut,
  payoutOf,
  payoutsOf,
  pollPayouts,
  release,
  settingsFor,
  settlesAs,
} from '../../support/payouts.ts'
import { paidByCard, refund } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { endow } from '../../support/transfers.ts'

const total = (entries: { amount_net: string }[]) =>
  entries.reduce((sum, { amount_net }) => sum + BigInt(amount_net), 0n).toString()

test('a payout takes the whole balance: its entries sum to it, and the bank returns its trace', async () => {
  const { merchant, payments } = await funded([10_000, 25_000])
  const before = await availableOf(merchant)
  const { status, body, text } = await payOut(merchant)
  expect(status, text).toBe(201)
  expect(body).toMatchObject({
    status: 'pending',
    amount: before,
    amount_gross: '35000',
    amount_fee: (35_000n - BigInt(before!)).toString(),
    entries_count: 2,
    destination: { clabe_last4: accountOf('99').slice(-4), bank_name: 'BBVA México' },
  })
  expect(await availableOf(merchant)).toBe('0')
  const entries = await entriesOf(merchant, body.id)
  expect(entries.map(({ kind, source }) => [kind, source.id]).sort()).toEqual(
    payments.map((id) => ['payment', id]).sort(),
  )
  expect(entries.map(({ amount_gross }) => amount_gross).sort()).toEqual(['10000', '25000'])
  expect(total(entries)).toBe(before)
  const paid = await settlesAs(merchant, body.id, 'paid')
  expect(paid.clave_rastreo).toMatch(/^SBX[0-9A-F]{24}$/)
  expect(await journalsOf(merchant.tenantId)).toMatchObject({ payout: 1, payout_paid: 1 })
  expect((await balancesOf(merchant.tenantId))['mxn/payouts_in_flight']).toBe(0n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a movement names its payment, your reference and what was sold, also of a refund', async () => {
  const merchant = await newMerchant()
  await settingsFor(merchant)
  const link = await newLink(merchant, { manual_amount: 30_000, client_reference_id: 'order-7' })
  const session = await newSession(merchant, { amount: '40000', client_reference_id: 'order-8' })
  for (const sale of [link, session]) await payByCard(sale as unknown as Session)
  await release(merchant)
  type Sold = { payment_id: string; client_reference_id: string }
  const read = async <Row>(path: string) =>
    (await call<{ data: Row[] }>('GET', path, { bearer: merchant.apiKey })).body.data
  const [ofSession, ofLink] = await read<{ id: string }>('/v1/payment-operations/payments')
  expect((await refund(merchant, { payment_id: ofLink!.id, amount: '5000' })).status).toBe(201)
  const { body } = await payOut(merchant)
  const linkSold = {
    payment_id: ofLink!.id,
    client_reference_id: 'order-7',
    payment_link_id: link.id,
    checkout_session_id: null,
  }
  const sessionSold = {
    payment_id: ofSession!.id,
    client_reference_id: 'order-8',
    payment_link_id: null,
    checkout_session_id: session.id,
  }
  const entries = await entriesOf(merchant, body.id)
  const activity = await read<Sold & { kind: string }>('/v1/payment-operations/balance-activity')
  for (const rows of [entries as unknown as typeof activity, activity])
    for (const [kind, sold] of [
      ['refund', linkSold],
      ['payment', linkSold],
      ['payment', sessionSold],
    ] as const)
      expect(rows).toContainEqual(expect.objectContaining({ kind, ...sold }))
  const payments = await read<object>('/v1/payment-operations/payments')
  expect(payments).toEqual([
    expect.objectContaining({ checkout_session_id: session.id, payment_link_id: null }),
    expect.objectContaining({ checkout_session_id: null, payment_link_id: link.id }),
  ])
})

test('a payout that cannot be made says why', async () => {
  const merchant = await newMerchant()
  const refused = async (currency?: string) => {
    const { body } = await payOut(merchant, {}, currency)
    return (body as unknown as { error: { code: string; param: string | null } }).error
  }
  expect(await refused()).toMatchObject({ code: 'payout_settings_missing', param: 'currency' })
  await settingsFor(merchant, { amount_min: '10000' })
  expect(await refused()).toMatchObject({ code: 'payout_nothing_available' })
  expect(await refused('usd')).toMatchObject({ code: 'payout_settings_missing' })
  expect(await refused('MXN')).toMatchObject({ param: 'currency' })
  await paidByCard(merchant, { amount: 10_000 })
  expect(await refused()).toMatchObject({ code: 'payout_nothing_available' })
  await release(merchant)
  expect(await refused()).toMatchObject({ code: 'payout_below_minimum' })
  expect(await payoutsOf(merchant)).toEqual([])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a negative balance is recovered from the next payout', async () => {
  const { merchant, payments } = await funded([10_000])
  const first = await payOut(merchant)
  await settlesAs(merchant, first.body.id, 'paid')
  expect((await refund(merchant, { payment_id: payments[0], amount: '10000' })).status).toBe(201)
  expect(await availableOf(merchant)).toBe('-10000')
  expect((await payOut(merchant)).body).toMatchObject({ error: { code: 'payout_nothing_available' } })
  await paidByCard(merchant, { amount: 50_000 })
  await release(merchant)
  const available = await availableOf(merchant)
  const { body } = await payOut(merchant)
  expect(body.amount).toBe(available)
  const entries = await entriesOf(merchant, body.id)
  expect(entries.map(({ kind }) => kind).sort()).toEqual(['payment', 'refund'])
  expect(entries.find(({ kind }) => kind === 'refund')).toMatchObject({
    amount_gross: '-10000',
    amount_fee: '0',
    amount_net: '-10000',
  })
  expect(total(entries)).toBe(available)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

const endings = [
  ['11', 'failed', 'account_closed', 'payout_reversed'],
  ['12', 'failed', 'account_not_found', 'payout_reversed'],
  ['13', 'failed', 'holder_mismatch', 'payout_reversed'],
  ['16', 'failed', 'account_closed', 'payout_reversed'],
  ['17', 'returned', 'account_closed', 'payout_returned'],
] as const

test.each(endings)(
  'account …%s: %s (%s) restores the balance once, and the next payout takes it',
  async (account, status, code, kind) => {
    const { merchant } = await funded([10_000], account)
    const before = await availableOf(merchant)
    const { body } = await payOut(merchant)
    const over = await settlesAs(merchant, body.id, status)
    expect(over.failure_code).toBe(code)
    expect(over.return_clave_rastreo !== null).toBe(status === 'returned')
    expect(await availableOf(merchant)).toBe(before)
    await settlesAs(merchant, body.id, status)
    expect(await availableOf(merchant)).toBe(before)
    expect((await journalsOf(merchant.tenantId))[kind]).toBe(1)
    const notices = await noticesOf(merchant.tenantId)
    expect(notices.filter((notice) => notice.startsWith('payout'))).toEqual([`payout_${status}`])

    await settingsFor(merchant)
    const next = await payOut(merchant)
    expect(next.body.amount).toBe(before)
    expect(await entriesOf(merchant, next.body.id)).toMatchObject([
      {
        kind,
        source: { type: 'payout', id: body.id },
        amount_gross: before,
        amount_fee: '0',
        amount_net: before,
      },
    ])
    await settlesAs(merchant, next.body.id, 'paid')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  },
)

test('a paid payout is returned by the test control once, however often it is used', async () => {
  const { merchant } = await funded()
  const before = await availableOf(merchant)
  const { body } = await payOut(merchant)
  const control = (what: string) =>
    call('POST', `/v1/sandbox/payouts/${body.id}/${what}`, { bearer: merchant.apiKey })
  await settlesAs(merchant, body.id, 'paid')
  expect((await control('fail')).body).toMatchObject({ error: { code: 'bank_order_over' } })
  const pulled = await Promise.all(Array.from({ length: 50 }, () => control('return')))
  for (const reply of pulled) expect(reply.status, reply.text).toBe(200)
  expect((await payoutOf(merchant, body.id)).status).toBe('returned')
  expect(await availableOf(merchant)).toBe(before)
  expect(await journalsOf(merchant.tenantId)).toMatchObject({ payout: 1, payout_paid: 1, payout_returned: 1 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('the clock of the sandbox leaves the day of a payout that has arrived', async () => {
  const { merchant } = await funded([10_000])
  const { body } = await payOut(merchant)
  await settlesAs(merchant, body.id, 'paid')
  const { arrives_on } = await payoutOf(merchant, body.id)
  expect(arrives_on).not.toBeNull()
  await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'P5D' } })
  expect(await payoutOf(merchant, body.id)).toMatchObject({ status: 'paid', arrives_on })
})

test('one that the bank can still stop is canceled; one that arrived is not', async () => {
  const { merchant } = await funded([10_000], '18')
  const before = await availableOf(merchant)
  const cancel = (id: string) =>
    call('POST', `/v1/payment-operations/payouts/${id}/cancel`, { bearer: merchant.apiKey })
  const { body } = await payOut(merchant)
  await settlesAs(merchant, body.id, 'in_transit')
  expect((await cancel(body.id)).body).toMatchObject({ status: 'canceled', failure_code: null })
  expect(await availableOf(merchant)).toBe(before)
  expect((await cancel(body.id)).body).toMatchObject({ status: 'canceled' })
  await settingsFor(merchant)
  const next = await payOut(merchant)
  await settlesAs(merchant, next.body.id, 'paid')
  expect((await cancel(next.body.id)).body).toMatchObject({ error: { code: 'payout_not_cancelable' } })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a payout is made on its day by the sandbox clock, once, and the next day is set', async () => {
  const { merchant } = await funded()
  await adminSql('sandbox')(
    `update payout_settings set interval = 'daily', next_payout_on = (now() at time zone 'America/Mexico_City')::date + 3
     where tenant_id = $1`,
    [merchant.tenantId],
  )
  await trigger('sandbox')
  expect(await payoutsOf(merchant)).toEqual([])
  await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'P3D' } })
  await Promise.all([trigger('sandbox'), trigger('sandbox')])
  await trigger('sandbox')
  const [payout, ...more] = await payoutsOf(merchant)
  expect(more).toEqual([])
  await settlesAs(merchant, payout!.id, 'paid')
  const [settings] = await adminSql('sandbox')<{ ahead: boolean }>(
    `select next_payout_on > (now() at time zone 'America/Mexico_City')::date as ahead from payout_settings
     where tenant_id = $1`,
    [merchant.tenantId],
  )
  expect(settings!.ahead).toBe(true)
  // A day with nothing to pay out passes.
  await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'P7D' } })
  await trigger('sandbox')
  expect(await payoutsOf(merchant)).toHaveLength(1)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('balance activity shows what moved the balance, and which payout took it', async () => {
  const { merchant, payments } = await funded([10_000])
  const { body } = await payOut(merchant)
  await refund(merchant, { payment_id: payments[0], amount: '1000' })
  const list = async (query: string) =>
    (
      await call<{ data: object[] }>('GET', `/v1/payment-operations/balance-activity?${query}`, {
        bearer: merchant.apiKey,
      })
    ).body.data
  expect(await list('')).toMatchObject([
    { kind: 'refund', source: { type: 'refund' }, amount: '-1000', payout_id: null },
    { kind: 'payment', source: { type: 'payment', id: payments[0] }, payout_id: body.id },
  ])
  expect(await list('source_type=refund')).toHaveLength(1)
  expect(await list('currency=usd')).toEqual([])
})

test('in live, without a bank to send through, nothing is paid out and nothing is lost', async () => {
  const merchant = await newMerchant({ environment: 'live' })
  const send = (path: string, body?: object) =>
    call('POST', path, { bearer: merchant.apiKey, environment: 'live', ...(body ? { body } : {}) })
  const payouts = '/v1/payment-operations/payouts'
  expect((await send(payouts, { currency: 'mxn' })).body).toMatchObject({
    error: { code: 'transfers_not_configured' },
  })
  const id = '0190a6d2-7c3e-7b1a-9f00-000000000040'
  expect((await send(`/v1/sandbox/payouts/${id}/return`)).body).toMatchObject({
    error: { code: 'route_not_found' },
  })
})

test('a bank that reports twice, and early, moves nothing twice', async () => {
  const { merchant } = await funded([10_000], '17')
  const before = await availableOf(merchant)
  const { body } = await payOut(merchant)
  for (let look = 0; look < 3; look++)
    await Promise.all(Array.from({ length: 3 }, () => pollPayouts(merchant)))
  expect((await payoutOf(merchant, body.id)).status).toBe('returned')
  expect(await availableOf(merchant)).toBe(before)
  expect(await journalsOf(merchant.tenantId)).toMatchObject({ payout: 1, payout_paid: 1, payout_returned: 1 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test("more than one payout carries: the reconciler's next run takes the rest, and the day stays set", async () => {
  const merchant = await newMerchant()
  await endow(merchant, 100_000n)
  // That many small movements, written straight into the books.
  await adminSql('sandbox')(
    `with n as (select gen_random_uuid() as journal, gen_random_uuid() as incoming from generate_series(1, 2600)),
     arrived as (insert into incoming_transfers (tenant_id, id, source_transfer_id, source_tenant_id, amount_minor, currency,
         concept, created_at) select $1, incoming, gen_random_uuid(), 'tn_elsewhere', 7, 'mxn', 'Gift', now() from n)
     insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at)
     select $1, journal, 'incoming_transfer', incoming, 'incoming', 'mxn', now() from n`,
    [merchant.tenantId],
  )
  await adminSql('sandbox')(
    `insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
     select j.tenant_id, j.id, l.line, 'mxn', l.account, l.amount from ledger_journals j
     cross join (values (1, 'merchant_available', 7), (2, 'processor_clearing', -7)) l (line, account, amount)
     where j.tenant_id = $1 and not exists (select from ledger_postings p where p.journal_id = j.id)`,
    [merchant.tenantId],
  )
  // Last, since the reconciler may run for another file at any time.
  await settingsFor(merchant, { interval: 'daily', nextPayoutOn: '2026-01-02' })
  await trigger('sandbox')
  await trigger('sandbox')
  expect((await payoutsOf(merchant)).map(({ entries_count }) => entries_count)).toEqual([101, 2_500])
  expect(await availableOf(merchant)).toBe('0')
  await trigger('sandbox')
  expect(await payoutsOf(merchant)).toHaveLength(2)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
