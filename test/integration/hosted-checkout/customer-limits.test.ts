import { describe, expect, test } from 'vitest'
import { brokenRules, settleAttempts } from '../../support/books.ts'
import { payInCash } from '../../support/cash.ts'
import { checkout, cup, type Session, sessionNow } from '../../support/checkout.ts'
import { asked, newCustomer } from '../../support/customers.ts'
import { newDiscount, usesOf } from '../../support/discounts.ts'
import { type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { answerOf } from '../../support/stock.ts'

describe('the limit per customer', () => {
  const once = { uses_per_customer_max: 1 }
  const withCode = (merchant: Merchant, customer_id: string) =>
    checkout(merchant, 'POST', '/sessions', {
      line_items: [cup],
      discounts: [{ code: 'BUENFIN' }],
      customer_id,
      payment_method_types: ['card', 'oxxo'],
    })
  const customersOf = async (merchant: Merchant, count: number) =>
    Promise.all(Array.from({ length: count }, () => newCustomer(merchant)))
  const merge = (merchant: Merchant, from: string, into: string) =>
    asked(merchant, 'POST', `/customers/${from}/merge`, { into })

  test('the customer of a session stays while its voucher waits, and beside 50 changes at once', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant, once)
    const [ana, eva] = await customersOf(merchant, 2)
    const { body: session } = await withCode(merchant, ana!.id)
    const move = () => checkout(merchant, 'PATCH', `/sessions/${session.id}`, { customer_id: eva!.id })
    const form = await openLink(session.public_id, '?method=oxxo')
    const [placed, ...moved] = await Promise.all([
      payInCash(session.public_id, form, 'oxxo'),
      ...Array.from({ length: 50 }, move),
    ])
    for (const { status, body } of moved)
      if (status !== 200)
        expect([status, body.error?.code, body.error?.param]).toEqual([
          409,
          'checkout_session_customer_fixed',
          'customer_id',
        ])
    expect(placed!.status).toBe(303)
    expect(answerOf((await move()) as never)).toMatch(/^(200|409 checkout_session_customer_fixed)$/)
    const owner = ((await sessionNow(merchant, session)) as Session & { customer_id: string }).customer_id
    expect(await usesOf(merchant, discount)).toBe(1)
    expect(answerOf((await withCode(merchant, owner)) as never)).toBe('409 discount_not_applicable')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('counts over customers who were merged, also of 50 sessions that were made before', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant, once)
    const [ana, eva, iris] = await customersOf(merchant, 3)
    const before = await Promise.all(
      Array.from({ length: 48 }, (_, at) => withCode(merchant, [ana, eva, iris][at % 3]!.id)),
    )
    const forms = await Promise.all(before.map(({ body }) => openLink(body.public_id)))
    expect((await merge(merchant, ana!.id, eva!.id)).status).toBe(200)
    expect((await merge(merchant, eva!.id, iris!.id)).status).toBe(200)
    const replies = await Promise.all(
      before.map(({ body }, at) => pay(body.public_id, forms[at]!, 'tok_sbx_approve')),
    )
    await settleAttempts(merchant.tenantId)
    expect(replies.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(await usesOf(merchant, discount)).toBe(1)
    expect(answerOf((await withCode(merchant, iris!.id)) as never)).toBe('409 discount_not_applicable')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
