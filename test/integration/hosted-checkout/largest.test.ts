import { expect, test } from 'vitest'
import { newSession, stateOf } from '../../support/checkout.ts'
import { newMerchant, openLink, pay } from '../../support/merchant.ts'

/* The largest sale that may be made can be paid: its quote is sealed into the form. */

test('a hundred lines with the longest names are paid', async () => {
  const merchant = await newMerchant()
  const line_items = Array.from({ length: 100 }, (_, at) => ({
    name: `${'🌮'.repeat(95)} ${at}`,
    unit_amount: '1001',
    quantity: 3,
    iva_rate: at % 2 === 0 ? '16' : '8',
  }))
  const session = await newSession(merchant, { line_items })
  const form = await openLink(session.public_id)
  const paid = await pay(session.public_id, form, 'tok_sbx_approve')
  expect(paid.status).toBe(303)
  expect(await stateOf(merchant, session)).toBe('complete/paid')
})
