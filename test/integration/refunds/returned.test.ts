import { expect, test } from 'vitest'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { ends, paidByCard, paidInCash, paymentOf, refund, refundOf } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')

/** An account whose bank takes the money and sends it back. */
const destination = { clabe: '646180000000000177', holder: 'Ana Torres' }

/** The bank of a card does so once it has been paid. */
async function sendsBack(merchant: Merchant, id: string): Promise<void> {
  await ends(merchant, id, 'succeeded')
  await sql(
    `update simulator.refunds set state = 'failed', failure_code = 'account_closed' where reference = $1`,
    [id],
  )
}

test.each([
  ['to an account', paidInCash, { destination }, async () => undefined],
  ['to a card', paidByCard, {}, sendsBack],
] as const)(
  'a refund %s that the bank sends back is found without a notification',
  async (_, paid, fields, back) => {
    const merchant = await newMerchant()
    const payment = await paid(merchant)
    const { id } = (await refund(merchant, { payment_id: payment, ...fields })).body
    await back(merchant, id)
    const found = async () => {
      await sql(`update refunds set next_check_at = now() where id = $1 and next_check_at is not null`, [id])
      await trigger('sandbox')
      return (await refundOf(merchant, id)).status
    }
    await expect.poll(found).toBe('failed')
    expect(await refundOf(merchant, id)).toMatchObject({ status: 'failed', failure_code: 'account_closed' })
    expect(await journalsOf(merchant.tenantId)).toMatchObject({
      refund: 1,
      refund_paid: 1,
      refund_returned: 1,
    })
    expect((await paymentOf(merchant, payment)).amount_refunded).toBe('0')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  },
)
