import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { call, type Merchant } from '../support/merchant.ts'
import { control, trigger } from '../support/stack.ts'
import {
  aboutAttempt,
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

// Stripe keeps a transfer for the buyer until it has applied it to the payment: only then the merchant has the money.

withStripe({})

/** A payment whose transfers Stripe does not apply until `settle`. */
async function waiting() {
  const { merchant, link } = await liveLink({ payment_method_types: ['spei'] })
  const { form } = await open(link)
  await send(link, { ...form, method: 'spei', name: 'Ana Prueba', email: 'ana@example.com' })
  const { id, attempt } = await paymentOf(merchant)
  const { customer } = server.intentFor(attempt)!
  server.customers.set(customer!, { ...server.customers.get(customer!)!, mode: 'manual' })
  const arrive = (amount: number) => server.deposit(customer!, `ccsbtxn_${randomUUID().slice(0, 8)}`, amount)
  const settle = () => server.applyCash(server.intentFor(attempt)!.id)
  return { merchant, id, attempt, arrive, settle }
}

const about = (deposit: object) => notify('customer_cash_balance_transaction.created', deposit)

const received = async ({ tenantId }: Merchant) =>
  (await sql('select amount_received_minor::int as n from payments where tenant_id = $1', [tenantId]))[0]!.n

const fundsOf = ({ tenantId }: Merchant) =>
  sql<{ id: string; reason: string; amount: number }>(
    'select id, reason, amount_minor::int as amount from unapplied_funds where tenant_id = $1',
    [tenantId],
  )

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

test('money that leaves a buyer’s balance is told to the operator, with the attempt that it was sent for', async () => {
  const { merchant, attempt, arrive } = await waiting()
  const { customer } = server.intentFor(attempt)!
  await about(arrive(50_000))
  await until(async () => (await received(merchant)) === 50_000)
  expect((await about(server.cash(customer!, 'funding_reversed', 50_000))).status).toBe(200)
  const lines = async () => (await control.workerLines('live')).map(({ message }) => message).join('\n')
  await until(async () => (await lines()).includes('"what":"reversed -50000"'))
  expect(await lines()).toContain(`"place":"deposit_movement"`)
  expect(await lines()).toContain(attempt)
})
