import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { dispute, fraudWarningsOf, reportFraud } from '../../support/disputes.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { ends, eventsOf, paidByCard, paidInCash, paymentOf, refund } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

test('a fraud warning is shown, once, and moves no money', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const key = { 'idempotency-key': randomUUID() }
  const replies = await Promise.all(Array.from({ length: 20 }, () => reportFraud(merchant, payment, key)))
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  const { id } = replies[0]!.body
  expect(replies[0]!.body).toMatchObject({
    object: 'fraud_warning',
    payment_id: payment,
    actionable: true,
    fraud_type: 'unauthorized_use_of_card',
  })
  await trigger('sandbox')
  expect((await fraudWarningsOf(merchant)).map((each) => each.id)).toEqual([id])
  expect(await fraudWarningsOf(merchant, `?payment_id=${randomUUID()}`)).toEqual([])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '0' })
  expect((await eventsOf(merchant.tenantId, id)).map(({ type }) => type)).toEqual(['fraud_warning.created'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

const ways: [
  how: string,
  actionable: boolean,
  act: (merchant: Merchant, payment: string) => Promise<unknown>,
][] = [
  ['a refund of all of it', false, (merchant, payment) => refundAll(merchant, payment)],
  ['a dispute', false, (merchant, payment) => dispute(merchant, payment)],
  ['an inquiry', true, (merchant, payment) => dispute(merchant, payment, { inquiry: true })],
]
type Merchant = Awaited<ReturnType<typeof newMerchant>>
async function refundAll(merchant: Merchant, payment: string) {
  const { body } = await refund(merchant, { payment_id: payment })
  await ends(merchant, body.id, 'succeeded')
}
test.each(ways)('after %s it is actionable: %s', async (_how, actionable, act) => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const { id } = (await reportFraud(merchant, payment)).body
  await act(merchant, payment)
  await trigger('sandbox')
  expect(await fraudWarningsOf(merchant)).toMatchObject([{ id, actionable }])
  const changes = (await eventsOf(merchant.tenantId, id)).filter(
    ({ type }) => type === 'fraud_warning.updated',
  )
  expect(changes.map(({ previous_attributes }) => previous_attributes)).toEqual(
    actionable ? [] : [expect.objectContaining({ actionable: true })],
  )
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('one that a killed Worker did not record is recorded by the next run', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  await adminSql('sandbox')(
    `select simulator.report_fraud($1, a.id, 'misc') from payment_attempts a where a.payment_id = $2`,
    [`sbx_fw_${randomUUID()}`, payment],
  )
  await trigger('sandbox')
  expect(await fraudWarningsOf(merchant)).toMatchObject([{ payment_id: payment, fraud_type: 'misc' }])
})

test("of a card payment, and of one's own", async () => {
  const merchant = await newMerchant()
  const cash = await paidInCash(merchant)
  await adminSql('sandbox')(`update payment_attempts set method = 'oxxo' where payment_id = $1`, [cash])
  expect((await reportFraud(merchant, cash)).body).toMatchObject({
    error: { code: 'payment_not_disputable' },
  })
  const other = await newMerchant()
  const { id } = (await reportFraud(other, await paidByCard(other))).body
  const seen = await call('GET', `/v1/payment-operations/fraud-warnings/${id}`, { bearer: merchant.apiKey })
  expect([seen.status, seen.body]).toMatchObject([404, { error: { code: 'fraud_warning_not_found' } }])
  expect(await fraudWarningsOf(merchant)).toEqual([])
})
