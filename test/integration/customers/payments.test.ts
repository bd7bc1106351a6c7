import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { asked, newCustomer } from '../../support/customers.ts'
import { dispute } from '../../support/disputes.ts'
import {
  call,
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { refund } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

interface Payment {
  id: string
  customer_id: string | null
  status: string
}
type List<Item> = { data: Item[] }

const get = async <Item>(merchant: Merchant, path: string) =>
  (await call<List<Item>>('GET', path, { bearer: merchant.apiKey })).body.data

const changed = async (merchant: Merchant, link: Link, body: object) => {
  const reply = await call<{ error?: { code: string; param: string } }>(
    'PATCH',
    `/v1/payment-links/${link.id}`,
    {
      bearer: merchant.apiKey,
      body: body as never,
    },
  )
  return `${reply.status} ${reply.body.error?.code ?? ''} ${reply.body.error?.param ?? ''}`.trim()
}

test('payments inherit the customer of their link; all of it is in the customer’s timeline and lists', async () => {
  const merchant = await newMerchant()
  const [ana, eva] = [await newCustomer(merchant), await newCustomer(merchant)]
  const link = await newLink(merchant, { customer_id: ana.id })
  const other = await newLink(merchant)
  for (const { public_id } of [link, other])
    await pay(public_id, await openLink(public_id), 'tok_sbx_approve')

  const [payment, ...none] = await get<Payment>(merchant, `/v1/customer-hub/customers/${ana.id}/payments`)
  expect([payment, none]).toMatchObject([{ customer_id: ana.id, status: 'succeeded' }, []])
  expect(await get(merchant, `/v1/customer-hub/customers/${eva.id}/payments`)).toEqual([])
  const filtered = await get<Payment>(merchant, `/v1/payment-operations/payments?customer_id=${ana.id}`)
  expect(filtered.map(({ id }) => id)).toEqual([payment!.id])
  const links = await get<Link>(merchant, `/v1/payment-links?customer_id=${ana.id}`)
  expect(links.map(({ id }) => id)).toEqual([link.id])

  const entries = await get<{ type: string; resource_id: string; summary: object }>(
    merchant,
    `/v1/customer-hub/customers/${ana.id}/timeline`,
  )
  expect(entries.map(({ type }) => type).sort()).toEqual([
    'customer.created',
    'payment.created',
    'payment.succeeded',
    'payment_link.created',
    'payment_link.paid',
  ])
  expect(entries.find(({ type }) => type === 'payment.succeeded')).toMatchObject({
    resource_id: payment!.id,
    summary: { status: 'succeeded', amount: '120000', currency: 'mxn' },
  })
  const refunded = await refund(merchant, { payment_id: payment!.id, amount: '2500' })
  expect(refunded.status).toBe(201)
  const disputed = await dispute(merchant, payment!.id, { amount: '100' })
  expect(disputed.status).toBe(201)
  const later = await get<{ type: string; resource_id: string }>(
    merchant,
    `/v1/customer-hub/customers/${ana.id}/timeline`,
  )
  expect(later).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'refund.created', resource_id: refunded.body.id }),
      expect.objectContaining({ type: 'dispute.created', resource_id: disputed.body.id }),
    ]),
  )
  await adminSql('sandbox')(`update customers set status = 'merged', merged_into = $2 where id = $1`, [
    ana.id,
    eva.id,
  ])
  const [theirs] = await get<Payment>(merchant, `/v1/customer-hub/customers/${eva.id}/payments`)
  expect(theirs).toMatchObject({ id: payment!.id, customer_id: ana.id })
})

test('only an active customer of the workspace gets a link; one blocked later can still pay', async () => {
  const [merchant, stranger] = [await newMerchant(), await newMerchant()]
  const [ana, theirs] = [await newCustomer(merchant), await newCustomer(stranger)]
  const link = await newLink(merchant)
  expect(await changed(merchant, link, { customer_id: theirs.id })).toBe('404 customer_not_found customer_id')
  expect(await changed(merchant, link, { customer_id: randomUUID() })).toBe(
    '404 customer_not_found customer_id',
  )
  expect(await changed(merchant, link, { customer_id: ana.id })).toBe('200')
  await asked(merchant, 'POST', `/customers/${ana.id}/block`)
  expect(await changed(merchant, link, { description: 'Silla' })).toBe('200')
  expect(await changed(merchant, await newLink(merchant), { customer_id: ana.id })).toBe(
    '409 customer_blocked customer_id',
  )
  const refused = await call<{ error: { code: string } }>('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    body: { manual_amount: 120_000, currency: 'mxn', customer_id: ana.id },
  })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'customer_blocked'])
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  const [payment] = await get<Payment>(merchant, `/v1/customer-hub/customers/${ana.id}/payments`)
  expect(payment).toMatchObject({ customer_id: ana.id, status: 'succeeded' })
})
