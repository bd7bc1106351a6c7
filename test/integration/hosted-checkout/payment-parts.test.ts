import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newSession, payByCard, sessionNow } from '../../support/checkout.ts'
import { adjustOrder } from '../../support/discounts.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { eventsOf, refund } from '../../support/refunds.ts'

const paymentsPath = '/v1/payment-operations/payments'
const coffee = { name: 'Café', unit_amount: '4550', quantity: 2 }
const tips = { presets_bps: [1_500], allows_own_amount: true }

interface Parts {
  id: string
  public_id: string
  status: string
  amount: string
  amount_refunded: string
  tip_amount: string
}

const paymentOfSession = async (merchant: Merchant, id: string) =>
  (await call<{ data: Parts[] }>('GET', `${paymentsPath}?origin_id=${id}`, { bearer: merchant.apiKey })).body
    .data[0]!

test('a payment says the tip in it, also a second try, in its events and after a refund of a part', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, { line_items: [coffee], tips })
  await adjustOrder(session.public_id, { tip: '1500' })
  await payByCard(session, 'tok_sbx_decline_funds')
  const declined = await paymentOfSession(merchant, session.id)
  expect(declined).toMatchObject({ status: 'requires_payment_method', amount: '10465', tip_amount: '1365' })
  const { public_id } = declined
  await pay(session.public_id, await openLink(session.public_id, `?retry=${public_id}`), 'tok_sbx_approve')
  expect(await sessionNow(merchant, session)).toMatchObject({ amount_tip: '1365', status: 'complete' })
  const paid = await paymentOfSession(merchant, session.id)
  expect(paid).toMatchObject({ id: declined.id, status: 'succeeded', amount: '10465', tip_amount: '1365' })
  expect((await refund(merchant, { payment_id: paid.id, amount: '5000' })).status).toBe(201)
  const { body } = await call<Parts>('GET', `${paymentsPath}/${paid.id}`, { bearer: merchant.apiKey })
  expect(body).toMatchObject({ amount_refunded: '5000', tip_amount: '1365' })
  const events = await eventsOf(merchant.tenantId, paid.id)
  expect(events.length).toBeGreaterThan(2)
  for (const { object } of events) expect(object).toMatchObject({ tip_amount: '1365' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
