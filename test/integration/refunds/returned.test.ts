import { expect, test } from 'vitest'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { newMerchant } from '../../support/merchant.ts'
import { paidInCash, paymentOf, refund, refundOf, settleRefunds } from '../../support/refunds.ts'

/** An account whose bank takes the money and sends it back. */
const clabe = '646180000000000177'

test('a refund that the receiving bank sends back is found without being told', async () => {
  const merchant = await newMerchant()
  const payment = await paidInCash(merchant)
  const { body } = await refund(merchant, {
    payment_id: payment,
    destination: { clabe, holder: 'Ana Torres' },
  })
  // The first look finds it paid, a later one sent back.
  const looked = async () => {
    await settleRefunds(merchant.tenantId, 1)
    return (await refundOf(merchant, body.id)).status
  }
  await expect.poll(looked, { timeout: 10_000 }).toBe('failed')
  expect(await refundOf(merchant, body.id)).toMatchObject({
    status: 'failed',
    failure_code: 'account_closed',
  })
  expect(await journalsOf(merchant.tenantId)).toMatchObject({ refund: 1, refund_paid: 1, refund_returned: 1 })
  expect((await paymentOf(merchant, payment)).amount_refunded).toBe('0')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
