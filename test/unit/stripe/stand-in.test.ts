import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { StripeServer, secretKey } from '../../support/stripe-server.ts'

// What the stand-in must do like Stripe, asked with Stripe's own library.

const server = new StripeServer()
let apiBase = ''
let stripe: Stripe
beforeAll(async () => {
  apiBase = await server.start()
  stripe = at(secretKey)
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

function at(key: string): Stripe {
  const { hostname: host, port } = new URL(apiBase)
  return new Stripe(key, { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
}

const params = {
  amount: 120_000,
  currency: 'mxn',
  confirm: true,
  allowed_payment_method_types: ['card'],
  return_url: 'https://pay.spindle.example/back',
} satisfies Stripe.PaymentIntentCreateParams
const pay = (payment_method: string, more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({ ...params, payment_method, ...more })
const refusedWith = (call: Promise<unknown>) => call.then(String, (error: Stripe.errors.StripeError) => error)

test('ids are expanded where it is asked for, and a property that is none is refused', async () => {
  const { id, latest_charge: plain, payment_method: method } = await pay('pm_approve')
  expect([plain, method]).toEqual([expect.stringMatching(/^ch_/), expect.stringMatching(/^pm_/)])
  const expand = ['latest_charge.balance_transaction', 'payment_method']
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id, { expand })
  const { balance_transaction: entry, outcome } = charge as Stripe.Charge
  const { amount, fee, net, available_on, created } = entry as Stripe.BalanceTransaction
  expect([amount - fee - net, available_on > created, outcome?.type]).toEqual([0, true, 'authorized'])
  expect(await refusedWith(stripe.paymentIntents.retrieve(id, { expand: ['order'] }))).toMatchObject({
    statusCode: 400,
  })
})

test('a declined card leaves its failed charge, and is no longer the method', async () => {
  const error = await refusedWith(pay('pm_funds', { expand: ['latest_charge'] }))
  const { payment_intent: refused } = error as Stripe.errors.StripeCardError
  expect(error).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'insufficient_funds' })
  const intent = await stripe.paymentIntents.retrieve(refused!.id, { expand: ['latest_charge'] })
  expect(intent).toMatchObject({ payment_method: null, latest_charge: { status: 'failed', paid: false } })
})

test.each([
  ['succeeded', {}],
  ['canceled', {}],
  ['requires_payment_method', { error: { code: 'payment_intent_authentication_failure' } }],
] as const)('a challenge that is over (%s) leads nowhere', async (status, more) => {
  const { id, next_action: challenge } = await pay('pm_challenge')
  expect(challenge?.type).toBe('redirect_to_url')
  server.move(id, { status, ...more })
  const now = await stripe.paymentIntents.retrieve(id)
  expect([now.next_action, now.canceled_at !== null, now.cancellation_reason !== null]).toEqual([
    null,
    status === 'canceled',
    status === 'canceled',
  ])
})

test('what the account or Stripe does not allow is refused before a bank is asked', async () => {
  const once = server.newMethod('pm_approve')
  await pay(once)
  const { id: held } = await pay('pm_approve', { capture_method: 'manual' })
  const { id: paid } = await pay('pm_approve')
  const refund = (amount: number) => stripe.refunds.create({ payment_intent: paid, amount })
  const oxxo = (name: string, amount = 120_000) =>
    stripe.paymentIntents.create({
      ...params,
      amount,
      allowed_payment_method_types: ['oxxo'],
      payment_method_data: { type: 'oxxo', billing_details: { name, email: 'ana@example.com' } },
    })
  const { return_url: _, ...nowhere } = params
  const told: [Promise<unknown>, object][] = [
    [pay(once), { param: 'payment_method' }],
    [pay('pm_unknown'), { code: 'resource_missing', param: 'payment_method', statusCode: 400 }],
    [pay('pm_approve', { amount: 999 }), { code: 'amount_too_small' }],
    [pay('pm_approve', { amount: 100_000_000 }), { code: 'amount_too_large' }],
    [pay('pm_approve', { statement_descriptor_suffix: '*' }), { param: 'statement_descriptor_suffix' }],
    [stripe.paymentIntents.create({ ...nowhere, payment_method: 'pm_approve' }), { param: 'return_url' }],
    [oxxo('Ana'), { param: 'billing_details[name]' }],
    [oxxo('Ana P'), { param: 'billing_details[name]' }],
    [oxxo('Ana Prueba', 1_000_001), { code: 'amount_too_large' }],
    [stripe.paymentIntents.capture(held, { amount_to_capture: 120_001 }), { code: 'amount_too_large' }],
    [refund(120_001), { param: 'amount' }],
  ]
  for (const [call, refusal] of told)
    expect(await refusedWith(call)).toMatchObject({ statusCode: 400, ...refusal })
  await refund(120_000)
  expect(await refusedWith(refund(1))).toMatchObject({ code: 'charge_already_refunded' })
  const { id: disputed } = await pay('pm_approve')
  server.dispute(disputed, 'needs_response')
  expect(await refusedWith(stripe.refunds.create({ payment_intent: disputed }))).toMatchObject({
    code: 'charge_disputed',
  })
  server.settings().capabilities.oxxo_payments = 'inactive'
  expect(await refusedWith(oxxo('Ana Prueba'))).toMatchObject({ statusCode: 400 })
})

test('a reply under a used key says that it is the first one again', async () => {
  const options = { idempotencyKey: 'one' }
  const replies = []
  for (const _ of [1, 2])
    replies.push(await stripe.paymentIntents.create({ ...params, payment_method: 'pm_approve' }, options))
  expect(replies.map(({ lastResponse }) => lastResponse.headers['idempotent-replayed'])).toEqual([
    undefined,
    'true',
  ])
  expect(replies[0]!.id).toBe(replies[1]!.id)
})

test('lists come in pages, as short as Stripe likes', async () => {
  const { id } = await pay('pm_approve')
  for (let at = 0; at < 5; at++) server.refundInDashboard(id, 100)
  server.pageMax = 2
  const first = await stripe.refunds.list({ payment_intent: id, limit: 100 })
  expect([first.data.length, first.has_more]).toEqual([2, true])
  const all = await stripe.refunds.list({ payment_intent: id, limit: 100 }).autoPagingToArray({ limit: 100 })
  expect(new Set(all.map((each) => each.id)).size).toBe(5)
})

test('search shows an object only after a while', async () => {
  const metadata = { attempt_id: 'a' }
  await pay('pm_approve', { metadata })
  const query = `metadata['attempt_id']:'a'`
  server.searchDelayMs = 60_000
  expect((await stripe.paymentIntents.search({ query })).data).toEqual([])
  server.searchDelayMs = 0
  const { data } = await stripe.paymentIntents.search({ query })
  expect(data).toMatchObject([{ metadata, latest_charge: expect.stringMatching(/^ch_/) }])
})

test('what happened is listed, whole, in both directions, also when it was never delivered', async () => {
  const { id } = await pay('pm_challenge')
  const [before] = (await stripe.events.list({ limit: 1 })).data
  server.move(id, { status: 'succeeded' })
  server.refundInDashboard(id, 100)
  server.dispute(id, 'needs_response')
  const types = (events: Stripe.Event[]) => events.map(({ type }) => type)
  const since = await stripe.events.list({ ending_before: before!.id, limit: 2 })
  expect(types(since.data)).toEqual(['refund.created', 'payment_intent.succeeded'])
  expect(since.has_more).toBe(true)
  expect(since.data[1]!.data.object).toEqual(server.lookup(id))
  server.events.delivered(since.data[0]!.id)
  const asked = { types: ['refund.created', 'charge.dispute.created'], delivery_success: false }
  expect(types((await stripe.events.list(asked)).data)).toEqual(['charge.dispute.created'])
  const older = await stripe.events.list({ starting_after: before!.id })
  expect(types(older.data)).toEqual(['payment_intent.created'])
})

test('an account is of one mode with each key, and sees what is its own', async () => {
  server.accounts.set('sk_test_stand-in', 'acct_environment').set('rk_live_other', 'acct_other')
  const tried = await at('sk_test_stand-in').paymentIntents.create({
    ...params,
    payment_method: 'pm_approve',
  })
  const paid = await pay('pm_approve')
  expect([tried.livemode, paid.livemode]).toEqual([false, true])
  for (const [key, id] of [
    ['sk_test_stand-in', paid.id],
    ['rk_live_other', paid.id],
    [secretKey, tried.id],
  ] as const)
    expect(await refusedWith(at(key).paymentIntents.retrieve(id))).toMatchObject({ statusCode: 404 })
  const { capabilities, charges_enabled, country } = await stripe.accounts.retrieveCurrent()
  expect([capabilities?.oxxo_payments, charges_enabled, country]).toEqual(['active', true, 'MX'])
  expect((await at('sk_test_stand-in').events.list()).data.every(({ livemode }) => !livemode)).toBe(true)
})
