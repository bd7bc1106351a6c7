import { expect, test } from 'vitest'
import { newEmail } from '../../support/customer.ts'
import { asked, type Customer, newCustomer, newVerified } from '../../support/customers.ts'
import { type Merchant, newLink, newMerchant } from '../../support/merchant.ts'
import { sendForm } from '../../support/pages.ts'
import { eventsOf } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')

/** A buyer pays a link and gives an address; answers the payment's row. */
async function paidWith(merchant: Merchant, fields: Record<string, string>, link: object = {}) {
  const made = await newLink(merchant, { usage: 'multi_use', ...link })
  const sent = await sendForm(made, fields)
  expect(sent.status).toBe(303)
  const [payment] = await sql<{ id: string; customer_id: string | null }>(
    'select id, customer_id from payments where tenant_id = $1 and origin_id = $2',
    [merchant.tenantId, made.id],
  )
  return payment!
}
const byCard = (merchant: Merchant, email: string, link: object = {}) =>
  paidWith(merchant, { card_token: 'tok_sbx_approve', receipt_email: email }, link)

const act = (merchant: Merchant, { id }: Customer, action: string, body: object = {}) =>
  asked(merchant, 'POST', `/customers/${id}/${action}`, body)

test('a payment gets the customer whose verified address the buyer gave, in its first event and its timeline', async () => {
  const merchant = await newMerchant()
  const ana = await newVerified(merchant)
  const card = await byCard(merchant, ` ${ana.email!.toUpperCase()}`)
  const fields = { method: 'spei', name: 'Ana López', email: ana.email! }
  const transfer = await paidWith(merchant, fields, { payment_method_types: ['spei'] })
  expect([card.customer_id, transfer.customer_id]).toEqual([ana.id, ana.id])
  for (const { id } of [card, transfer]) {
    const events = await eventsOf(merchant.tenantId, id)
    expect(events.map(({ object }) => object.customer_id)).toEqual([ana.id, ana.id])
  }
  const entries = await sql<{ type: string }>(
    `select type from customer_timeline where customer_id = $1 and resource_type = 'payment' order by type`,
    [ana.id],
  )
  expect(entries.map(({ type }) => type)).toEqual([
    'payment.created',
    'payment.created',
    'payment.requires_action',
    'payment.succeeded',
  ])
  const kept = await sql(
    'select payment_id, email from payment_contacts where tenant_id = $1 order by created_at',
    [merchant.tenantId],
  )
  expect(kept).toEqual([card, transfer].map(({ id }) => ({ payment_id: id, email: ana.email })))
})

test('an address that is not verified, or of a customer who is not active, attaches nothing', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const address = newEmail()
  for (const name of ['Ana', 'Eva']) await newCustomer(merchant, { name, email: address })
  const theirs = await newVerified(other)
  const [blocked, erased, removed] = [
    await newVerified(merchant),
    await newVerified(merchant),
    await newVerified(merchant),
  ]
  await act(merchant, blocked, 'block')
  await act(merchant, erased, 'erase')
  await asked(merchant, 'DELETE', `/contacts/${removed.contactId}`)
  const count = () => sql('select id from customers where tenant_id = $1', [merchant.tenantId])
  const before = await count()
  for (const { email } of [{ email: address }, theirs, blocked, erased, removed, { email: '' }])
    expect((await byCard(merchant, email!)).customer_id).toBe(null)
  expect(await count()).toHaveLength(before.length)
})

test('the customer of the link stays; a merged customer’s address is its survivor’s', async () => {
  const merchant = await newMerchant()
  const [ana, eva] = [await newVerified(merchant), await newVerified(merchant)]
  expect((await byCard(merchant, ana.email!, { customer_id: eva.id })).customer_id).toBe(eva.id)
  expect((await act(merchant, ana, 'merge', { into: eva.id })).status).toBe(200)
  expect((await byCard(merchant, ana.email!)).customer_id).toBe(eva.id)
})

test('an address given with another card attaches the payment then; one given later never changes it', async () => {
  const merchant = await newMerchant()
  const [ana, eva] = [await newVerified(merchant), await newVerified(merchant)]
  const link = await newLink(merchant)
  const first = await sendForm(link, { card_token: 'tok_sbx_decline_funds' })
  const query = `?retry=${new URL(first.headers.get('location')!, 'http://a').pathname.split('/').at(-1)}`
  for (const { email } of [ana, eva])
    await sendForm(link, { card_token: 'tok_sbx_decline_funds', receipt_email: email! }, { query })
  const [{ id }] = (await sql<{ id: string }>('select id from payments where tenant_id = $1', [
    merchant.tenantId,
  ])) as [{ id: string }]
  const events = await eventsOf(merchant.tenantId, id)
  expect(
    events.map(({ type, object, previous_attributes }) => [
      type,
      object.customer_id,
      (previous_attributes as { customer_id?: null }).customer_id,
    ]),
  ).toEqual([
    ['payment.created', null, undefined],
    ['payment.declined', null, undefined],
    ['payment.processing', ana.id, null],
    ['payment.declined', ana.id, undefined],
    ['payment.processing', ana.id, undefined],
    ['payment.declined', ana.id, undefined],
  ])
})
