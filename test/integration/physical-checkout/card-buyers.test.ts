import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newVerified } from '../../support/customers.ts'
import { addKeys, digital, pool } from '../../support/entitlements.ts'
import { call, newNetwork } from '../../support/merchant.ts'
import { pageOf, sendForm } from '../../support/pages.ts'
import { answerOf, byCard, type Counter, newCounter, newOrder, orderNow } from '../../support/registers.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { stolen } from '../../support/stolen-cards.ts'

// Whose payment it is that a merchant's own server makes.

const paymentsOf = ({ merchant }: Counter) =>
  adminSql('sandbox')<{ id: string }>(
    `select p.id, p.status, p.customer_id, p.client_reference_id, c.email from payments p
     left join payment_contacts c on c.tenant_id = p.tenant_id and c.payment_id = p.id
     where p.tenant_id = $1 order by p.created_at, p.id`,
    [merchant.tenantId],
  )

test('a server that pays after a stranger was declined on the page has a payment of its own', async () => {
  const counter = await newCounter()
  const ana = await newVerified(counter.merchant)
  const order = await newOrder(counter, { client_reference_id: 'ticket-118' })
  const ofAna = { card_token: 'tok_sbx_decline_funds', receipt_email: ana.email! }
  await sendForm(order, ofAna, { query: '?client_reference_id=ana-1' })
  const { body } = await byCard(counter, order)
  expect(body).toMatchObject({ status: 'succeeded', customer_id: null, client_reference_id: 'ticket-118' })
  expect(await paymentsOf(counter)).toMatchObject([
    { status: 'requires_payment_method', client_reference_id: 'ana-1', email: ana.email },
    { id: body.id, status: 'succeeded', customer_id: null, client_reference_id: 'ticket-118', email: null },
  ])
  await trigger('sandbox')
  const mails = await adminSql('sandbox')('select kind from outgoing_mails where tenant_id = $1', [
    counter.merchant.tenantId,
  ])
  expect([mails, (await orderNow(counter, order)).payment_id]).toEqual([[], body.id])
})

test('who tries stolen cards at an order, each from another address, meets the bank after ten', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const next = async (at: number) =>
    (await byCard(counter, order, stolen(at), { ip_address: newNetwork() })).body.status
  for (let at = 0; at < 10; at++) expect(await next(at)).toBe('requires_payment_method')
  expect(await next(10)).toBe('requires_action')
  // Other orders are other buyers'.
  const elsewhere = await newOrder(await newCounter(counter.merchant))
  expect((await byCard(counter, elsewhere, 'tok_sbx_approve')).body.status).toBe('succeeded')
})

test('one card that fails again and again at an order is one card', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  for (let at = 0; at < 11; at++)
    await byCard(counter, order, 'tok_sbx_decline_funds', { ip_address: newNetwork() })
  const { body } = await byCard(counter, order, 'tok_sbx_approve', { ip_address: newNetwork() })
  expect(body.status).toBe('succeeded')
})

test('a request whose reply was erased with a person is not sent again, while the order is open', async () => {
  const counter = await newCounter()
  const order = await newOrder(counter)
  const key = randomUUID()
  const pays = () => byCard(counter, order, 'tok_sbx_decline_funds', {}, key)
  expect((await pays()).body.status).toBe('requires_payment_method')
  // As an erasure leaves it.
  await adminSql('sandbox')(
    `update idempotency_claims set reply_body = '' where tenant_id = $1 and operation = 'register_orders.pay_by_card'`,
    [counter.merchant.tenantId],
  )
  expect(answerOf(await pays())).toBe('410 reply_erased')
  expect(await paymentsOf(counter)).toHaveLength(1)
})

test.each([
  ['a challenge that its buyer has left', 'tok_sbx_3ds_challenge', null],
  ['a CLABE that nobody pays', null, 'spei'],
])('%s holds the order until the payment is canceled', async (_, token, method) => {
  const counter = await newCounter()
  const order = await newOrder(counter, { payment_method_types: ['card', 'spei'] })
  if (token) await byCard(counter, order, token)
  else await sendForm(order, { method: method!, name: 'Ana López', email: 'ana@example.com' })
  expect(answerOf(await byCard(counter, order))).toBe('409 register_order_being_paid')
  const [held] = await paymentsOf(counter)
  const { apiKey: bearer } = counter.merchant
  expect((await call('POST', `/v1/payments/${held!.id}/cancel`, { bearer })).status).toBe(200)
  expect((await byCard(counter, order)).body).toMatchObject({ status: 'succeeded' })
})

test('what an order delivers is at the address of its receipt, also where nobody gave an address', async () => {
  const counter = await newCounter()
  const item = await digital(counter.merchant, pool)
  await addKeys(counter.merchant, item, 'KEY-AAAA')
  const order = await newOrder(counter, { line_items: [{ item_id: item, quantity: 1 }] })
  const { body } = await byCard(counter, order)
  const receipt = new URL(body.receipt_url!)
  expect((await pageOf(`${receipt.pathname}?lang=en`)).html).toContain('KEY-AAAA')
})
