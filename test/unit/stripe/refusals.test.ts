import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { cardCharge, processorAt, pushCharge, refundOrder } from '../../support/stripe-orders.ts'
import { type Fault, StripeServer } from '../../support/stripe-server.ts'

const server = new StripeServer()
let apiBase = ''
beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** With the time-out of production, which no busy machine uses up. */
const processor = () => processorAt(apiBase, 25_000)
const sale = { amountMinor: 120_000n, currency: 'mxn', installments: true, publicId: 'splink_1' }
const softly = { state: 'declined', code: 'processing_error', category: 'soft' }

test.each(['429', '429_lock'] as const)(
  'a charge that met "%s" twice is sent again under its key',
  async (fault) => {
    const charge = cardCharge('pm_approve')
    server.failNext(/POST/, fault, 2)
    expect(await processor().createAttempt(charge)).toMatchObject({ state: 'captured' })
    expect(server.seen.map(({ key }) => key)).toEqual(Array(3).fill(charge.reference))
    expect(server.intents.size).toBe(1)
    expect(server.complaints).toEqual([])
  },
)

test('a burst that lasts declines softly, charges nothing and opens no breaker', async () => {
  const { createAttempt, fetchAttempt } = processor()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  server.failNext(/./, '429', 8 * 3)
  const charges = Array.from({ length: 8 }, () => cardCharge('pm_approve'))
  for (const answer of await Promise.all(charges.map(createAttempt))) expect(answer).toMatchObject(softly)
  expect(server.intents.size).toBe(0)
  expect(server.seen).toHaveLength(24)
  expect(await createAttempt(cardCharge('pm_approve'))).toMatchObject({ state: 'captured' })
  expect(await fetchAttempt(charges[0]!.reference)).toEqual({ state: 'not_found' })
})

test('a wait that is longer than the time-out allows is not begun', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  server.failNext(/POST/, '429_long')
  expect(await processor().createAttempt(cardCharge('pm_approve'))).toMatchObject(softly)
  expect(server.seen).toHaveLength(1)
})

test.each(['401', '403'] as const)(
  'a key that Stripe refuses (%s) ends no card and no refund',
  async (fault) => {
    const { createAttempt, refunds, capture, disputes } = processor()
    const [paid, held] = [cardCharge('pm_approve'), cardCharge('pm_approve', { capture: 'manual' })]
    for (const charge of [paid, held]) await createAttempt(charge)
    const order = refundOrder(server, paid, 50_000n)
    const dispute = server.dispute(order.processorRef!, 'needs_response')
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.failNext(/POST/, fault, 4)
    expect(await createAttempt(cardCharge('pm_approve'))).toMatchObject(softly)
    expect(await refunds.refund(order)).toEqual({ state: 'unknown' })
    expect(
      logged.mock.calls.map(([line]) => (JSON.parse(line as string) as { place: string }).place),
    ).toEqual(['stripe_key', 'stripe_key'])
    expect(await capture(held.reference, 120_000n)).toEqual({ state: 'unknown' })
    expect(await disputes.submitEvidence(dispute.id, { product_description: 'Coffee' })).toBe('unknown')
    server.disputes.clear()
    expect(await refunds.refund(order)).toMatchObject({ state: 'succeeded' })
    expect(await capture(held.reference, 120_000n)).toMatchObject({ state: 'captured' })
  },
)

test('a refund that the bank refuses at once has failed', async () => {
  const { createAttempt, refunds } = processor()
  const charge = cardCharge('pm_approve')
  await createAttempt(charge)
  const order = refundOrder(server, charge, 50_000n)
  server.failNext(/POST \/v1\/refunds/, '402')
  for (const _ of [1, 2])
    expect(await refunds.refund(order)).toEqual({ state: 'failed', code: 'declined_by_bank' })
  expect(server.refunds.size).toBe(0)
})

test.each(['capture', 'cancel'] as const)(
  'of a %s that is refused with 402 the state is read',
  async (verb) => {
    const adapter = processor()
    const charge = cardCharge('pm_approve', { capture: 'manual' })
    await adapter.createAttempt(charge)
    server.failNext(new RegExp(`${verb}$`), '402')
    const answer =
      verb === 'capture' ? adapter.capture(charge.reference, 70_000n) : adapter.cancel(charge.reference)
    expect(await answer).toMatchObject({ state: 'authorized', amountMinor: 120_000n })
  },
)

test('what moves no money is never taken for a payment', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const secretKey = 'sk_test_stand-in'
  server.accounts.set(secretKey, 'acct_environment')
  const [live, tried] = [
    processorAt(apiBase, 2_000, { secretKey }),
    processorAt(apiBase, 2_000, { secretKey, livemode: false }),
  ]
  const charge = cardCharge('pm_approve')
  expect(await live.createAttempt(charge)).toMatchObject(softly)
  expect(logged.mock.calls[0]![0]).toContain('stripe_key')
  const { id } = server.intentFor(charge.reference)!
  expect(await live.fetchAttempt(charge.reference)).toEqual({ state: 'unknown' })
  expect(await tried.fetchAttempt(charge.reference)).toMatchObject({ state: 'captured' })
  expect(await live.refunds.fetchExternalRefund(server.refundInDashboard(id, 100).id)).toBe('unknown')
  expect(await live.disputes.fetchDispute(server.dispute(id, 'needs_response').id)).toBe('unknown')
  expect(await live.describe('pm_approve', sale).catch(() => 'unknown')).toBe('unknown')
  const transfer = pushCharge('spei')
  await tried.createAttempt(transfer)
  const { customer } = server.intentFor(transfer.reference)!
  server.deposit(customer!, 'ccsbtxn_t', 100)
  await expect(live.deposits.fetchDeposit(`${customer}/ccsbtxn_t`)).rejects.toThrow('other mode')
  expect(await tried.deposits.fetchDeposit(`${customer}/ccsbtxn_t`)).toMatchObject({ amountMinor: 100n })
  server.accounts.delete(secretKey)
})

test('questions about terms have an allowance: without one the card is taken without terms', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const { describe, createAttempt } = processor()
  const offered = []
  for (let asked = 0; asked < 12; asked++)
    offered.push((await describe('pm_msi', sale))!.installmentMonths.length)
  expect(offered).toEqual([...Array(10).fill(4), 0, 0])
  expect([...server.intents.values()].map(({ status }) => status)).toEqual(Array(10).fill('canceled'))
  expect(await createAttempt(cardCharge('pm_approve'))).toMatchObject({ state: 'captured' })
  vi.setSystemTime(Date.now() + 1_000)
  expect(await describe('pm_msi', sale)).toMatchObject({ installmentMonths: [3, 6, 9, 12] })
})

test.each(['429', '500'] as const satisfies Fault[])('terms that met "%s" for long', async (fault) => {
  const { describe } = processor()
  server.failNext(/POST/, fault, 3)
  const facts = describe('pm_msi', sale)
  if (fault === '500') await expect(facts).rejects.toThrow()
  else
    expect(await facts).toMatchObject({ card: { last4: '0008' }, installmentMonths: [], termsUnknown: true })
})

test('the PaymentIntent of a question ends while the reply is on its way, where the account can wait for it', async () => {
  const work: Promise<unknown>[] = []
  const { describe } = processorAt(apiBase, 2_000, { background: (each) => work.push(each) })
  server.failNext(/cancel$/, 'time_out')
  expect(await describe('pm_msi', sale)).toMatchObject({ installmentMonths: [3, 6, 9, 12] })
  expect(work).toHaveLength(1)
})
