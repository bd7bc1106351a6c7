import { expect, test } from 'vitest'
import { asked, newVerified, waitEnds } from '../../support/customers.ts'
import { addItem, newGuarded, newList, tried } from '../../support/risk.ts'
import { adminSql } from '../../support/stack.ts'

test('an erasure takes what names the person from the lists; a BIN and a domain stay, without the payment and the words', async () => {
  const guarded = await newGuarded()
  const { merchant } = guarded
  const customer = await newVerified(merchant)
  const { id: payment_id } = await tried(guarded, 'tok_sbx_approve', customer.email!)
  const listed = async (kind: string, named: { value: string } | { payment_id: string }) =>
    addItem(guarded, await newList(guarded, kind, 'block'), named, { reason: 'Ana, charged back' })
  for (const kind of ['bin', 'email_domain', 'email', 'customer']) await listed(kind, { payment_id })
  // Typed: nothing but the card leads to the person.
  await listed('masked_card', { value: '424242******4242' })
  await listed('masked_card', { value: '555555******4444' })
  expect((await asked(merchant, 'POST', `/customers/${customer.id}/erase`)).status).toBe(200)
  await waitEnds(customer.id)
  const left = await adminSql('sandbox')(
    'select value, status, payment_id, reason from risk_list_items where tenant_id = $1 order by value',
    [merchant.tenantId],
  )
  const ofMany = { status: 'active', payment_id: null, reason: null }
  expect(left).toEqual([
    { value: '424242', ...ofMany },
    { value: '555555******4444', status: 'active', payment_id: null, reason: 'Ana, charged back' },
    { value: 'example.com', ...ofMany },
  ])
})
