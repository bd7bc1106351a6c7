import { expect, test } from 'vitest'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { overtaking } from '../../support/gate.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { ends, refund, settleRefunds } from '../../support/refunds.ts'
import { dish, newTable, newWaiter, tablePay, tipped } from '../../support/table-pay.ts'

interface Report {
  tips_count: number
  amount_tips: string
  amount_returned: string
  amount_paid_out: string
  amount_owed: string
  days: { day: string; tips_count: number; amount_tips: string }[]
}

const report = async (merchant: Merchant, waiter: string, query = '') =>
  (await tablePay<Report>(merchant, 'GET', `/waiters/${waiter}/tip-report${query}`)).body

const owed = async (merchant: Merchant, waiter: string) => (await report(merchant, waiter)).amount_owed

const payOut = (merchant: Merchant, waiter: string, amount: string) =>
  tablePay<{ id: string; error?: { code: string; param: string | null } }>(
    merchant,
    'POST',
    `/waiters/${waiter}/tip-payouts`,
    { amount },
  )

/** A bill of 100.00 that a new waiter serves, at which guests may give a tip. */
async function served() {
  const merchant = await newMerchant()
  const [waiter, table] = [await newWaiter(merchant), await newTable(merchant)]
  const { body } = await tablePay(merchant, 'POST', `/tables/${table.id}/sessions`, {
    waiter_id: waiter.id,
    tips: { presets_bps: [1_000] },
    line_items: [dish(10_000)],
  })
  const payments = async () =>
    (
      await call<{ data: { id: string }[] }>(
        'GET',
        `/v1/payment-operations/payments?table_session_id=${body.id}`,
        { bearer: merchant.apiKey },
      )
    ).body.data
  return {
    merchant,
    waiter: waiter.id,
    bill: body.id,
    ask: (method: 'POST', at: string, asked?: object) =>
      tablePay(merchant, method, `/sessions/${body.id}${at}`, asked),
    pays: async (part: string, token = 'tok_sbx_approve') =>
      pay(body.public_id, await openLink(body.public_id, `?${part}`), token),
    payments,
    payment: async () => (await payments())[0]!.id,
  }
}

test('the tip of a payment is owed to who serves the bill, and the balance is what it was', async () => {
  const { merchant, waiter, bill, pays, payment } = await served()
  await pays('amount=100&tip=1000')
  const listed = await tablePay<{ data: object[] }>(merchant, 'GET', `/waiters/${waiter}/tips`)
  expect(listed.body.data).toMatchObject([
    { payment_id: await payment(), table_session_id: bill, amount: '1000', amount_returned: '0' },
  ])
  const today = (await report(merchant, waiter)).days
  expect(today).toMatchObject([{ tips_count: 1, amount_tips: '1000' }])
  expect(await report(merchant, waiter)).toMatchObject({ amount_tips: '1000', amount_owed: '1000' })
  const balance = await call<{ currencies: { pending: string }[] }>('GET', '/v1/payment-operations/balance', {
    bearer: merchant.apiKey,
  })
  const paid = await call<{ amount_net: string }>(
    'GET',
    `/v1/payment-operations/payments/${await payment()}`,
    { bearer: merchant.apiKey },
  )
  expect(balance.body.currencies).toMatchObject([{ pending: paid.body.amount_net }])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a declined card owes nothing, and neither does a tip at a bill that nobody serves', async () => {
  const { merchant, waiter, pays, ask } = await served()
  await pays('amount=50&tip=1000', 'tok_sbx_decline_funds')
  await ask('POST', '/transfer', { waiter_id: null })
  await pays('amount=50&tip=1000')
  expect(await report(merchant, waiter)).toMatchObject({ tips_count: 0, amount_owed: '0' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a bill goes on with another waiter: what was given before stays with the first', async () => {
  const { merchant, waiter, pays, ask } = await served()
  const other = await newWaiter(merchant, { name: 'Beto' })
  await pays('amount=40&tip=1000')
  await ask('POST', '/transfer', { waiter_id: other.id })
  await pays('amount=60&tip=1000')
  expect([await owed(merchant, waiter), await owed(merchant, other.id)]).toEqual(['400', '600'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a recorded payment owes its tip to whom it names, until it is canceled', async () => {
  const { merchant, waiter, ask } = await served()
  const other = await newWaiter(merchant, { name: 'Beto' })
  const cash = { method: 'other_terminal', amount: '5000', amount_tip: '700' }
  await ask('POST', '/external-payments', cash)
  const { body } = await ask('POST', '/external-payments', { ...cash, waiter_id: other.id })
  await ask('POST', '/transfer', { waiter_id: null })
  expect([await owed(merchant, waiter), await owed(merchant, other.id)]).toEqual(['700', '700'])
  await tablePay(merchant, 'POST', `/external-payments/${body.id}/cancel`)
  expect(await report(merchant, other.id)).toMatchObject({
    amount_tips: '700',
    amount_returned: '700',
    amount_owed: '0',
  })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test.each([
  ['less than the part of the bill', ['9999'], '1000'],
  ['the part of the bill', ['10000'], '1000'],
  ['one cent more', ['10001'], '999'],
  ['all of it, in three', ['6000', '4500', '500'], '0'],
])('a refund of %s takes back of the tip what goes beyond it', async (_, amounts, left) => {
  const { merchant, waiter, pays, payment } = await served()
  await pays('amount=100&tip=1000')
  for (const amount of amounts) await refund(merchant, { payment_id: await payment(), amount })
  expect(await owed(merchant, waiter)).toBe(left)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a refund that fails gives the tip back to the waiter', async () => {
  const { merchant, waiter, pays, payment } = await served()
  await pays('amount=100&tip=1000', 'tok_sbx_refund_fails')
  const { body } = await refund(merchant, { payment_id: await payment() })
  await settleRefunds(merchant.tenantId)
  await ends(merchant, body.id, 'failed')
  expect(await report(merchant, waiter)).toMatchObject({ amount_returned: '0', amount_owed: '1000' })
  expect(await journalsOf(merchant.tenantId)).toMatchObject({ tip: 1, tip_returned: 2 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('30 guests pay with a tip while what others paid is refunded and the waiter is paid: all of it is booked', async () => {
  const { merchant, waiter, bill, pays, payments } = await served()
  await Promise.all(Array.from({ length: 8 }, () => pays('amount=10&tip=1000')))
  await tablePay(merchant, 'POST', `/sessions/${bill}/lines`, { line_items: [dish(28_000)] })
  const paid = await payments()
  const [given, returned, paidOut] = await Promise.all([
    Promise.all(Array.from({ length: 30 }, () => pays('amount=10&tip=1000'))),
    Promise.all(paid.map(({ id }) => refund(merchant, { payment_id: id }))),
    Promise.all(Array.from({ length: 8 }, () => payOut(merchant, waiter, '50'))),
  ])
  expect(new Set(given.map(({ status }) => status))).toEqual(new Set([303]))
  expect(new Set(returned.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await report(merchant, waiter)).toMatchObject({
    tips_count: 38,
    amount_tips: '3800',
    amount_returned: '800',
    amount_paid_out: String(50 * paidOut.filter(({ status }) => status === 201).length),
  })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a waiter is paid what they are owed and no more; what a refund takes back then is owed to the merchant', async () => {
  const { merchant, waiter, pays, payment } = await served()
  await pays('amount=100&tip=1000')
  const over = await payOut(merchant, waiter, '1001')
  expect([over.status, over.body.error]).toMatchObject([
    409,
    { code: 'tip_payout_above_owed', param: 'amount' },
  ])
  expect((await payOut(merchant, waiter, '1000')).status).toBe(201)
  await refund(merchant, { payment_id: await payment() })
  expect(await report(merchant, waiter)).toMatchObject({
    amount_returned: '1000',
    amount_paid_out: '1000',
    amount_owed: '-1000',
  })
  await tipped(merchant, waiter, '1200')
  expect((await payOut(merchant, waiter, '201')).status).toBe(409)
  expect((await payOut(merchant, waiter, '200')).status).toBe(201)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a payout that was recorded by mistake is canceled once: it is owed again', async () => {
  const merchant = await newMerchant()
  const { id } = await newWaiter(merchant)
  await tipped(merchant, id)
  const { body } = await payOut(merchant, id, '1500')
  const cancel = () => tablePay(merchant, 'POST', `/tip-payouts/${body.id}/cancel`)
  const answers = await Promise.all(Array.from({ length: 5 }, cancel))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await report(merchant, id)).toMatchObject({ amount_paid_out: '0', amount_owed: '1500' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 payouts of 4.00 at once from 15.00: three', async () => {
  const merchant = await newMerchant()
  const { id } = await newWaiter(merchant)
  await tipped(merchant, id)
  const answers = await Promise.all(Array.from({ length: 50 }, () => payOut(merchant, id, '400')))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.error?.code))).toEqual(
    new Set(['tip_payout_above_owed']),
  )
  expect(await owed(merchant, id)).toBe('300')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a waiter is archived while a bill is opened for them: they serve it, or it names them no more', async () => {
  const merchant = await newMerchant()
  const [waiter, table] = [await newWaiter(merchant), await newTable(merchant)]
  const [archived, opened] = await overtaking(
    merchant,
    () => tablePay(merchant, 'POST', `/waiters/${waiter.id}/archive`),
    () => tablePay(merchant, 'POST', `/tables/${table.id}/sessions`, { waiter_id: waiter.id }),
  )
  expect([archived.status, opened.status, opened.body.error]).toMatchObject([
    200,
    409,
    { code: 'waiter_archived', param: 'waiter_id' },
  ])
})

test.each([
  ['a period that ends before it begins', '?begins_on=2026-06-02&ends_on=2026-06-01'],
  ['more than 92 days', '?begins_on=2026-01-01&ends_on=2026-04-03'],
])('a report of %s is refused', async (_, query) => {
  const merchant = await newMerchant()
  const { id } = await newWaiter(merchant)
  const refused = await tablePay(merchant, 'GET', `/waiters/${id}/tip-report${query}`)
  expect([refused.status, refused.body.error]).toMatchObject([422, { param: 'ends_on' }])
})
