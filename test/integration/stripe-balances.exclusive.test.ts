import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { call, type Merchant } from '../support/merchant.ts'
import { control, trigger } from '../support/stack.ts'
import type { CashType } from '../support/stripe-cash.ts'
import { paymentOf, server, sql, statusIs, until, withStripe } from '../support/stripe-live.ts'
import { about, fundsOf, received, waiting } from '../support/stripe-transfers.ts'

// What leaves the balance in which Stripe keeps a buyer's transfers, or comes back to it, is booked once, as its own kind.

withStripe({})

// A movement is handled after the reply, and once more when it is due.
const handled = async () => {
  await sql('update processor_notifications set next_try_at = now() where next_try_at is not null')
  await trigger('live')
}
beforeEach(() => sql('update processor_notifications set next_try_at = null'))

const booksOf = async ({ tenantId }: Merchant) =>
  Object.fromEntries(
    (
      await sql<{ code: string; balance: number }>(
        'select code, balance_minor::int as balance from ledger_accounts where tenant_id = $1',
        [tenantId],
      )
    ).map(({ code, balance }) => [code, balance]),
  )

const movementsOf = async ({ tenantId }: Merchant) =>
  (
    await sql<{ kind: string; change: number }>(
      `select m.kind, m.change_minor::int as change from buyer_balance_movements m
       join ledger_journals j on j.tenant_id = m.tenant_id and j.source_id = m.id
       where m.tenant_id = $1 order by m.created_at, m.id`,
      [tenantId],
    )
  ).map(({ kind, change }) => `${kind} ${change}`)

const eventsOf = async ({ tenantId }: Merchant) =>
  (
    await sql<{ told: string }>(
      `select type || ' ' || (object->>'withdrawal') as told from events
       where tenant_id = $1 and object ? 'withdrawal' order by 1`,
      [tenantId],
    )
  ).map(({ told }) => told)

/** The books are whole, and say of the buyer what Stripe says. */
async function agrees({ merchant, customer }: { merchant: Merchant; customer: string }) {
  const { unapplied_funds: unapplied = 0, buyer_overdrafts: overdraft = 0 } = await booksOf(merchant)
  expect(unapplied + overdraft).toBe(server.balanceOf(customer))
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
}

/** A payment that was paid with `amount`; what is over 120,000 is unapplied. */
async function paidWith(amount: number) {
  const payment = await waiting()
  const deposit = payment.arrive(amount)
  payment.settle()
  await about(deposit)
  await until(statusIs(payment.merchant, 'succeeded'))
  return payment
}

const moves = (customer: string, type: CashType, amount: number) => about(server.cash(customer, type, amount))

const booked = ({ merchant }: { merchant: Merchant }, count: number) =>
  until(async () => (await movementsOf(merchant)).length === count)

test.each([
  ['return_initiated', 'returned', { processor_clearing: 30_000 }],
  ['funding_reversed', 'reversed', { processor_clearing: 30_000 }],
  ['transferred_to_balance', 'taken', { merchant_available: 30_000 }],
] as const)('%s takes from what is unapplied', async (type, kind, moved) => {
  const payment = await paidWith(150_000)
  const { merchant, customer } = payment
  const before = await booksOf(merchant)
  await moves(customer, type, 30_000)
  await booked(payment, 1)
  expect(await movementsOf(merchant)).toEqual([`${kind} -30000`])
  expect(await fundsOf(merchant)).toMatchObject([{ reason: 'overpaid', amount: 30_000, remaining: 0 }])
  expect(await eventsOf(merchant)).toEqual([`unapplied_funds.withdrawn ${kind}`])
  const after = await booksOf(merchant)
  for (const [account, amount] of Object.entries(moved))
    expect((after[account] ?? 0) - (before[account] ?? 0)).toBe(amount)
  await agrees(payment)
})

test('one reported again, at once, late and by the list of events is booked once', async () => {
  const payment = await paidWith(150_000)
  const { merchant, customer } = payment
  const movement = server.cash(customer, 'return_initiated', 10_000)
  await Promise.all([1, 2, 3, 4, 5].map(() => about(movement)))
  await booked(payment, 1)
  await about(movement)
  await sql(`update processor_event_reads set next_read_at = now() where account = ''`)
  await handled()
  expect(await movementsOf(merchant)).toEqual(['returned -10000'])
  await agrees(payment)
})

test('ten at once leave nothing, and never less', async () => {
  const payment = await paidWith(150_000)
  const { merchant, customer } = payment
  await Promise.all(Array.from({ length: 10 }, () => moves(customer, 'return_initiated', 3_000)))
  await handled()
  await booked(payment, 10)
  expect(await fundsOf(merchant)).toMatchObject([{ amount: 30_000, remaining: 0 }])
  await agrees(payment)
})

test('a payment that waits counts less, and is paid by what arrives instead', async () => {
  const payment = await waiting()
  const { merchant, attempt, customer, arrive, settle } = payment
  await about(arrive(50_000))
  await until(async () => (await received(merchant)) === 50_000)
  await moves(customer, 'return_initiated', 20_000)
  await until(async () => (await received(merchant)) === 30_000)
  expect(await eventsOf(merchant)).toEqual([
    'payment.funds_withdrawn returned',
    'unapplied_funds.withdrawn returned',
  ])
  await agrees(payment)
  const rest = arrive(90_000)
  settle()
  await about(rest)
  await until(statusIs(merchant, 'succeeded'))
  expect([await received(merchant), (await paymentOf(merchant)).attempt]).toEqual([120_000, attempt])
  await agrees(payment)
})

/** Its time is over, and the processor is asked. */
async function expires({ merchant, attempt }: { merchant: Merchant; attempt: string }) {
  await sql(
    `update payment_attempts set expires_at = now() - interval '1 hour', grace_ends_at = now() - interval '1 minute',
       next_check_at = now() where id = $1`,
    [attempt],
  )
  await trigger('live')
  await until(statusIs(merchant, 'expired'))
}

test('a payment that ends leaves as unapplied funds what is still there', async () => {
  const payment = await waiting()
  const { merchant, customer, arrive } = payment
  for (const [amount, counted] of [
    [50_000, 50_000],
    [30_000, 80_000],
  ] as const) {
    await about(arrive(amount))
    await until(async () => (await received(merchant)) === counted)
  }
  await moves(customer, 'funding_reversed', 60_000)
  await until(async () => (await received(merchant)) === 20_000)
  await expires(payment)
  expect((await fundsOf(merchant)).filter(({ remaining }) => remaining > 0)).toMatchObject([
    { reason: 'incomplete', amount: 20_000, remaining: 20_000 },
  ])
  await agrees(payment)
})

test('what paid a payment and is taken back is an overdraft, until Stripe takes it from the merchant', async () => {
  const payment = await paidWith(130_000)
  const { merchant, customer } = payment
  const available = async () => (await booksOf(merchant)).merchant_available ?? 0
  const before = await available()
  await moves(customer, 'funding_reversed', 130_000)
  await booked(payment, 1)
  expect(await booksOf(merchant)).toMatchObject({ unapplied_funds: 0, buyer_overdrafts: -120_000 })
  expect([await available(), (await paymentOf(merchant)).status]).toEqual([before, 'succeeded'])
  expect(await eventsOf(merchant)).toEqual([
    'payment.funds_withdrawn reversed',
    'unapplied_funds.withdrawn reversed',
  ])
  await agrees(payment)
  await moves(customer, 'adjusted_for_overdraft', 120_000)
  await booked(payment, 2)
  expect(await booksOf(merchant)).toMatchObject({
    buyer_overdrafts: 0,
    merchant_available: before - 120_000,
  })
  await agrees(payment)
})

test('a transfer into a balance below zero makes that up first', async () => {
  const payment = await paidWith(120_000)
  const { merchant, customer, arrive } = payment
  await moves(customer, 'funding_reversed', 50_000)
  await booked(payment, 1)
  await about(arrive(80_000))
  await booked(payment, 2)
  expect(await movementsOf(merchant)).toEqual(['reversed -50000', 'refilled 80000'])
  expect(await fundsOf(merchant)).toMatchObject([
    { reason: 'already_paid', amount: 80_000, remaining: 30_000 },
  ])
  expect(await booksOf(merchant)).toMatchObject({ unapplied_funds: 30_000, buyer_overdrafts: 0 })
  await agrees(payment)
})

test('a payment that waits counts of a transfer what is not needed to make up a balance below zero', async () => {
  const payment = await waiting()
  const { merchant, customer, arrive, settle } = payment
  await about(arrive(50_000))
  await until(async () => (await received(merchant)) === 50_000)
  await moves(customer, 'return_initiated', 20_000)
  await booked(payment, 1)
  await moves(customer, 'funding_reversed', 50_000)
  await booked(payment, 2)
  expect([await received(merchant), server.balanceOf(customer)]).toEqual([0, -20_000])
  // As much as the page asks for, and less than Stripe needs.
  await about(arrive(120_000))
  await booked(payment, 3)
  expect([await received(merchant), server.balanceOf(customer)]).toEqual([100_000, 100_000])
  await agrees(payment)
  const rest = arrive(20_000)
  settle()
  await about(rest)
  await until(statusIs(merchant, 'succeeded'))
  await agrees(payment)
})

test('what a payment lets go is in the books already, but for what the balance is below zero', async () => {
  const payment = await waiting()
  const { merchant, customer, arrive, settle } = payment
  await about(arrive(50_000))
  await until(async () => (await received(merchant)) === 50_000)
  settle()
  await moves(customer, 'funding_reversed', 20_000)
  await booked(payment, 1)
  expect([await received(merchant), server.balanceOf(customer)]).toEqual([50_000, -20_000])
  await expires(payment)
  const released = server.events.all.find(
    ({ event }) => (event.data.object as { type?: string }).type === 'unapplied_from_payment',
  )!
  await about(released.event.data.object)
  await booked(payment, 2)
  expect(await movementsOf(merchant)).toEqual(['reversed -20000', 'unapplied 50000'])
  expect(await booksOf(merchant)).toMatchObject({ unapplied_funds: 30_000, buyer_overdrafts: 0 })
  await agrees(payment)
})

const lines = async () => (await control.workerLines('live')).map(({ message }) => message).join('\n')

test('one that the books do not explain is a line to the operator, and booked once they do', async () => {
  const payment = await waiting()
  const { merchant, attempt, customer, arrive } = payment
  // It would complete the payment, and Stripe does not apply it: it waits.
  await about(arrive(120_000))
  await moves(customer, 'return_initiated', 120_000)
  await until(async () => (await lines()).includes('"what":"returned -120000"'))
  expect(await lines()).toContain('"place":"deposit_movement"')
  expect(await lines()).toContain(attempt)
  expect(await movementsOf(merchant)).toEqual([])
  await expires(payment)
  await handled()
  await booked(payment, 1)
  expect(await fundsOf(merchant)).toMatchObject([{ reason: 'paid_late', amount: 120_000, remaining: 0 }])
  await agrees(payment)
})

test('a refund that found no account is unapplied funds; its return, reported first, waits for it', async () => {
  const payment = await paidWith(120_000)
  const { merchant, customer } = payment
  const kept = server.cash(customer, 'refunded_from_payment', 40_000)
  const returned = server.cash(customer, 'return_initiated', 25_000)
  await about(returned)
  await about(kept)
  // What was reported first is booked with the second, or when it is looked at again.
  await until(() => handled().then(async () => (await movementsOf(merchant)).length === 2))
  expect(await movementsOf(merchant)).toEqual(['refund_kept 40000', 'returned -25000'])
  const [funds] = await fundsOf(merchant)
  expect(funds).toMatchObject({ reason: 'came_back', amount: 40_000, remaining: 15_000 })
  await moves(customer, 'return_canceled', 25_000)
  await booked(payment, 3)
  await agrees(payment)
  const other = await waiting()
  const reply = await call('POST', `/v1/payment-operations/unapplied-funds/${funds!.id}/apply`, {
    environment: 'live',
    bearer: merchant.apiKey,
    headers: { 'idempotency-key': randomUUID() },
    body: { payment_id: other.id },
  })
  expect([reply.status, (reply.body.error as { code: string }).code]).toEqual([
    422,
    'unapplied_funds_held_for_buyer',
  ])
})

test('the schema takes no movement without its journal', async () => {
  const { merchant, attempt } = await waiting()
  await expect(
    sql(
      `insert into buyer_balance_movements
         (tenant_id, id, movement_ref, kind, attempt_id, change_minor, below_zero_minor, currency, created_at)
       values ($1, gen_random_uuid(), 'cus_1/ccsbtxn_1', 'returned', $2, -1, 0, 'mxn', now())`,
      [merchant.tenantId, attempt],
    ),
  ).rejects.toThrow(/has not one journal/)
})
