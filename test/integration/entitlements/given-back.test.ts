import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import {
  addKeys,
  buy,
  codeOn,
  digital,
  entitled,
  grantedNow,
  grantedTo,
  pool,
  refundOf,
} from '../../support/entitlements.ts'
import { newMerchant } from '../../support/merchant.ts'

test('what was revoked while it waited for a key gets one of those that came meanwhile, once it is given back', async () => {
  const merchant = await newMerchant()
  const item = await digital(merchant, pool)
  const bought = await buy(merchant, [item])
  const { id } = (await grantedTo(merchant, bought))[0]!
  await entitled(merchant, 'POST', `/entitlements/${id}/revoke`)
  await addKeys(merchant, item, 'KEY-AAAA', 'KEY-BBBB')
  expect((await entitled(merchant, 'POST', `/entitlements/${id}/reinstate`)).status).toBe(200)
  const [key] = await codeOn(bought.receipt)
  expect(['KEY-AAAA', 'KEY-BBBB']).toContain(key)
  expect(await grantedNow(merchant, bought.paymentId)).toMatchObject([
    { status: 'active', code_last4: key!.slice(-4) },
  ])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('what a refund takes back says when', async () => {
  const merchant = await newMerchant()
  const bought = await buy(merchant, [await digital(merchant, { kind: 'access' })])
  const refund = await refundOf(merchant, bought.paymentId)
  const { created_at } = refund.body as { created_at: string }
  const [entitlement] = await grantedNow(merchant, bought.paymentId)
  expect(Date.parse(entitlement!.revoked_at!)).toBeGreaterThanOrEqual(Date.parse(created_at))
})
