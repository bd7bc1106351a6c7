import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { disputesPage } from '../../../functions/money/disputes/store.ts'
import { refundsPage } from '../../../functions/money/refunds/store.ts'
import { asked, newCustomer } from '../../support/customers.ts'
import { dispute, resolve } from '../../support/disputes.ts'
import { explained } from '../../support/explain.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import {
  call,
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { ends, eventsOf, paidByCard, refund } from '../../support/refunds.ts'
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

  const entries = await get<{ type: string; resource: { type: string; id: string }; summary: object }>(
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
    resource: { type: 'payment', id: payment!.id },
    summary: { status: 'succeeded', amount: '120000', currency: 'mxn' },
  })
  const refunded = await refund(merchant, { payment_id: payment!.id, amount: '2500' })
  expect(refunded.status).toBe(201)
  const disputed = await dispute(merchant, payment!.id, { amount: '100' })
  expect(disputed.status).toBe(201)
  const succeeded = await get<Payment>(merchant, '/v1/payment-operations/payments?status=succeeded')
  const anonymous = succeeded.find(({ customer_id }) => customer_id === null)!
  await refund(merchant, { payment_id: anonymous.id, amount: '2500' })
  for (const [list, { id }] of [
    ['/v1/refunds', refunded.body],
    ['/v1/payment-operations/disputes', disputed.body],
  ] as const) {
    const found = await get<Payment>(merchant, `${list}?customer_id=${ana.id}`)
    expect(found.map((each) => [each.id, each.customer_id])).toEqual([[id, ana.id]])
    expect(await get(merchant, `${list}?customer_id=${eva.id}`)).toEqual([])
    expect((await eventsOf(merchant.tenantId, id))[0]!.object.customer_id).toBe(ana.id)
  }
  const toEva = (table: string, id: string) =>
    adminSql('sandbox')(`update ${table} set customer_id = $2 where id = $1`, [id, eva.id])
  for (const [table, id, constraint] of [
    ['refunds', refunded.body.id, 'refunds_customer_of_payment'],
    ['disputes', disputed.body.id, 'disputes_customer_of_payment'],
    ['payments', payment!.id, 'payments_customer_kept'],
    ['payments', anonymous.id, 'payments_customer_kept'],
  ] as const)
    await expect(toEva(table, id)).rejects.toMatchObject({ constraint })
  const later = await get<{ type: string; resource: { type: string; id: string } }>(
    merchant,
    `/v1/customer-hub/customers/${ana.id}/timeline`,
  )
  expect(later).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'refund.created', resource: { type: 'refund', id: refunded.body.id } }),
      expect.objectContaining({
        type: 'dispute.created',
        resource: { type: 'dispute', id: disputed.body.id },
      }),
    ]),
  )
  await adminSql('sandbox')(`update customers set status = 'merged', merged_into = $2 where id = $1`, [
    ana.id,
    eva.id,
  ])
  const [theirs] = await get<Payment>(merchant, `/v1/customer-hub/customers/${eva.id}/payments`)
  expect(theirs).toMatchObject({ id: payment!.id, customer_id: ana.id })
})

test('the refunds and disputes of one customer among many are read from an index', async () => {
  const merchant = await newMerchant()
  writtenByHand(merchant.tenantId)
  const ana = await newCustomer(merchant)
  const payment = await paidByCard(merchant, { fields: { customer_id: ana.id } })
  const { id: refunded } = (await refund(merchant, { payment_id: payment, amount: '100' })).body
  await ends(merchant, refunded, 'succeeded')
  const { id: disputed } = (await dispute(merchant, payment, { amount: '100' })).body
  await resolve(merchant, disputed, 'won')
  /** A copy of the table's only row for each row of a query. */
  const copies = (table: string, query: string, fields: string) =>
    adminSql('sandbox')(
      `insert into ${table} select made.* from ${table} x, (select of.*, gen_random_uuid() as copy from (${query}) of) of,
         jsonb_populate_record(x, jsonb_build_object('id', copy, 'next_check_at', null, ${fields})) made
       where x.tenant_id = $1`,
      [merchant.tenantId],
    )
  await copies('customers', 'select n from generate_series(1, 50) n', `'status', 'active'`)
  const ofCustomers = `'customer_id', of.id, 'origin_id', copy, 'public_id', 'spcs_' || md5(of.id::text)`
  await copies('payments', 'select id from customers where tenant_id = $1', ofCustomers)
  const ofPayments =
    'select id, customer_id, origin_id from payments, generate_series(1, 60) where tenant_id = $1'
  const reference = `'payment_id', of.id, 'payment_link_id', of.origin_id, 'customer_id', of.customer_id, 'processor_ref', copy`
  for (const [table, page] of [
    ['refunds', refundsPage],
    ['disputes', disputesPage],
  ] as const) {
    await copies(table, ofPayments, reference)
    await adminSql('sandbox')(`analyze ${table}`)
    const { nodes, buffers } = await explained(merchant.tenantId, page({ rows: 21, customerId: ana.id }))
    expect(nodes.map((node) => node['Index Name'])).toContain(`${table}_list_by_customer`)
    expect(nodes.filter((node) => /Sort|Seq Scan/.test(node['Node Type']))).toEqual([])
    expect(buffers).toBeLessThan(60)
  }
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
