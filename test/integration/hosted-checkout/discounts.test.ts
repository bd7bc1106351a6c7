import { describe, expect, test } from 'vitest'
import { brokenRules, settleAttempts } from '../../support/books.ts'
import { payInCash, vouchersOf } from '../../support/cash.ts'
import { checkout, cup, newSession, payByCard, sessionNow, stateOf } from '../../support/checkout.ts'
import { newCustomer } from '../../support/customers.ts'
import { adjustOrder, codes, newDiscount, usesOf } from '../../support/discounts.ts'
import { call, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { stack } from '../../support/stack.ts'
import { answerOf } from '../../support/stock.ts'

const htmlOf = async (path: string) => (await fetch(stack.sandbox.directUrl + path)).text()
const nowhere = '0190a6d2-7c3e-7b1a-9f00-000000000031'

describe('a code', () => {
  test('is kept in capitals, changed, found by its code', async () => {
    const merchant = await newMerchant()
    const made = await newDiscount(merchant, { code: 'buen-fin', uses_max: 3 })
    expect(made).toMatchObject({ code: 'BUEN-FIN', active: true, uses_count: 0 })
    const changed = await codes(merchant, 'PATCH', `/${made.id}`, { active: false })
    expect(changed.body).toMatchObject({ active: false, version: 2 })
    const listed = await codes(merchant, 'GET', '?code=Buen-Fin')
    expect(listed.body).toMatchObject({ data: [{ id: made.id }] })
  })

  test.each([
    ['neither amount nor part', { percent_off_bps: null }, '422 parameter_invalid amount_off'],
    ['both', { amount_off: '100', currency: 'mxn' }, '422 parameter_invalid amount_off'],
    [
      'an amount without its currency',
      { percent_off_bps: null, amount_off: '100' },
      '422 parameter_invalid currency',
    ],
    ['a currency of no amount', { currency: 'mxn' }, '422 parameter_invalid currency'],
    ['more than all', { percent_off_bps: 10_001 }, '422 parameter_invalid percent_off_bps'],
    ['a code with a blank', { code: 'BUEN FIN' }, '422 parameter_invalid code'],
    [
      'an end before the start',
      { starts_at: '2026-12-02T00:00:00.000Z', ends_at: '2026-12-01T00:00:00.000Z' },
      '422 parameter_invalid ends_at',
    ],
  ])('refused: %s', async (_what, fields, answer) => {
    const merchant = await newMerchant()
    const { status, body } = await codes(merchant, 'POST', '', {
      code: 'BUENFIN',
      percent_off_bps: 1_000,
      ...fields,
    })
    expect(`${status} ${body.error?.code} ${body.error?.param}`).toBe(answer)
  })

  test('refused: a code that is taken in another case', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const again = await codes(merchant, 'POST', '', { code: 'BuenFin', percent_off_bps: 500 })
    expect(answerOf(again as never)).toBe('409 discount_code_taken')
  })
})

describe('applied by the merchant', () => {
  test('each on what the former ones leave, half up, and the payment is of the rest', async () => {
    const merchant = await newMerchant()
    const part = await newDiscount(merchant, { percent_off_bps: 1_250 })
    const amount = await newDiscount(merchant, {
      code: 'CIEN',
      percent_off_bps: null,
      amount_off: '10000',
      currency: 'mxn',
    })
    const session = await newSession(merchant, {
      line_items: [{ name: 'Libro', unit_amount: '33333' }],
      discounts: [{ code: 'buenfin' }, { discount_id: amount.id }],
    })
    expect(session).toMatchObject({
      amount_subtotal: '33333',
      amount_discount: '14167',
      amount: '19166',
      discounts: [
        { discount_id: part.id, code: 'BUENFIN', amount: '4167', typed_by_buyer: false },
        { discount_id: amount.id, amount: '10000' },
      ],
    })
    expect(await htmlOf(`/${session.public_id}?lang=es`)).toMatch(/Descuento BUENFIN[\s\S]*−\$41\.67/)
    await payByCard(session)
    expect(await stateOf(merchant, session)).toBe('complete/paid')
    expect(await usesOf(merchant, part)).toBe(1)
    const { payment_id } = await sessionNow(merchant, session)
    const payment = await call('GET', `/v1/payment-operations/payments/${payment_id}`, {
      bearer: merchant.apiKey,
    })
    expect(payment.body).toMatchObject({ amount: '19166' })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('lowers base and IVA of each line, as a CFDI has them, and the receipt says so', async () => {
    const merchant = await newMerchant()
    const off = { percent_off_bps: null, amount_off: '10000', currency: 'mxn' }
    const { code } = await newDiscount(merchant, off)
    const line_items = [cup, { name: 'Libro', unit_amount: '25000', iva_rate: '0' }]
    const session = await newSession(merchant, { line_items, discounts: [{ code }] })
    expect(session).toMatchObject({
      amount: '131000',
      amount_tax: '16000',
      line_items: [
        {
          amount_subtotal: '100000',
          amount_discount: '8227',
          tax: { discount: '7092', base: '92908', iva: '14865' },
        },
        { amount_discount: '1773', tax: { discount: '1773', base: '23227', iva: '0' } },
      ],
      taxes: [
        { iva_rate: '16', base: '92908', iva: '14865' },
        { iva_rate: '0', base: '23227', iva: '0' },
      ],
    })
    expect(await newSession(merchant, { amount: '10000' })).toMatchObject({ taxes: [], amount_tax: null })
    const { location } = await payByCard(session)
    const receipt = await htmlOf(location!)
    expect(receipt).toMatch(/Includes IVA 16\u00a0%<\/dt><dd>\$148\.65 MXN <small>on \$929\.08 MXN/)
    expect(receipt).toMatch(/Includes IVA 0\u00a0%<\/dt><dd>\$0\.00 MXN <small>on \$232\.27 MXN/)
  })

  test('new lines are discounted again; no discounts, no reduction', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const session = await newSession(merchant, { line_items: [cup], discounts: [{ code: 'BUENFIN' }] })
    const change = (body: object) => checkout(merchant, 'PATCH', `/sessions/${session.id}`, body)
    const doubled = await change({ line_items: [{ ...cup, quantity: 4 }] })
    expect(doubled.body).toMatchObject({ amount: '208800', amount_discount: '23200' })
    expect((await change({ description: 'Dos juegos' })).body).toMatchObject({ amount: '208800' })
    expect((await change({ discounts: [] })).body).toMatchObject({ amount: '232000', discounts: [] })
  })

  test.each([
    ['a code that is not there', {}, { code: 'NADA' }, '404 discount_not_found discounts.0'],
    ['an id that is not there', {}, { discount_id: nowhere }, '404 discount_not_found discounts.0'],
    [
      'one that has not begun',
      { starts_at: '2099-01-01T00:00:00.000Z' },
      null,
      '409 discount_not_applicable discounts.0',
    ],
    [
      'one that has ended',
      { ends_at: '2020-01-01T00:00:00.000Z' },
      null,
      '409 discount_not_applicable discounts.0',
    ],
    [
      'one of another currency',
      { percent_off_bps: null, amount_off: '100', currency: 'usd' },
      null,
      '409 discount_not_applicable discounts.0',
    ],
    [
      'less than its minimum',
      { amount_min: '116001', currency: 'mxn' },
      null,
      '409 discount_not_applicable discounts.0',
    ],
    [
      'one per customer without a customer',
      { uses_per_customer_max: 1 },
      null,
      '409 discount_not_applicable discounts.0',
    ],
  ])('refused: %s', async (_what, fields, asked, answer) => {
    const merchant = await newMerchant()
    await newDiscount(merchant, fields)
    const refused = await checkout(merchant, 'POST', '/sessions', {
      line_items: [cup],
      discounts: [asked ?? { code: 'BUENFIN' }],
    })
    const { code, param } = refused.body.error!
    expect(`${refused.status} ${code} ${param}`).toBe(answer)
  })
})

describe('typed by the buyer', () => {
  test('without a script: applied, taken away, refused with the reason at the field', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const session = await newSession(merchant, { line_items: [cup], allows_discount_codes: true })
    const applied = await adjustOrder(session.public_id, { code: ' buenfin ' })
    expect(applied).toMatchObject({ status: 303, location: `/${session.public_id}?method=card&lang=en` })
    expect(await sessionNow(merchant, session)).toMatchObject({
      amount: '104400',
      discounts: [{ code: 'BUENFIN', typed_by_buyer: true }],
      version: 2,
    })
    expect(await htmlOf(applied.location)).toContain('Remove the code BUENFIN')
    await adjustOrder(session.public_id, { code: '' })
    expect(await sessionNow(merchant, session)).toMatchObject({ amount: '116000', discounts: [] })
    const unknown = await adjustOrder(session.public_id, { code: 'NADA"' })
    const html = await htmlOf(unknown.location)
    expect(html).toContain('We do not know that code')
    expect(html).toContain('value="NADA&quot;"')
    const card = await adjustOrder(session.public_id, { code: '4242.4242.4242.4242' })
    expect(card.location).toContain('order=code.unknown')
    expect(card.location).not.toContain('4242')
  })

  test('not where the session takes no codes, nor once a payment has been tried', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const closed = await newSession(merchant)
    expect((await adjustOrder(closed.public_id, { code: 'BUENFIN' })).location).toContain(
      'order=code.unknown',
    )
    const tried = await newSession(merchant, { line_items: [cup], allows_discount_codes: true })
    await payByCard(tried, 'tok_sbx_decline_generic')
    expect(await htmlOf(`/${tried.public_id}?lang=en`)).not.toContain('name="code"')
    expect((await adjustOrder(tried.public_id, { code: 'BUENFIN' })).location).toContain('order=order.closed')
    expect(await sessionNow(merchant, tried)).toMatchObject({ amount: '116000' })
  })
})

describe('a use', () => {
  test('is held by the attempt: free again after a decline, taken by a success', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant, { uses_max: 1 })
    const [declined, paid] = [
      await newSession(merchant, { line_items: [cup], discounts: [{ code: 'BUENFIN' }] }),
      await newSession(merchant, { line_items: [cup], discounts: [{ code: 'BUENFIN' }] }),
    ]
    await payByCard(declined, 'tok_sbx_decline_generic')
    expect(await usesOf(merchant, discount)).toBe(0)
    await payByCard(paid)
    expect(await usesOf(merchant, discount)).toBe(1)
    expect((await fetch(`${stack.sandbox.directUrl}/${declined.public_id}`)).status).toBe(409)
    expect(await htmlOf(`/${declined.public_id}?lang=en`)).toContain('Go back to')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('too late on an open page: it says so, and the buyer may go on without it', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant)
    const session = await newSession(merchant, { line_items: [cup], discounts: [{ code: 'BUENFIN' }] })
    const form = await openLink(session.public_id)
    await codes(merchant, 'PATCH', `/${discount.id}`, { active: false })
    const refused = await pay(session.public_id, form, 'tok_sbx_approve')
    expect(refused.status).toBe(409)
    expect(refused.html).toContain('The discount is no longer available')
    await adjustOrder(session.public_id, {})
    expect(await sessionNow(merchant, session)).toMatchObject({ amount: '116000', discounts: [] })
    await payByCard(session)
    expect(await stateOf(merchant, session)).toBe('complete/paid')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('of a voucher is held until it ends; paid late, it counts where one is left', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant, { uses_max: 1 })
    const session = await newSession(merchant, {
      line_items: [cup],
      discounts: [{ code: 'BUENFIN' }],
      payment_method_types: ['oxxo'],
    })
    await payInCash(session.public_id, await openLink(session.public_id, '?method=oxxo'), 'oxxo')
    expect(await usesOf(merchant, discount)).toBe(1)
    const [voucher] = await vouchersOf(merchant.tenantId)
    const till = (at: string, body: Record<string, unknown> = {}) =>
      call('POST', `/v1/sandbox/oxxo/${voucher!.reference}/${at}`, { bearer: merchant.apiKey, body })
    await till('expire')
    await settleAttempts(merchant.tenantId)
    expect(await usesOf(merchant, discount)).toBe(0)
    await payByCard(await newSession(merchant, { line_items: [cup], discounts: [{ code: 'BUENFIN' }] }))
    await till('pay', { late: true })
    await settleAttempts(merchant.tenantId)
    const funds = await call<{ data: { id: string }[] }>('GET', '/v1/payment-operations/unapplied-funds', {
      bearer: merchant.apiKey,
    })
    const payments = await call<{ data: { id: string; origin: { id: string } }[] }>(
      'GET',
      '/v1/payment-operations/payments',
      { bearer: merchant.apiKey },
    )
    const payment = payments.body.data.find(({ origin }) => origin.id === session.id)!
    const applied = await call(
      'POST',
      `/v1/payment-operations/unapplied-funds/${funds.body.data[0]!.id}/apply`,
      { bearer: merchant.apiKey, body: { payment_id: payment.id } },
    )
    expect(applied.status, applied.text).toBe(200)
    expect(await stateOf(merchant, session)).toBe('complete/paid')
    expect(await usesOf(merchant, discount)).toBe(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('fewer than there are cannot be allowed', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant)
    for (const _ of [1, 2])
      await payByCard(await newSession(merchant, { line_items: [cup], discounts: [{ code: 'BUENFIN' }] }))
    const refused = await codes(merchant, 'PATCH', `/${discount.id}`, { uses_max: 1 })
    expect(answerOf(refused as never)).toBe('409 discount_used_up')
    expect(refused.body.error?.param).toBe('uses_max')
  })
})

const buyersAt = async (count: number, sessionOf: (at: number) => Promise<{ public_id: string }>) => {
  const sessions: { public_id: string }[] = []
  for (let at = 0; at < count; at++) sessions.push(await sessionOf(at))
  const forms = await Promise.all(sessions.map(({ public_id }) => openLink(public_id)))
  return Promise.all(sessions.map(({ public_id }, at) => pay(public_id, forms[at]!, 'tok_sbx_approve')))
}

test('50 buyers at a code with one use left: one pays, the others read that it is gone', async () => {
  const merchant = await newMerchant()
  const discount = await newDiscount(merchant, { uses_max: 1 })
  const replies = await buyersAt(50, () =>
    newSession(merchant, { line_items: [cup], discounts: [{ code: 'BUENFIN' }] }),
  )
  await settleAttempts(merchant.tenantId)
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(1)
  for (const { status, html } of replies)
    if (status !== 303)
      expect([status, html]).toEqual([409, expect.stringContaining('The discount is no longer available')])
  expect(await usesOf(merchant, discount)).toBe(1)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 sessions of one customer at a code that each may use twice: two pay', async () => {
  const merchant = await newMerchant()
  const customer = await newCustomer(merchant)
  const discount = await newDiscount(merchant, { uses_per_customer_max: 2 })
  const replies = await buyersAt(50, () =>
    newSession(merchant, { line_items: [cup], discounts: [{ code: 'BUENFIN' }], customer_id: customer.id }),
  )
  await settleAttempts(merchant.tenantId)
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(2)
  expect(await usesOf(merchant, discount)).toBe(2)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
