import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addDays, mexicoCityDate } from '../../src/kernel/bank-days.ts'
import { brokenRules } from '../support/books.ts'
import { join, newCustomer } from '../support/customer.ts'
import { call, type Merchant, newMerchant } from '../support/merchant.ts'
import { resolve } from '../support/review.ts'
import { trigger } from '../support/stack.ts'
import { clabeOf } from '../support/stripe-cash.ts'
import { costs } from '../support/stripe-charges.ts'
import {
  aboutAttempt,
  directUrl,
  hook,
  journals,
  liveLink,
  notify,
  open,
  paymentOf,
  send,
  server,
  sql,
  statusIs,
  until,
  withStripe,
} from '../support/stripe-live.ts'
import { own, setKeys, withOwnAccount } from '../support/stripe-own-accounts.ts'
import { about, fundsOf, received, waiting } from '../support/stripe-transfers.ts'

// Stripe keeps a transfer for the buyer until it has applied it to the payment: only then the merchant has the money.

withStripe({})

const looked = ({ attempt }: { attempt: string }) =>
  sql('update payment_attempts set next_check_at = now() where id = $1', [attempt])

test('transfers that Stripe has not applied are progress; the payment is paid when Stripe says so', async () => {
  const { merchant, attempt, arrive, settle } = await waiting()
  expect((await about(arrive(50_000))).status).toBe(200)
  await until(async () => (await received(merchant)) === 50_000)
  expect((await about(arrive(70_000))).status).toBe(200)
  await trigger('live')
  expect([(await paymentOf(merchant)).status, await received(merchant)]).toEqual(['requires_action', 50_000])
  settle()
  await notify('payment_intent.succeeded', aboutAttempt(attempt))
  await until(statusIs(merchant, 'succeeded'))
  expect(await received(merchant)).toBe(120_000)
  // Of the entry in Stripe's balance, which the stand-in makes the longest that Stripe names.
  const { created } = server.intentFor(attempt)!
  const [paid] = await sql('select available_on::text as day from payments where tenant_id = $1', [
    merchant.tenantId,
  ])
  expect(paid!.day).toBe(
    addDays(mexicoCityDate(new Date(created * 1000 - 1)), costs.customer_balance.days + 1),
  )
  expect(await fundsOf(merchant)).toEqual([])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('notifications of transfers that were lost are made good when Stripe says that they paid', async () => {
  const { merchant, attempt, arrive, settle } = await waiting()
  arrive(50_000)
  arrive(70_000)
  settle()
  await notify('payment_intent.succeeded', aboutAttempt(attempt))
  await until(statusIs(merchant, 'succeeded'))
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('a Stripe that falls silent while transfers are booked makes no contradiction', async () => {
  const { merchant, attempt, arrive, settle } = await waiting()
  arrive(120_000)
  settle()
  // The reconciler looks at the transfers, at the attempt, and at the transfers that paid it.
  const look = /^GET \/v1\/payment_intents\/[^/]+$/
  for (const fault of ['none', '429_long', 'none', 'none', '429_long'] as const) server.failNext(look, fault)
  await looked({ attempt })
  await trigger('live')
  const { status, attempt_status } = await paymentOf(merchant)
  expect([status, attempt_status]).toEqual(['succeeded', 'captured'])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('a merchant who cancels what transfers have just paid reads that it is paid', async () => {
  const { merchant, id, arrive, settle } = await waiting()
  arrive(120_000)
  settle()
  const reply = await call('POST', `/v1/payments/${id}/cancel`, {
    environment: 'live',
    bearer: merchant.apiKey,
    headers: { 'idempotency-key': randomUUID() },
    body: {},
  })
  expect([reply.status, (reply.body.error as { code: string }).code]).toEqual([409, 'payment_not_cancelable'])
  const { status, attempt_status } = await paymentOf(merchant)
  expect([status, attempt_status]).toEqual(['succeeded', 'captured'])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test.each([
  ['single_use', 'is refused as taken'],
  ['multi_use', 'leads to the payment'],
])('a buyer who turns to a card when transfers have just paid is not charged: %s %s', async (usage) => {
  const { merchant, link } = await liveLink({ payment_method_types: ['card', 'spei'], usage })
  const { form } = await open(link)
  const page = await send(link, { ...form, method: 'spei', name: 'Ana Prueba', email: 'ana@example.com' })
  const [, reference = ''] = /(spcs_[a-z0-9]{32})/.exec(page) ?? []
  const { form: another } = await open(link, `?retry=${reference}`)
  const { attempt } = await paymentOf(merchant)
  server.deposit(server.intentFor(attempt)!.customer!, `ccsbtxn_${randomUUID().slice(0, 8)}`, 120_000)
  expect(await send(link, { ...another, card_token: 'pm_approve' })).toMatch(
    usage === 'multi_use' ? new RegExp(`/${reference}`) : /^410 /,
  )
  expect([...server.intents.values()].map(({ status }) => status)).toEqual(['succeeded'])
  expect([(await paymentOf(merchant)).status, await received(merchant)]).toEqual(['succeeded', 120_000])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('two forms of a buyer who turns to a card, at once: one of them pays', async () => {
  const { merchant, link } = await liveLink({ payment_method_types: ['card', 'spei'], usage: 'multi_use' })
  const { form } = await open(link)
  const page = await send(link, { ...form, method: 'spei', name: 'Ana Prueba', email: 'ana@example.com' })
  const [, reference = ''] = /(spcs_[a-z0-9]{32})/.exec(page) ?? []
  const forms = await Promise.all([1, 2].map(() => open(link, `?retry=${reference}`)))
  // Both have read the payment before Stripe closes it.
  server.failNext(/POST .*cancel$/, '429', 2)
  await Promise.all(forms.map(({ form: each }) => send(link, { ...each, card_token: 'pm_approve' })))
  const paid = [...server.intents.values()].filter(({ status }) => status === 'succeeded')
  expect(paid).toHaveLength(1)
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('transfers that Stripe never applies complete nothing: they are unapplied once the CLABE has ended', async () => {
  const { merchant, attempt, arrive } = await waiting()
  expect((await about(arrive(120_000))).status).toBe(200)
  await sql(
    `update payment_attempts set expires_at = now() - interval '1 hour', grace_ends_at = now() - interval '1 minute'
     where id = $1`,
    [attempt],
  )
  await looked({ attempt })
  await trigger('live')
  expect([(await paymentOf(merchant)).status, await received(merchant)]).toEqual(['expired', 0])
  expect(await fundsOf(merchant)).toMatchObject([{ reason: 'paid_late', amount: 120_000 }])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test.each(['a notification', 'the reconciler'])('paid before %s tells its CLABE', async (by) => {
  const { merchant, link } = await liveLink({ payment_method_types: ['spei'] })
  const { form } = await open(link)
  server.failNext(/POST \/v1\/payment_intents$/, 'cut_after')
  await send(link, { ...form, method: 'spei', name: 'Ana Prueba', email: 'ana@example.com' })
  const { attempt, attempt_status } = await paymentOf(merchant)
  expect(attempt_status).toBe('unknown')
  // The Dashboard shows the instructions to the merchant, who may pass them on.
  const { customer = '' } = server.intentFor(attempt)!
  const deposit = server.deposit(customer, `ccsbtxn_${randomUUID().slice(0, 8)}`, 120_000)
  if (by === 'a notification') await about(deposit)
  else {
    await looked({ attempt })
    await trigger('live')
  }
  await until(statusIs(merchant, 'succeeded'))
  expect(await received(merchant)).toBe(120_000)
  const [{ details }] = (await sql<{ details: object }>(
    'select method_details as details from payments where tenant_id = $1',
    [merchant.tenantId],
  )) as [{ details: object }]
  expect(details).toMatchObject({ clabe: clabeOf(customer), bank_name: 'CITI MEXICO' })
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('what Stripe took and transfers do not explain is a contradiction, not a payment', async () => {
  const { merchant, attempt, arrive } = await waiting()
  arrive(50_000)
  // Its owner may fund a customer by other means than transfers.
  server.move(server.intentFor(attempt)!.id, { status: 'succeeded' })
  await notify('payment_intent.succeeded', aboutAttempt(attempt))
  await until(async () => (await paymentOf(merchant)).attempt_status === 'amount_mismatch')
  expect([(await paymentOf(merchant)).status, await received(merchant)]).toEqual(['requires_action', 50_000])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('a contradiction that the merchant settled elsewhere leaves what was counted as unapplied funds', async () => {
  const { merchant, id, attempt, arrive } = await waiting()
  await about(arrive(50_000))
  await until(async () => (await received(merchant)) === 50_000)
  server.move(server.intentFor(attempt)!.id, { status: 'succeeded' })
  await notify('payment_intent.succeeded', aboutAttempt(attempt))
  await until(async () => (await paymentOf(merchant)).attempt_status === 'amount_mismatch')
  const reply = await resolve(merchant, id, 'settled_elsewhere')
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body).toMatchObject({ status: 'canceled', review: { resolution: 'settled_elsewhere' } })
  expect([(await paymentOf(merchant)).status, await received(merchant)]).toEqual(['canceled', 0])
  await about(arrive(70_000))
  await until(async () => (await fundsOf(merchant)).length === 2)
  expect(await fundsOf(merchant)).toMatchObject([
    { reason: 'incomplete', remaining: 50_000 },
    { reason: 'paid_late', remaining: 70_000 },
  ])
  expect(await brokenRules(merchant.tenantId, 'live')).toEqual([])
})

test('what one buyer sent too much pays no other buyer’s order', async () => {
  const first = await waiting()
  const { merchant } = first
  const deposit = first.arrive(150_000)
  first.settle()
  await about(deposit)
  await until(statusIs(merchant, 'succeeded'))
  const [funds] = await fundsOf(merchant)
  expect(funds).toMatchObject({ reason: 'overpaid', amount: 30_000 })
  const second = await waiting()
  const asked = server.seen.length
  const reply = await call('POST', `/v1/payment-operations/unapplied-funds/${funds!.id}/apply`, {
    environment: 'live',
    bearer: merchant.apiKey,
    headers: { 'idempotency-key': randomUUID() },
    body: { payment_id: first.id },
  })
  expect([reply.status, (reply.body.error as { code: string }).code]).toEqual([
    422,
    'unapplied_funds_held_for_buyer',
  ])
  expect(server.seen).toHaveLength(asked)
  expect((await paymentOf(second.merchant)).status).toBe('requires_action')
})

test('of two workspaces with one account at Stripe, a transfer is booked where its payment is', async () => {
  const { merchant, link } = await withOwnAccount({ payment_method_types: ['spei'] })
  const [customer, beside] = [await newCustomer(), await newMerchant({ environment: 'live' })]
  await join(customer, beside)
  expect((await setKeys(customer, beside, own)).status).toBe(200)
  const { form } = await open(link)
  await send(link, { ...form, method: 'spei', name: 'Ana Prueba', email: 'ana@example.com' })
  const { attempt } = await paymentOf(merchant)
  const deposit = server.deposit(server.intentFor(attempt)!.customer!, 'ccsbtxn_of_one', 120_000)
  const of = async (query: string, { tenantId }: Merchant) =>
    (await sql<{ n: number }>(query, [tenantId]))[0]!.n
  const events = 'select count(*)::int as n from events where tenant_id = $1'
  const before = await of(events, beside)
  for (const { tenantId } of [beside, merchant]) {
    const { body, signature } = await server.event('customer_cash_balance_transaction.created', deposit, {
      secret: own.webhook_secret,
    })
    const headers = { 'stripe-signature': signature }
    const reply = await fetch(`${directUrl}${hook}/${tenantId}`, { method: 'POST', body, headers })
    expect(reply.status).toBe(200)
  }
  await until(statusIs(merchant, 'succeeded'))
  const waiting =
    "select count(*)::int as n from processor_notifications where account <> '' and next_try_at is not null"
  await until(async () => (await sql<{ n: number }>(waiting))[0]!.n === 0)
  const deposits = 'select count(*)::int as n from spei_deposits where tenant_id = $1'
  expect([await of(deposits, merchant), await of(deposits, beside)]).toEqual([1, 0])
  expect([await journals(beside), await of(events, beside)]).toEqual([0, before])
  for (const { tenantId } of [merchant, beside]) expect(await brokenRules(tenantId, 'live')).toEqual([])
})
