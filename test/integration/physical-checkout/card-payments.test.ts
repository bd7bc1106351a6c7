import { randomInt, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { attemptsOf, brokenRules, chargesOf, settleAttempts } from '../../support/books.ts'
import { Browser } from '../../support/challenge.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { placesOf } from '../../support/places.ts'
import { setPolicy } from '../../support/policy.ts'
import {
  answerOf,
  byCard,
  type Counter,
  newCounter,
  newOrder,
  orderNow,
  payOrder,
  type Taken,
} from '../../support/registers.ts'
import { addItem, newGuarded, newList, riskOf } from '../../support/risk.ts'
import { stolen } from '../../support/stolen-cards.ts'

type Attempt = { status: string; channel: string; decline_code: string | null }

/** The attempts of a payment as the interface shows them. */
const shownAttempts = async ({ merchant }: Counter, { id }: { id: string }) =>
  (
    await call<{ data: Attempt[] }>('GET', `/v1/payment-operations/payments/${id}/attempts`, {
      bearer: merchant.apiKey,
    })
  ).body.data

const shownPayment = async ({ merchant }: Counter, { id }: { id: string }) =>
  (await call<Taken>('GET', `/v1/payment-operations/payments/${id}`, { bearer: merchant.apiKey })).body

const pathOf = (url: string) => new URL(url, 'https://pay.example.com').pathname

test('a server pays an order with a token of its own form: the payment is that of the order', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const { status, body } = await byCard(counter, order, 'tok_sbx_approve', { email: 'ana@example.com' })
  expect([status, body]).toMatchObject([
    200,
    {
      object: 'payment',
      status: 'succeeded',
      amount: '5800',
      origin: { type: 'register_order', id: order.id },
    },
  ])
  const { next_action, ...payment } = body
  expect([next_action, payment]).toEqual([null, await shownPayment(counter, body)])
  expect(await orderNow(counter, order)).toMatchObject({
    status: 'paid',
    paid_by: 'payment',
    payment_id: body.id,
  })
  expect(await shownAttempts(counter, body)).toMatchObject([{ status: 'captured', channel: 'server' }])
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  const onPage = await newOrder(counter)
  await payOrder(onPage)
  const { payment_id } = await orderNow(counter, onPage)
  expect(await shownAttempts(counter, { id: payment_id! })).toMatchObject([{ channel: 'page' }])
})

test('the buyer’s tip is one that the order offers, on top of its amount', async () => {
  const counter = await newCounter()
  const presets = await newOrder(counter, { tips: { presets_bps: [1000], allows_own_amount: false } })
  const other = await byCard(counter, presets, 'tok_sbx_approve', { amount_tip: '500' })
  expect([answerOf(other), other.body.error?.param]).toEqual(['422 parameter_invalid', 'amount_tip'])
  const { body } = await byCard(counter, presets, 'tok_sbx_approve', { amount_tip: '580' })
  expect(body).toMatchObject({ status: 'succeeded', amount: '6380', amount_tip: '580' })
  const own = await newOrder(counter, { tips: { presets_bps: [] } })
  const chosen = await byCard(counter, own, 'tok_sbx_approve', { amount_tip: '500' })
  expect(chosen.body).toMatchObject({ status: 'succeeded', amount: '6300', amount_tip: '500' })
  const without = await newOrder(counter)
  const refused = await byCard(counter, without, 'tok_sbx_approve', { amount_tip: '1' })
  expect(refused.body.error).toMatchObject({ code: 'parameter_invalid', param: 'amount_tip' })
})

test('a decline is a payment with its reason, and another token tries the same payment again', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const key = randomUUID()
  const declined = await byCard(counter, order, 'tok_sbx_decline_funds', {}, key)
  expect([declined.status, declined.body]).toMatchObject([
    200,
    { status: 'requires_payment_method', decline_code: 'insufficient_funds', next_action: null },
  ])
  expect((await orderNow(counter, order)).status).toBe('open')
  const again = await byCard(counter, order, 'tok_sbx_decline_funds', {}, key)
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([declined.text, 'true'])
  const paid = await byCard(counter, order)
  expect(paid.body).toMatchObject({ id: declined.body.id, status: 'succeeded', decline_code: null })
  expect((await shownAttempts(counter, paid.body)).map(({ status }) => status)).toEqual([
    'declined',
    'captured',
  ])
  // The order says how it stands now, to who asks again by the first key.
  expect((await byCard(counter, order, 'tok_sbx_decline_funds', {}, key)).text).toBe(paid.text)
  const otherwise = await byCard(counter, order, 'tok_sbx_approve', {}, key)
  expect(answerOf(otherwise)).toBe('422 idempotency_key_reused')
  expect(answerOf(await byCard(counter, order))).toBe('409 register_order_not_open')
})

test('a card that the bank wants confirmed leads the buyer there, and back to the page of the order', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const { body } = await byCard(counter, order, 'tok_sbx_3ds_challenge')
  expect(body).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } })
  expect(answerOf(await byCard(counter, order))).toBe('409 register_order_being_paid')
  const browser = new Browser()
  const bank = await browser.open(pathOf(body.next_action!.url))
  const page = await browser.send(pathOf(bank.leadsTo!), { outcome: 'approve' })
  const back = await browser.open(`${pathOf(page.leadsTo!)}?redirect_status=succeeded`)
  expect(back.leadsTo).toBe(`/${order.public_id}/${body.public_id}`)
  expect((await browser.open(back.leadsTo!)).state).toBe('succeeded')
  expect((await shownPayment(counter, body)).status).toBe('succeeded')
  expect((await orderNow(counter, order)).status).toBe('paid')
})

test('a bank that does not answer leaves the payment unknown, and the order to no other', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const key = randomUUID()
  const { body } = await byCard(counter, order, 'tok_sbx_timeout_then_paid', {}, key)
  expect(body.status).toBe('processing')
  expect((await orderNow(counter, order)).payment_status).toBe('pending')
  expect(answerOf(await byCard(counter, order))).toBe('409 register_order_being_paid')
  await settleAttempts(counter.merchant.tenantId)
  const known = await byCard(counter, order, 'tok_sbx_timeout_then_paid', {}, key)
  expect(known.body).toMatchObject({ id: body.id, status: 'succeeded' })
  expect(await chargesOf(order.public_id)).toHaveLength(1)
})

test('a term is one of the order’s, by the policy that it was made under, and of the card', async () => {
  const governed = await newGuarded()
  const counter = await newCounter(governed.merchant)
  await setPolicy(governed, { msi: { terms: [3, 6] } })
  const terms = { amount: '120000', installment_options: [{ months: 3 }, { months: 6 }] }
  const order = await newOrder(counter, terms)
  await setPolicy(governed, { msi: { terms: [3] } })
  const at = (token: string, installment_months: number | null) =>
    byCard(counter, order, token, { installment_months })
  for (const [token, months] of [
    ['tok_sbx_msi_3_6_9_12', 9],
    ['tok_sbx_debit', 6],
  ] as const)
    expect((await at(token, months)).body.error).toMatchObject({
      code: 'installments_unavailable',
      param: 'installment_months',
    })
  expect((await at('tok_sbx_msi_3_6_9_12', 6)).body).toMatchObject({
    status: 'succeeded',
    installments: { months: 6 },
  })
  const planned = { amount: '120000', installment_plan: { months: 3 } }
  const other = await newOrder(await newCounter(governed.merchant), planned)
  expect(answerOf(await byCard(counter, other))).toBe('422 installments_unavailable')
  const paid = await byCard(counter, other, 'tok_sbx_msi_3_6_9_12', { installment_months: 3 })
  expect(paid.body).toMatchObject({ status: 'succeeded', installments: { months: 3 } })
})

test.each(['tok_sbx_retired', 'pm_1PabcdEFghIJKL', 'ctoken_1PabcdEFghIJKL'])(
  'a token of no card here, %s, is refused by its name',
  async (token) => {
    const counter = await newCounter()
    const { status, body, text } = await byCard(counter, await newOrder(counter), token)
    expect([status, body.error]).toMatchObject([422, { code: 'card_token_unknown', param: 'card_token' }])
    expect(text).not.toContain(token)
    expect(await attemptsOf(counter.merchant.tenantId)).toEqual([])
  },
)

test('a card number in the place of a token is refused, and neither it nor a token is kept', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const number = '5555341244441115'
  for (const text of [number, '5555 3412 4444 1115']) {
    const { status, body, text: said } = await byCard(counter, order, text)
    expect([status, body.error]).toMatchObject([422, { code: 'card_number_refused', param: 'card_token' }])
    expect(said).not.toContain(text)
  }
  const token = stolen(randomInt(5_000, 9_999))
  const ip_address = '198.51.100.77'
  const { body, text } = await byCard(counter, order, token, { email: 'eva@example.com', ip_address })
  expect([body.status, text]).toEqual(['requires_payment_method', expect.not.stringContaining(token)])
  // What the simulated bank was sent is outside.
  expect(await placesOf(token)).toEqual(['sandbox simulator.charges'])
  expect([await placesOf(number), await placesOf(ip_address)]).toEqual([[], []])
})

test('an order of another workspace is not found, one without cards takes none, one that is paid neither', async () => {
  const [counter, other] = [await newCounter(), await newCounter()]
  expect(answerOf(await byCard(counter, await newOrder(other)))).toBe('404 register_order_not_found')
  const cashless = await newOrder(counter, { payment_method_types: ['spei'] })
  expect(answerOf(await byCard(counter, cashless))).toBe('422 payment_method_unavailable')
  const reader = await newMerchant({ scopes: ['physical_checkout:read'] })
  expect(answerOf(await byCard({ ...counter, merchant: reader }, cashless))).toBe('403 insufficient_scope')
})

test('rules and lists judge it as an attempt on the page', async () => {
  const guarded = await newGuarded()
  const counter = await newCounter(guarded.merchant)
  await addItem(guarded, await newList(guarded, 'bin', 'block'), { value: '424242' })
  await addItem(guarded, await newList(guarded, 'email', 'allow'), { value: 'ana@example.com' })
  const order = await newOrder(counter)
  const { body } = await byCard(counter, order, 'tok_sbx_approve', { email: 'ana@example.com' })
  expect(body).toMatchObject({ status: 'requires_payment_method', decline_code: 'blocked' })
  expect(await chargesOf(order.public_id)).toEqual([])
  expect(await riskOf(guarded, body.id)).toMatchObject({
    decision: 'block',
    evaluations: [{ decision: 'block' }],
  })
  const debit = await byCard(counter, order, 'tok_sbx_debit', { email: 'ana@example.com' })
  expect(debit.body.status).toBe('succeeded')
  expect((await riskOf(guarded, body.id)).decision).toBe('allow')
})

test('stolen cards that a server tries count at its register, or where their buyer is: then the bank confirms', async () => {
  const counter = await newCounter()
  const [order, ip_address] = [await newOrder(counter), '198.51.100.7']
  for (let at = 0; at < 5; at++) await byCard(counter, order, stolen(at))
  const elsewhere = await byCard(counter, order, stolen(6), { ip_address })
  expect(elsewhere.body.status).toBe('requires_payment_method')
  expect((await byCard(counter, order, stolen(7))).body.status).toBe('requires_action')
})
