import { expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { call, type Merchant } from '../support/merchant.ts'
import { trigger } from '../support/stack.ts'
import { refundOf } from '../support/stripe-aftermath.ts'
import {
  liveLink,
  notify,
  open,
  paymentOf,
  payWith,
  send,
  server,
  sql,
  until,
  withStripe,
} from '../support/stripe-live.ts'

withStripe({ PROCESSOR_TIMEOUT_MS: '2500' })

/** A card payment of 1,200.00, and what Stripe calls it. */
async function paid() {
  const { merchant, link } = await liveLink()
  await payWith(link, 'pm_approve')
  const { id, attempt } = await paymentOf(merchant)
  return { merchant, id, intent: server.intentFor(attempt)!.id }
}

const rowsOf = ({ tenantId }: Merchant) =>
  sql<{ id: string; origin: string; status: string; amount_minor: string; processor_ref: string }>(
    'select id, origin, status, amount_minor, processor_ref from refunds where tenant_id = $1 order by created_at',
    [tenantId],
  )

const refundedOf = async (id: string) =>
  (
    await sql<{ amount: string }>('select amount_refunded_minor as amount from payments where id = $1', [id])
  )[0]!.amount

const heard = (reference: string) => async () => {
  const kept = await sql<{ done: boolean }>(
    'select processed_at is not null as done from processor_notifications where reference = $1',
    [reference],
  )
  return kept.length > 0 && kept.every(({ done }) => done)
}

const allWell = async ({ tenantId }: Merchant) => {
  expect(await brokenRules(tenantId, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
}

test('a refund in the dashboard: on its way, there, and returned after all, whatever the notifications claim', async () => {
  const { merchant, id, intent } = await paid()
  const made = server.refundInDashboard(intent, 50_000, 'pending')
  // The payload is never trusted: not its status, not its amount.
  await notify('refund.created', { ...made, status: 'succeeded', amount: 1 })
  await until(heard(made.id))
  const [row] = await rowsOf(merchant)
  expect(row).toMatchObject({
    origin: 'processor',
    status: 'processing',
    amount_minor: '50000',
    processor_ref: made.id,
  })
  const statusIs = (status: string) => async () => (await rowsOf(merchant))[0]!.status === status
  // The reconciler asks by Stripe's id, and sends nothing.
  server.moveRefund(made.id, 'succeeded')
  server.seen.length = 0
  await sql('update refunds set next_check_at = now() where id = $1', [row!.id])
  await trigger('live')
  expect(await statusIs('succeeded')()).toBe(true)
  // Requests about what other tests left are in here too.
  const asked = server.seen.map(({ method, path }) => `${method} ${path}`)
  expect(asked.filter((each) => each.includes('/v1/refunds'))).toEqual([`GET /v1/refunds/${made.id}`])
  expect(await refundedOf(id)).toBe('50000')
  server.moveRefund(made.id, 'failed')
  await notify('refund.failed', made)
  await until(statusIs('failed'))
  // A late notification of an earlier status.
  await notify('refund.updated', { ...made, status: 'succeeded' })
  await until(heard(made.id))
  expect(await rowsOf(merchant)).toMatchObject([{ status: 'failed' }])
  expect(await refundedOf(id)).toBe('0')
  await allWell(merchant)
})

test('notified fifty times at once, by every name that Stripe has for it: one refund', async () => {
  const { merchant, id, intent } = await paid()
  const made = server.refundInDashboard(intent, 50_000)
  const types = ['refund.created', 'refund.updated']
  const told = Array.from({ length: 50 }, (_, at) => notify(types[at % 2]!, made))
  expect(new Set((await Promise.all(told)).map(({ status }) => status))).toEqual(new Set([200]))
  await until(heard(made.id))
  expect(await rowsOf(merchant)).toMatchObject([{ status: 'succeeded', amount_minor: '50000' }])
  expect(await refundedOf(id)).toBe('50000')
  await allWell(merchant)
})

test('ours and theirs side by side: each is counted once, and the API shows what is left', async () => {
  const { merchant, id, intent } = await paid()
  const ask = (amount: string) =>
    call<{ id: string; status: string; error?: { code: string } }>('POST', '/v1/refunds', {
      environment: 'live',
      bearer: merchant.apiKey,
      body: { payment_id: id, amount, reason: 'requested_by_customer' },
    })
  expect((await ask('20000')).status).toBe(201)
  await until(async () => (await rowsOf(merchant))[0]!.status === 'succeeded')
  const [ours] = server.refunds.values()
  await notify('refund.created', ours!)
  const made = server.refundInDashboard(intent, 100_000)
  await notify('refund.created', made)
  await until(heard(made.id))
  expect(await rowsOf(merchant)).toMatchObject([
    { origin: 'api', amount_minor: '20000' },
    { origin: 'processor', amount_minor: '100000' },
  ])
  expect((await ask('1')).body.error?.code).toBe('refund_exceeds_captured')
  await allWell(merchant)
})

test('the scheduled job handles a stored notification after Stripe failed to answer, or the Worker was killed', async () => {
  const { merchant, intent } = await paid()
  const made = server.refundInDashboard(intent, 50_000)
  server.failNext(/GET \/v1\/refunds\/re_/, '500')
  await notify('refund.created', made)
  await until(async () => server.seen.some(({ path }) => path.endsWith(made.id)))
  expect(await rowsOf(merchant)).toEqual([])
  await sql('update processor_notifications set next_try_at = now() where reference = $1', [made.id])
  await trigger('live')
  expect(await rowsOf(merchant)).toMatchObject([{ status: 'succeeded' }])
  await allWell(merchant)
})

test('a refund of a payment that is not ours is ignored; one that another program made of our payment is recorded', async () => {
  const { merchant, intent } = await paid()
  const { attempt: attempt_id } = await paymentOf(merchant)
  const foreign = refundOf('re_foreign', 100, 'pi_foreign', {}, 'succeeded')
  server.refunds.set(foreign.id, foreign)
  await notify('refund.created', foreign)
  await until(heard(foreign.id))
  expect(await rowsOf(merchant)).toEqual([])
  for (const metadata of [{ refund_id: merchant.tenantId }, { refund_id: 'R-77', attempt_id }]) {
    const theirs = { ...server.refundInDashboard(intent, 700), metadata }
    server.refunds.set(theirs.id, theirs)
    await notify('refund.created', theirs)
    await until(heard(theirs.id))
  }
  const made = { origin: 'processor', amount_minor: '700' }
  expect(await rowsOf(merchant)).toMatchObject([made, made])
  await allWell(merchant)
})

/** A SPEI payment of 1,200.00 that Stripe has applied, and the balance of its buyer there. */
async function paidByTransfer() {
  const { merchant, link } = await liveLink({ payment_method_types: ['spei'] })
  const { form } = await open(link)
  await send(link, { ...form, method: 'spei', name: 'Ana Prueba', email: 'ana@example.com' })
  const { id, attempt } = await paymentOf(merchant)
  const { customer = '' } = server.intentFor(attempt)!
  await notify(
    'customer_cash_balance_transaction.created',
    server.deposit(customer, `ccsbtxn_${merchant.tenantId.slice(3)}`, 120_000),
  )
  await until(async () => (await paymentOf(merchant)).status === 'succeeded')
  // As once its day has come.
  await sql(`update payments set available_on = '2020-01-01' where id = $1`, [id])
  await trigger('live')
  const refund = (body: object) =>
    call<{ id: string; status: string; method: string }>('POST', '/v1/refunds', {
      environment: 'live',
      bearer: merchant.apiKey,
      body: { payment_id: id, reason: 'requested_by_customer', ...body },
    })
  const sent = () => [...server.refunds.values()]
  const isAt = (status: string) => async () => (await rowsOf(merchant)).at(-1)!.status === status
  const balance = async () =>
    (
      await sql<{ n: number }>(
        `select balance_minor::int as n from ledger_accounts where tenant_id = $1 and code = 'merchant_available'`,
        [merchant.tenantId],
      )
    )[0]!.n
  return { merchant, id, customer, refund, sent, isAt, balance }
}

const poll = async ({ tenantId }: Merchant) => {
  await sql('update refunds set next_check_at = now() where tenant_id = $1 and next_check_at is not null', [
    tenantId,
  ])
  await trigger('live')
}

test('a SPEI payment is given back by Stripe: in part while it asks the buyer, and the rest', async () => {
  const { merchant, id, refund, sent, isAt } = await paidByTransfer()
  server.refundStatus = 'requires_action'
  const part = await refund({ amount: '50000' })
  expect([part.status, part.body], part.text).toMatchObject([
    201,
    { method: 'original', status: 'processing' },
  ])
  await until(async () => sent().length === 1)
  expect(sent()[0]).toMatchObject({
    amount: 50_000,
    status: 'requires_action',
    instructions_email: 'ana@example.com',
  })
  await poll(merchant)
  expect(await isAt('processing')()).toBe(true)
  server.moveRefund(sent()[0]!.id, 'succeeded')
  await notify('refund.updated', sent()[0]!)
  await until(isAt('succeeded'))
  server.refundStatus = 'pending'
  expect((await refund({})).status).toBe(201)
  // The row knows Stripe's refund only after Stripe has it.
  await until(async () => Boolean((await rowsOf(merchant))[1]?.processor_ref))
  server.moveRefund(sent()[1]!.id, 'succeeded')
  await poll(merchant)
  expect(await rowsOf(merchant)).toMatchObject([
    { amount_minor: '50000', status: 'succeeded' },
    { amount_minor: '70000', status: 'succeeded' },
  ])
  expect(await refundedOf(id)).toBe('120000')
  await allWell(merchant)
})

test('a refund whose buyer names no account in 45 days: the buyer has it at Stripe, the merchant has not', async () => {
  const { merchant, id, customer, refund, sent, isAt, balance } = await paidByTransfer()
  server.refundStatus = 'requires_action'
  await refund({ amount: '50000' })
  await until(async () => sent().length === 1)
  const before = await balance()
  server.moveRefund(sent()[0]!.id, 'canceled')
  expect(server.balanceOf(customer)).toBe(50_000)
  for (const _ of [1, 2]) await notify('refund.updated', sent()[0]!)
  await until(isAt('kept'))
  await poll(merchant)
  expect([await balance(), await refundedOf(id), sent().length]).toEqual([before, '50000', 1])
  expect((await refund({ amount: '70001' })).body).toMatchObject({
    error: { code: 'refund_exceeds_captured' },
  })
  await allWell(merchant)
})

test.each(['ours', 'theirs'])(
  'one that a bank sent back after it had arrived: the buyer has it at Stripe: %s',
  async (whose) => {
    const { merchant, id, customer, refund, sent, isAt, balance } = await paidByTransfer()
    const { processor_ref: intent } = (await paymentOf(merchant)) as unknown as { processor_ref: string }
    if (whose === 'ours') await refund({ amount: '50000' })
    else await notify('refund.created', server.refundInDashboard(intent, 50_000))
    await until(async () => (await rowsOf(merchant)).at(-1)?.status === 'succeeded')
    const before = await balance()
    server.moveRefund(sent()[0]!.id, 'failed')
    expect(server.balanceOf(customer)).toBe(50_000)
    for (const _ of [1, 2]) await notify('refund.failed', sent()[0]!)
    await until(isAt('kept'))
    expect([await balance(), await refundedOf(id), sent().length]).toEqual([before, '50000', 1])
    await allWell(merchant)
  },
)

test('made in the dashboard, one that found no account ends the same way, whenever we hear of it', async () => {
  for (const heardBefore of [true, false]) {
    const { merchant, id, sent, isAt } = await paidByTransfer()
    const { processor_ref: intent } = (await paymentOf(merchant)) as unknown as { processor_ref: string }
    const made = server.refundInDashboard(intent, 50_000, 'requires_action')
    if (heardBefore) {
      await notify('refund.created', made)
      await until(heard(made.id))
      expect(await isAt('processing')()).toBe(true)
    }
    server.moveRefund(made.id, 'canceled')
    await notify('refund.updated', sent().at(-1)!)
    await until(async () => (await rowsOf(merchant)).at(-1)?.status === 'kept')
    expect(await refundedOf(id)).toBe('50000')
    await allWell(merchant)
  }
})

test('a key that Stripe refuses, or that lacks the right, does not end a refund', async () => {
  const { merchant, refund, sent, isAt } = await paidByTransfer()
  for (const fault of ['401', '403'] as const) server.failNext(/POST \/v1\/refunds/, fault)
  const asked = () =>
    server.seen.filter(({ method, path }) => `${method} ${path}` === 'POST /v1/refunds').length
  const before = asked()
  await refund({ amount: '50000' })
  await until(async () => asked() > before)
  expect([await isAt('processing')(), sent().length]).toEqual([true, 0])
  // A poll finds nothing to do while the first call is not recorded.
  await until(async () => {
    await poll(merchant)
    return isAt('succeeded')()
  })
  expect([asked() - before, sent().length]).toEqual([3, 1])
  await allWell(merchant)
})
