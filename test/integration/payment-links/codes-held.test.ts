import { describe, expect, test } from 'vitest'
import { brokenRules, settleAttempts } from '../../support/books.ts'
import { payInCash, vouchersOf } from '../../support/cash.ts'
import { newSession } from '../../support/checkout.ts'
import { newCustomer } from '../../support/customers.ts'
import { newDiscount, usesOf } from '../../support/discounts.ts'
import { buy, type Paid, paymentsOf, plates, takesCodes } from '../../support/link-codes.ts'
import { orderAt } from '../../support/link-lines.ts'
import { call, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { pageOf } from '../../support/pages.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')

describe('a use', () => {
  test('of a voucher is held until it ends', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant, { uses_max: 1 })
    const link = await plates(merchant, { ...takesCodes, payment_method_types: ['card', 'oxxo'] })
    const query = await orderAt(link, { code: 'BUENFIN' })
    await payInCash(link.public_id, await openLink(link.public_id, `${query}&method=oxxo`), 'oxxo')
    expect(await usesOf(merchant, discount)).toBe(1)
    const { html } = await pageOf(`/${link.public_id}${query}`)
    expect(html).toContain('used as often as it could be')
    const [voucher] = await vouchersOf(merchant.tenantId)
    await call('POST', `/v1/sandbox/oxxo/${voucher!.reference}/expire`, { bearer: merchant.apiKey })
    await settleAttempts(merchant.tenantId)
    expect(await usesOf(merchant, discount)).toBe(0)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

test('50 buyers of one link at a code with ten uses: ten pay with it, the others read that it is gone', async () => {
  const merchant = await newMerchant()
  const discount = await newDiscount(merchant, { uses_max: 10 })
  const link = await plates(merchant)
  const query = await orderAt(link, { code: 'BUENFIN' })
  const forms = await times(50, () => openLink(link.public_id, query))
  const replies = await times(50, (at) => pay(link.public_id, forms[at]!, 'tok_sbx_approve'))
  await settleAttempts(merchant.tenantId)
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(10)
  for (const { status, html } of replies)
    if (status !== 303)
      expect([status, html]).toEqual([409, expect.stringContaining('The discount is no longer available')])
  expect((await paymentsOf(merchant, link)).map(({ amount }) => amount)).toEqual(Array(10).fill('9000'))
  expect(await usesOf(merchant, discount)).toBe(10)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a customer with a code for each customer once, 50 times at a link and a checkout: once', async () => {
  const merchant = await newMerchant()
  const { id: customer_id } = await newCustomer(merchant)
  const discount = await newDiscount(merchant, { uses_per_customer_max: 1 })
  const link = await plates(merchant, { ...takesCodes, customer_id })
  const query = await orderAt(link, { code: 'BUENFIN' })
  const line_items = link.line_items.map(({ item_id }) => ({ item_id }))
  const session = await newSession(merchant, { line_items, customer_id, discounts: [{ code: 'BUENFIN' }] })
  const byCheckout = await openLink(session.public_id)
  const forms = await times(49, () => openLink(link.public_id, query))
  const replies = await Promise.all([
    pay(session.public_id, byCheckout, 'tok_sbx_approve'),
    ...forms.map((form) => pay(link.public_id, form, 'tok_sbx_approve')),
  ])
  await settleAttempts(merchant.tenantId)
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(await usesOf(merchant, discount)).toBe(1)
  const { html } = await pageOf(`/${link.public_id}${query}`)
  expect(html).toContain('as often as you could')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('no row says that another discount was given, or that a use is of nothing', async () => {
  const merchant = await newMerchant()
  await newDiscount(merchant, { percent_off_bps: 1_250 })
  await newDiscount(merchant, { code: 'MIO', percent_off_bps: 333 })
  await newDiscount(merchant, { code: 'OTRO', percent_off_bps: 1_219 })
  await newDiscount(merchant, { code: 'MINIMO', percent_off_bps: 333, amount_min: '10001', currency: 'mxn' })
  const link = await plates(merchant, { ...takesCodes, discounts: [{ code: 'BUENFIN' }] })
  await buy(link, { code: 'MIO' })
  const [{ id, amount }] = (await paymentsOf(merchant, link)) as [Paid]
  expect(amount).toBe('8459')
  const part = (at: number, field: string, value: string) =>
    `"order" = jsonb_set("order", '{parts,${at},${field}}', '"${value}"')`
  for (const [lie, constraint] of [
    [`${part(0, 'amount', '-1251')}, amount_minor = amount_minor - 1`, 'payments_order_of_link'],
    [
      `"order" = jsonb_set(jsonb_set("order", '{parts,0,amount}', '"-1300"'), '{parts,1,amount}', '"-241"')`,
      'payments_order_of_link',
    ],
    [part(1, 'name', 'NADA'), 'payments_order_of_link'],
    [part(1, 'name', 'MINIMO'), 'payments_order_of_link'],
    [
      `"order" = jsonb_set("order", '{parts}', '[{"kind": "discount", "name": "MIO", "amount": "-333"},
      {"kind": "discount", "name": "OTRO", "amount": "-1178"}]')`,
      'discounts_apply_now',
    ],
  ] as const)
    await expect(
      sql(`update payments set taxes = '[]', ${lie} where id = $1`, [id]),
      lie,
    ).rejects.toMatchObject({ constraint: expect.stringMatching(`^(${constraint}|payments_order_sum)$`) })
  for (const [lie, constraint] of [
    [`discounts = '[]'`, 'payment_links_lines_sum'],
    [`discounts = jsonb_set(discounts, '{0,amount}', '"1251"')`, 'payment_links_lines_sum'],
    [
      `discounts = jsonb_set(discounts, '{0,amount}', '"-1"'), amount_minor = 10001`,
      'payment_links_lines_sum',
    ],
    [
      `lines = null, catalog_line_item_snapshot = '{"unit_amount": "8750", "quantity": 1, "price_includes_tax": true}'`,
      'payment_links_lines_offered',
    ],
  ] as const)
    await expect(sql(`update payment_links set ${lie} where id = $1`, [link.id]), lie).rejects.toMatchObject({
      constraint,
    })
  for (const [lie, constraint] of [
    ['payment_id = null', 'discount_uses_of_one'],
    ['session_id = payment_id', 'discount_uses_of_one'],
    ['attempt_id = null', 'discount_uses_without_attempt'],
  ] as const)
    await expect(
      sql(`update discount_uses set ${lie} where payment_id = $1`, [id]),
      lie,
    ).rejects.toMatchObject({
      constraint,
    })
})
