import { expect, test } from 'vitest'
import { attemptsOf, brokenRules, chargesOf } from '../../support/books.ts'
import { overtaking } from '../../support/gate.ts'
import { openLink, pay } from '../../support/merchant.ts'
import { answerOf, atRegisters, byCard, newCounter, newOrder, orderNow } from '../../support/registers.ts'

const fifty = <T>(each: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 50 }, (_, at) => each(at)))

const captured = async (order: { public_id: string }) =>
  (await chargesOf(order.public_id)).filter(({ state }) => state === 'captured').length

/** The answers beside a success: that the order is being paid, or paid. */
const late = /^409 register_order_(being_paid|not_open)$/

test('50 requests with keys of their own pay an order at once: one payment is captured', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const answers = (await fifty(() => byCard(counter, order))).map(answerOf)
  expect(answers.filter((each) => each === '200')).toHaveLength(1)
  expect(answers.filter((each) => late.test(each))).toHaveLength(49)
  expect([await captured(order), await attemptsOf(counter.merchant.tenantId)]).toMatchObject([1, [{}]])
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test.each(['tok_sbx_approve', 'tok_sbx_decline_funds'])(
  '50 requests with one key and %s at once are one attempt',
  async (token) => {
    const counter = await newCounter()
    const order = await newOrder(counter)
    const answers = await fifty(() => byCard(counter, order, token, {}, 'one key of fifty'))
    expect(answers.map(answerOf)).toEqual(Array(50).fill('200'))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await attemptsOf(counter.merchant.tenantId)).toHaveLength(1)
    expect(await chargesOf(order.public_id)).toHaveLength(1)
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
    expect(replayed).toHaveLength(49)
  },
)

test('50 requests with keys of their own try a declined payment again at once: it is paid once', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const declined = await byCard(counter, order, 'tok_sbx_decline_funds')
  const answers = await fifty(() => byCard(counter, order))
  const paid = answers.filter(({ status }) => status === 200)
  expect(paid.map(({ body }) => [body.id, body.status])).toEqual([[declined.body.id, 'succeeded']])
  expect(answers.filter((each) => late.test(answerOf(each)))).toHaveLength(49)
  expect(await captured(order)).toBe(1)
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('25 requests and 25 buyers on the page pay one order at once: it is paid once', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const forms = await Promise.all(Array.from({ length: 25 }, () => openLink(order.public_id)))
  await Promise.all([
    ...forms.map((form) => pay(order.public_id, form, 'tok_sbx_approve')),
    ...forms.map(() => byCard(counter, order)),
  ])
  expect(await captured(order)).toBe(1)
  expect(await orderNow(counter, order)).toMatchObject({ status: 'paid', paid_by: 'payment' })
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('25 requests pay an order while 25 cashiers cancel it: one of them wins', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const each = Array.from({ length: 25 })
  const [, ended] = await Promise.all([
    Promise.all(each.map(() => byCard(counter, order))),
    Promise.all(each.map(() => atRegisters(counter.merchant, 'POST', `/orders/${order.id}/cancel`))),
  ])
  const paid = await captured(order)
  expect(paid + ended.filter(({ status }) => status === 200).length).toBe(1)
  expect((await orderNow(counter, order)).status).toBe(paid === 1 ? 'paid' : 'canceled')
  expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
})

test('a server that pays while the cashier cancels pays nothing', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const [canceled, tried] = await overtaking(
    counter.merchant,
    () => atRegisters(counter.merchant, 'POST', `/orders/${order.id}/cancel`),
    () => byCard(counter, order),
  )
  expect([canceled.status, answerOf(tried)]).toEqual([200, '409 register_order_not_open'])
  expect(await chargesOf(order.public_id)).toEqual([])
})
