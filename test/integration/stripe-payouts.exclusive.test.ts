import type Stripe from 'stripe'
import { afterEach, expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { beforeAndAfter, inTurn } from '../support/drills.ts'
import { call, type Merchant } from '../support/merchant.ts'
import { control, faults, trigger } from '../support/stack.ts'
import { directUrl, hook, journals, payWith, server, sql, until, withStripe } from '../support/stripe-live.ts'
import { own, withOwnAccount } from '../support/stripe-own-accounts.ts'
import { otherEntry } from '../support/stripe-payouts.ts'

// Stripe pays out what goes to a merchant's own account: its payouts are the interface's, read entry by entry.

withStripe({})

afterEach(() => faults.clear())

type Payout = { id: string; status: string; amount: string; reconciliation: string; entries_count: number }
type Entry = {
  kind: string
  source: { type: string; id: string } | null
  processor_ref: string
  amount_net: string
}

const path = '/v1/payment-operations/payouts'
const get = async <T>({ apiKey }: Merchant, of = '') =>
  (await call<T>('GET', `${path}${of}`, { environment: 'live', bearer: apiKey })).body
const payoutsOf = async (merchant: Merchant) => (await get<{ data: Payout[] }>(merchant)).data
const entriesOf = async (merchant: Merchant, id: string) =>
  (await get<{ data: Entry[] }>(merchant, `/${id}/entries?limit=100`)).data

const typesOf = async ({ tenantId }: Merchant) =>
  (
    await sql<{ type: string }>(
      `select type from events where tenant_id = $1 and resource_type = 'payout' order by created_at, sequence`,
      [tenantId],
    )
  ).map(({ type }) => type)

/** Posts what the stand-in reported of a payout, the oldest first, to the address of the merchant's account. */
async function notifyAll({ tenantId }: Merchant, payout: string) {
  for (const { event } of server.events.all.toReversed()) {
    if ((event.data.object as { id: string }).id !== payout) continue
    const { body, signature } = await server.signed(event, { secret: own.webhook_secret })
    const headers = { 'stripe-signature': signature }
    expect((await fetch(`${directUrl}${hook}/${tenantId}`, { method: 'POST', body, headers })).ok).toBe(true)
  }
}

/** The notifications that are stored are handled, as within the minute. */
async function handled() {
  await until(async () => {
    await sql('update processor_notifications set next_try_at = now() where next_try_at is not null')
    await trigger('live')
    return (await sql('select 1 from processor_notifications where next_try_at is not null')).length === 0
  })
}

/** A payment by card at the merchant's own account: our id, Stripe's, and the entry in the account's balance. */
async function sold(merchant: Merchant, link: Parameters<typeof payWith>[0]) {
  await payWith(link, 'pm_approve')
  const [row] = await sql<{ id: string; intent: string }>(
    `select payment_id as id, processor_ref as intent from payment_attempts
     where tenant_id = $1 order by created_at desc limit 1`,
    [merchant.tenantId],
  )
  const { id, intent } = row!
  return { id, intent, entry: entry(`txn_ch${intent.slice(3)}`) }
}
const entry = (id: string) => server.lookup(id) as Stripe.BalanceTransaction
const fee = (id = 'fee') =>
  otherEntry(id, -500, { type: 'stripe_fee', reporting_category: 'fee', description: 'Radar (2026-11)' })
const whole = { status: 'paid', reconciliation_status: 'completed' } as const
const traced = { trace_id: { status: 'supported', value: '085901234567890' } } as const

const nothingBroken = async ({ tenantId }: Merchant) => {
  expect(await brokenRules(tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
}

test('a payout of the account, from its first day to its trace, with every entry linked to its payment, refund or dispute', async () => {
  const { merchant, link } = await withOwnAccount({ usage: 'multi_use' })
  const first = await sold(merchant, link)
  const second = await sold(merchant, link)
  const refund = await call<{ id: string }>('POST', '/v1/refunds', {
    environment: 'live',
    bearer: merchant.apiKey,
    body: { payment_id: first.id, amount: '20000', reason: 'requested_by_customer' },
  })
  await until(
    async () =>
      (await sql(`select 1 from refunds where id = $1 and status = 'succeeded'`, [refund.body.id])).length ===
      1,
  )
  const refundRef = [...server.refunds.keys()].at(-1)!
  const dispute = server.dispute(second.intent, 'needs_response')
  await notifyAll(merchant, dispute.id)
  await handled()
  const [disputed] = await sql<{ id: string }>('select id from disputes where tenant_id = $1', [
    merchant.tenantId,
  ])
  // A sale of the merchant's own shop at the same account, which is none of ours.
  server.intents.set('pi_foreign', { ...server.intents.get(first.intent)!, id: 'pi_foreign', metadata: {} })
  const booked = await journals(merchant)

  const made = [
    fee(),
    entry('txn_chforeign'),
    dispute.balance_transactions[0]!,
    entry(`txn_${refundRef.replace('_', '')}`),
    second.entry,
    first.entry,
  ]
  const { id: ref, amount } = server.payOut('acct_own', made)
  await notifyAll(merchant, ref)
  await handled()
  const [begun] = await payoutsOf(merchant)
  expect(begun).toMatchObject({
    status: 'pending',
    amount: String(amount),
    amount_gross: '0',
    entries_count: 0,
    reconciliation: 'pending',
    processor_ref: ref,
    destination: { clabe_last4: '9719', bank_name: 'BBVA BANCOMER' },
    arrives_on: '2026-11-27',
    clave_rastreo: null,
  })
  server.movePayout(ref, { status: 'in_transit' })
  server.movePayout(ref, { ...whole, ...traced })
  await notifyAll(merchant, ref)
  await handled()

  const paid = await get<Payout>(merchant, `/${begun!.id}`)
  const sum = (of: 'amount' | 'fee') => made.reduce((total, each) => total + each[of], 0)
  expect(paid).toMatchObject({
    status: 'paid',
    amount: String(amount),
    amount_gross: String(sum('amount')),
    amount_fee: String(sum('fee')),
    entries_count: 6,
    reconciliation: 'complete',
    clave_rastreo: '085901234567890',
    cep: null,
  })
  const entries = await entriesOf(merchant, paid.id)
  const bySource = Object.fromEntries(entries.map((each) => [each.processor_ref, each]))
  expect(made.map(({ id }) => bySource[id])).toMatchObject([
    { kind: 'other', source: null, processor_type: 'stripe_fee', description: 'Radar (2026-11)' },
    { kind: 'other', source: null, processor_type: 'charge', payment_id: null },
    { kind: 'dispute_hold', source: { type: 'dispute', id: disputed!.id }, payment_id: second.id },
    {
      kind: 'refund',
      source: { type: 'refund', id: refund.body.id },
      payment_id: first.id,
      amount_gross: '-20000',
    },
    {
      kind: 'payment',
      source: { type: 'payment', id: second.id },
      payment_id: second.id,
      amount_gross: '120000',
    },
    {
      kind: 'payment',
      source: { type: 'payment', id: first.id },
      payment_link_id: link.id,
      balance_activity_id: null,
    },
  ])
  expect(entries.reduce((total, { amount_net }) => total + Number(amount_net), 0)).toBe(amount)
  expect((await typesOf(merchant)).toSorted()).toEqual(['payout.created', 'payout.paid', 'payout.updated'])
  // Told again, late and in another order: nothing changes. The money was never ours: nothing is booked.
  const before = await sql('select count(*)::int as n from events where tenant_id = $1', [merchant.tenantId])
  await sql('delete from processor_notifications')
  await notifyAll(merchant, ref)
  await handled()
  expect(
    await sql('select count(*)::int as n from events where tenant_id = $1', [merchant.tenantId]),
  ).toEqual(before)
  expect(await journals(merchant)).toBe(booked)

  const send = (to: string, body = {}) =>
    call('POST', `${path}${to}`, { environment: 'live', bearer: merchant.apiKey, body })
  for (const reply of [await send('', { currency: 'mxn' }), await send(`/${paid.id}/cancel`)])
    expect([reply.status, reply.body]).toMatchObject([409, { error: { code: 'paid_out_by_processor' } }])
  await nothingBroken(merchant)
})

test('one that comes back after it was paid is returned, and the next payout names it', async () => {
  const { merchant, link } = await withOwnAccount()
  const { entry: made } = await sold(merchant, link)
  const { id: ref, amount } = server.payOut('acct_own', [made], whole)
  await notifyAll(merchant, ref)
  await handled()
  server.movePayout(ref, { status: 'failed', failure_code: 'account_closed' })
  await notifyAll(merchant, ref)
  await handled()
  const [returned] = await payoutsOf(merchant)
  expect(returned).toMatchObject({ status: 'returned', failure_code: 'account_closed', entries_count: 1 })
  const back = otherEntry('back', amount, {
    type: 'payout_failure',
    reporting_category: 'payout_reversal',
    source: ref,
  })
  const next = server.payOut('acct_own', [back], whole)
  await notifyAll(merchant, next.id)
  await handled()
  const [second] = await payoutsOf(merchant)
  expect(await entriesOf(merchant, second!.id)).toMatchObject([
    { kind: 'payout_reversed', source: { type: 'payout', id: returned!.id }, amount_net: String(amount) },
  ])
  expect((await typesOf(merchant)).slice(0, 3)).toEqual(['payout.created', 'payout.paid', 'payout.updated'])
  await nothingBroken(merchant)
})

test('what no notification reported is read from the events of the account, and asked for while it is on its way', async () => {
  const { merchant, link } = await withOwnAccount()
  const account = `(select id::text from processor_credentials where tenant_id = '${merchant.tenantId}')`
  const readEvents = async () => {
    await sql(`update processor_event_reads set next_read_at = now() where account = ${account}`)
    await trigger('live')
  }
  await readEvents()
  const { entry: made } = await sold(merchant, link)
  const { id: ref } = server.payOut('acct_own', [made])
  await readEvents()
  await handled()
  expect(await payoutsOf(merchant)).toMatchObject([{ status: 'pending', processor_ref: ref }])
  const lookAgain = async () => {
    await sql('update payouts set next_check_at = now() where tenant_id = $1 and next_check_at is not null', [
      merchant.tenantId,
    ])
    await trigger('live')
  }
  server.movePayout(ref, { status: 'in_transit' })
  await lookAgain()
  expect(await payoutsOf(merchant)).toMatchObject([{ status: 'in_transit' }])
  server.failNext(/payouts/, '500')
  await lookAgain()
  server.movePayout(ref, whole)
  await lookAgain()
  expect(await payoutsOf(merchant)).toMatchObject([{ status: 'paid', reconciliation: 'complete' }])
  // A trace may come days later; then it is no longer looked at.
  server.movePayout(ref, traced)
  for (let day = 0; day < 7; day++) await lookAgain()
  expect(await payoutsOf(merchant)).toMatchObject([{ clave_rastreo: '085901234567890' }])
  expect(await sql('select next_check_at from payouts where tenant_id = $1', [merchant.tenantId])).toEqual([
    { next_check_at: null },
  ])
  await nothingBroken(merchant)
})

test('entries that sum to another amount are shown, and the operator reads it in the log', async () => {
  const { merchant, link } = await withOwnAccount()
  const { entry: made } = await sold(merchant, link)
  const { id: ref } = server.payOut('acct_own', [made, fee()], { ...whole, amount: made.net })
  await notifyAll(merchant, ref)
  await handled()
  const [payout] = await payoutsOf(merchant)
  expect(payout).toMatchObject({ reconciliation: 'mismatched', entries_count: 2, amount: String(made.net) })
  expect(await entriesOf(merchant, payout!.id)).toHaveLength(2)
  const told = (await control.workerLines('live')).filter((line) =>
    JSON.stringify(line).includes('payout_entries'),
  )
  expect(told.filter((line) => JSON.stringify(line).includes(payout!.id))).toHaveLength(1)
  await nothingBroken(merchant)
})

test('of a payout that a person made at Stripe the entries are unavailable, and not asked for', async () => {
  const { merchant } = await withOwnAccount()
  const { id: ref } = server.payOut('acct_own', [], {
    automatic: false,
    amount: 5_000,
    status: 'canceled',
    reconciliation_status: 'not_applicable',
  })
  await notifyAll(merchant, ref)
  await handled()
  expect(await payoutsOf(merchant)).toMatchObject([
    { status: 'canceled', reconciliation: 'unavailable', amount: '5000' },
  ])
  expect(server.seen.filter((each) => each.path === '/v1/balance_transactions')).toEqual([])
  await nothingBroken(merchant)
})

test('a payout that takes from the bank what the account owes', async () => {
  const { merchant } = await withOwnAccount()
  const { id: ref } = server.payOut('acct_own', [fee()], whole)
  await notifyAll(merchant, ref)
  await handled()
  expect(await payoutsOf(merchant)).toMatchObject([{ amount: '-500', reconciliation: 'complete' }])
  await nothingBroken(merchant)
})

test('the schema holds what a payout says of its entries, and whose it is', async () => {
  const { merchant } = await withOwnAccount()
  const { id: ref } = server.payOut('acct_own', [fee()], whole)
  await notifyAll(merchant, ref)
  await handled()
  const update = (set: string) => sql(`update payouts set ${set} where tenant_id = $1`, [merchant.tenantId])
  await expect(update('gross_minor = gross_minor - 1, amount_minor = amount_minor - 1')).rejects.toThrow(
    'do not sum',
  )
  await expect(update('entries_count = 2')).rejects.toThrow('do not sum')
  await expect(update('amount_minor = -499')).rejects.toMatchObject({ constraint: 'payouts_net' })
  for (const other of ['null', 'gen_random_uuid()'])
    await expect(update(`account_id = ${other}`)).rejects.toThrow('keeps what it was made with')
  await expect(
    sql(`update payout_entries set kind = 'payment' where tenant_id = $1`, [merchant.tenantId]),
  ).rejects.toThrow()
})

test('killed at any publish while it reads a payout, page by page: each entry once, and the sum is the amount', async () => {
  const { merchant, link } = await withOwnAccount()
  const { entry: made, id } = await sold(merchant, link)
  // Created, paid, and three pages.
  const strikes = inTurn(
    [0, 1, 2, 3, 4].map((skip) => ({ skip })),
    beforeAndAfter,
  )
  for (const [n, { skip, mode }] of strikes.entries()) {
    server.pageMax = 3
    const entries = Array.from({ length: 6 }, (_, at) => fee(`fee${n}x${at}`))
    const { id: ref, amount } = server.payOut(
      'acct_own',
      n === 0 ? [...entries, made] : [...entries, fee(`fee${n}`)],
      {
        ...whole,
      },
    )
    const fault = await faults.neon({ mode, match: { database: 'live', contains: 'door.publish' }, skip })
    await notifyAll(merchant, ref)
    await fault.hit()
    await control.crash('live')
    await faults.clear()
    await handled()
    const [payout] = await payoutsOf(merchant)
    expect(payout, `${mode} ${skip}`).toMatchObject({
      processor_ref: ref,
      status: 'paid',
      reconciliation: 'complete',
      entries_count: 7,
      amount: String(amount),
    })
    const read = await entriesOf(merchant, payout!.id)
    expect(new Set(read.map((each) => each.processor_ref)).size).toBe(7)
    if (n === 0) expect(read.filter(({ source }) => source?.id === id)).toHaveLength(1)
  }
  const types = await typesOf(merchant)
  for (const type of ['created', 'paid', 'updated'])
    expect(types.filter((each) => each === `payout.${type}`)).toHaveLength(strikes.length)
  await nothingBroken(merchant)
}, 300_000)
