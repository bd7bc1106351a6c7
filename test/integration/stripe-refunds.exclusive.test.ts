import { expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import { call, type Merchant } from '../support/merchant.ts'
import { trigger } from '../support/stack.ts'
import { refundOf } from '../support/stripe-aftermath.ts'
import {
  liveLink,
  notify,
  paymentOf,
  payWith,
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
  const foreign = refundOf('re_foreign', 100, 'pi_foreign', {}, 'succeeded')
  server.refunds.set(foreign.id, foreign)
  await notify('refund.created', foreign)
  await until(heard(foreign.id))
  expect(await rowsOf(merchant)).toEqual([])
  const theirs = { ...server.refundInDashboard(intent, 700), metadata: { refund_id: merchant.tenantId } }
  server.refunds.set(theirs.id, theirs)
  await notify('refund.created', theirs)
  await until(heard(theirs.id))
  expect(await rowsOf(merchant)).toMatchObject([{ origin: 'processor', amount_minor: '700' }])
  await allWell(merchant)
})
