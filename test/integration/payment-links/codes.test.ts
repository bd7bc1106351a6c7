import { describe, expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newSession, onSale, payByCard } from '../../support/checkout.ts'
import { newEmail } from '../../support/customer.ts'
import { adjustOrder, codes, newDiscount, usesOf } from '../../support/discounts.ts'
import { buy, formOf, many, paymentsOf, plates, takesCodes } from '../../support/link-codes.ts'
import { linkOfLines, ofAllRates, orderAt, type SoldLink } from '../../support/link-lines.ts'
import { received } from '../../support/mails.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { open, pageOf } from '../../support/pages.ts'
import { trigger } from '../../support/stack.ts'

const change = ({ apiKey }: Merchant, { id }: { id: string }, body: object) =>
  call<SoldLink>('PATCH', `/v1/payment-links/${id}`, { bearer: apiKey, body: body as never })

describe('taken off by the merchant', () => {
  test('a link and a checkout cost the same, at each rate of IVA, with what buyers add', async () => {
    const merchant = await newMerchant()
    const items = await ofAllRates(merchant)
    const line_items = items.map((item_id, at) => ({
      item_id,
      quantity: 1 + at,
      quantity_min: 1,
      quantity_max: 9,
    }))
    await newDiscount(merchant, { percent_off_bps: 1_250 })
    await newDiscount(merchant, { code: 'CIEN', percent_off_bps: null, amount_off: '10000', currency: 'mxn' })
    await newDiscount(merchant, { code: 'MIO', percent_off_bps: 333 })
    const fields = {
      discounts: [{ code: 'buenfin' }, { code: 'CIEN' }],
      allows_discount_codes: true,
      tips: { presets_bps: [1_500] },
      shipping_options: [
        { name: 'Paquetería', amount: '9900' },
        { name: 'Libros', amount: '3333', iva_rate: '0' },
      ],
    }
    const link = await linkOfLines(merchant, line_items, { ...many, ...fields })
    for (const chosen of [
      {},
      { code: 'mio ', tip: '1500' },
      { code: 'MIO', 'quantity.0': '7', 'quantity.3': '2', shipping: '1' },
    ]) {
      const session = await newSession(merchant, { line_items, ...fields })
      expect(link).toMatchObject({
        amount: session.amount,
        discounts: (session as unknown as SoldLink & { discounts: object }).discounts,
        allows_discount_codes: true,
      })
      await adjustOrder(session.public_id, chosen)
      await payByCard(session)
      expect((await buy(link, chosen)).status).toBe(303)
      const [[byLink], [byCheckout]] = [await paymentsOf(merchant, link), await paymentsOf(merchant, session)]
      for (const field of ['amount', 'amount_tip', 'taxes', 'order'] as const)
        expect(byLink, JSON.stringify(chosen)).toHaveProperty(field, (byCheckout as never)[field])
    }
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('other lines are discounted again; after the first payment nothing is, but codes may end', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const [item_id] = await onSale(merchant, 50)
    const link = await linkOfLines(merchant, [{ item_id }], { ...many, discounts: [{ code: 'BUENFIN' }] })
    expect(link).toMatchObject({ amount: '9000', discounts: [{ code: 'BUENFIN', amount: '1000' }] })
    const doubled = await change(merchant, link, { line_items: [{ item_id, quantity: 2 }] })
    expect(doubled.body).toMatchObject({ amount: '18000', discounts: [{ amount: '2000' }] })
    expect((await change(merchant, link, { discounts: [] })).body).toMatchObject({
      amount: '20000',
      discounts: [],
    })
    await change(merchant, link, { discounts: [{ code: 'BUENFIN' }], allows_discount_codes: true })
    const { body: copy } = await call<SoldLink>('POST', `/v1/payment-links/${link.id}/duplicate`, {
      bearer: merchant.apiKey,
    })
    expect(copy).toMatchObject({
      amount: '18000',
      discounts: [{ code: 'BUENFIN' }],
      allows_discount_codes: true,
    })
    await buy(link, {})
    expect((await change(merchant, link, { discounts: [] })).body.error?.code).toBe(
      'payment_link_terms_frozen',
    )
    expect((await change(merchant, link, { allows_discount_codes: false })).body).toMatchObject({
      allows_discount_codes: false,
      amount: '18000',
    })
  })

  test('once it is over, who opened its page before reads so, and the page costs what the lines do', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant)
    const link = await plates(merchant, { ...many, discounts: [{ code: 'BUENFIN' }] })
    const form = await openLink(link.public_id)
    await codes(merchant, 'PATCH', `/${discount.id}`, { active: false })
    const refused = await pay(link.public_id, form, 'tok_sbx_approve')
    expect([refused.status, refused.html]).toEqual([
      409,
      expect.stringContaining('The discount is no longer available'),
    ])
    const { html } = await pageOf(`/${link.public_id}?lang=en`)
    expect([html.includes('$100.00'), html.includes('BUENFIN')]).toEqual([true, false])
    expect((await buy(link, {})).status).toBe(303)
    expect(await paymentsOf(merchant, link)).toMatchObject([{ amount: '10000', order: { discounts: [] } }])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test.each([
    ['a code that is not there', {}, { code: 'NADA' }, '404 discount_not_found discounts.0'],
    [
      'one that has ended',
      { ends_at: '2020-01-01T00:00:00.000Z' },
      { code: 'BUENFIN' },
      '409 discount_not_applicable discounts.0',
    ],
    [
      'less than its minimum',
      { amount_min: '10001', currency: 'mxn' },
      { code: 'BUENFIN' },
      '409 discount_not_applicable discounts.0',
    ],
    [
      'one per customer without a customer',
      { uses_per_customer_max: 1 },
      { code: 'BUENFIN' },
      '409 discount_not_applicable discounts.0',
    ],
    [
      'one that takes all: a link has a payment',
      { percent_off_bps: 10_000 },
      { code: 'BUENFIN' },
      '422 amount_below_minimum line_items',
    ],
  ])('refused: %s', async (_what, fields, asked, answer) => {
    const merchant = await newMerchant()
    await newDiscount(merchant, fields)
    const [item_id] = await onSale(merchant, 9)
    const { status, body } = await call<SoldLink>('POST', '/v1/payment-links', {
      bearer: merchant.apiKey,
      body: {
        amount_source: 'catalog_line_item',
        currency: 'mxn',
        line_items: [{ item_id }],
        discounts: [asked],
      } as never,
    })
    expect(`${status} ${body.error?.code} ${body.error?.param}`).toBe(answer)
  })

  test('refused without lines, and a change that changes nothing moves no terms', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const plain = { manual_amount: 10_000, currency: 'mxn' }
    for (const [fields, param] of [
      [{ discounts: [{ code: 'BUENFIN' }] }, 'discounts'],
      [{ allows_discount_codes: true }, 'allows_discount_codes'],
    ] as const) {
      const { body } = await call<SoldLink>('POST', '/v1/payment-links', {
        bearer: merchant.apiKey,
        body: { ...plain, ...fields } as never,
      })
      expect(body.error).toMatchObject({ code: 'parameter_unknown', param })
    }
    const { body: link } = await call<SoldLink>('POST', '/v1/payment-links', {
      bearer: merchant.apiKey,
      body: { ...plain, ...many },
    })
    const form = await openLink(link.public_id)
    await change(merchant, link, {
      tips: null,
      shipping_options: [],
      discounts: [],
      allows_discount_codes: false,
    })
    expect((await pay(link.public_id, form, 'tok_sbx_approve')).status).toBe(303)
  })
})

describe('a code that the buyer types', () => {
  test('stands in the address, lowers the amount, and is taken away by a button', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant)
    const link = await plates(merchant)
    const query = await orderAt(link, { code: ' buenfin ' })
    const { html } = await pageOf(`/${link.public_id}${query}`)
    expect(html).toMatch(/Discount BUENFIN[\s\S]*−\$10\.00/)
    expect(html).toContain('Remove the code BUENFIN')
    expect((await buy(link, { code: 'buenfin' })).status).toBe(303)
    expect(await paymentsOf(merchant, link)).toMatchObject([
      { amount: '9000', order: { discounts: [{ code: 'BUENFIN', amount: '1000' }] } },
    ])
    expect(await usesOf(merchant, discount)).toBe(1)
    const without = await open(`/${link.public_id}/order${query}`, {
      method: 'POST',
      body: new URLSearchParams({ code: '', locale: 'en' }),
    })
    expect((await pageOf(without.headers.get('location')!)).html).toContain('$100.00')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test.each([
    ['is not there', null, 'We do not know that code'],
    ['is no code', null, 'We do not know that code'],
    ['has ended', { ends_at: '2020-01-01T00:00:00.000Z' }, 'That code has ended'],
    ['has not begun', { starts_at: '2099-01-01T00:00:00.000Z' }, 'That code has not begun yet'],
    ['wants more', { amount_min: '10001', currency: 'mxn' }, 'below the minimum of that code'],
    ['is for customers', { uses_per_customer_max: 1 }, 'for registered customers'],
    ['takes all', { percent_off_bps: 10_000 }, 'cannot be paid here'],
  ])(
    'that %s: the page says so at the field, and the rest is paid as it was chosen',
    async (what, fields, says) => {
      const merchant = await newMerchant()
      if (fields) await newDiscount(merchant, fields)
      const link = await plates(merchant, { ...takesCodes, tips: { presets_bps: [1_000] } })
      const code = what === 'is no code' ? '"><b>' : 'BUENFIN'
      const query = await orderAt(link, { code, tip: '1000' })
      const { html } = await pageOf(`/${link.public_id}${query}`)
      expect(html).toContain('role="alert"')
      expect(html).toContain(says)
      expect(html).not.toContain('"><b>')
      const form = await openLink(link.public_id, query)
      expect((await pay(link.public_id, form, 'tok_sbx_approve')).status).toBe(303)
      expect(await paymentsOf(merchant, link)).toMatchObject([{ amount: '11000', order: { discounts: [] } }])
    },
  )

  test('may be of digits alone; what may be a card number is in no address, and no code that we know', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant, { code: '750105530009' })
    await newDiscount(merchant, { code: 'CIEN-2026-1128-0009' })
    const link = await plates(merchant)
    for (const code of ['750105530009', 'cien-2026-1128-0009'])
      expect((await pageOf(`/${link.public_id}${await orderAt(link, { code })}`)).html).toContain('$90.00')
    for (const code of ['4242 4242 4242 4242', '42.42/424242424242']) {
      const { location } = await adjustOrder(link.public_id, { code })
      expect([location, location.replaceAll(/\D/g, '')]).toEqual([
        expect.stringContaining('order=code.unknown'),
        expect.not.stringContaining('42424242'),
      ])
      expect((await pageOf(location)).html).toContain('We do not know that code')
    }
  })

  test('where the link takes none: an address that names one means nothing', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const link = await plates(merchant, { ...many, tips: { presets_bps: [1_000] } })
    const { html } = await pageOf(`/${link.public_id}?code=BUENFIN&lang=en`)
    expect([html.includes('$100.00'), html.includes('name="code"'), html.includes('do not know')]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('in a form whose quote has none: it is shown first, and nothing is charged', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const link = await plates(merchant)
    const body = new URLSearchParams({
      ...(await openLink(link.public_id)),
      locale: 'en',
      code: 'BUENFIN',
      card_token: 'tok_sbx_approve',
    })
    const shown = await open(`/${link.public_id}/attempts`, { method: 'POST', body })
    expect([shown.status, await paymentsOf(merchant, link)]).toEqual([303, []])
    expect((await pageOf(shown.headers.get('location')!)).html).toContain('$90.00')
  })

  test('a second try has it again, and may leave it out', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant)
    const link = await plates(merchant)
    for (const [more, amount, used] of [
      ['', '9000', 1],
      ['&code=', '10000', 1],
    ] as const) {
      const { location } = await buy(link, { code: 'BUENFIN' }, 'tok_sbx_decline_funds')
      const retry = /spcs_[a-z0-9]{32}/.exec(location!)![0]
      await pay(link.public_id, await openLink(link.public_id, `?retry=${retry}${more}`), 'tok_sbx_approve')
      expect((await paymentsOf(merchant, link))[0]).toMatchObject({ status: 'succeeded', amount })
      expect(await usesOf(merchant, discount)).toBe(used)
    }
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('that is gone on an open page: it says so, and one button goes on with the rest', async () => {
    const merchant = await newMerchant()
    const discount = await newDiscount(merchant)
    const link = await plates(merchant, { ...takesCodes, tips: { presets_bps: [1_000] } })
    const form = await formOf(link, { code: 'BUENFIN', tip: '1000' })
    await codes(merchant, 'PATCH', `/${discount.id}`, { active: false })
    const refused = await pay(link.public_id, form, 'tok_sbx_approve')
    expect([refused.status, refused.html]).toEqual([
      409,
      expect.stringContaining('The discount is no longer available'),
    ])
    const action = /action="([^"]+\/order[^"]*)"/.exec(refused.html)![1]!.replaceAll('&amp;', '&')
    const on = await open(action, { method: 'POST', body: new URLSearchParams({ code: '', locale: 'en' }) })
    expect((await pageOf(on.headers.get('location')!)).html).toContain('$110.00')
    expect(await paymentsOf(merchant, link)).toEqual([])
  })

  test('is refused once the link takes none, also to who opened the page before', async () => {
    const merchant = await newMerchant()
    await newDiscount(merchant)
    const link = await plates(merchant)
    const form = await formOf(link, { code: 'BUENFIN' })
    await change(merchant, link, { allows_discount_codes: false })
    expect((await pay(link.public_id, form, 'tok_sbx_approve')).status).toBe(409)
    expect(await paymentsOf(merchant, link)).toEqual([])
  })
})

test('the receipt of a link and its mail say what the code took off', async () => {
  const merchant = await newMerchant()
  await newDiscount(merchant, { code: 'BUENFIN' })
  const link = await plates(merchant)
  const form = await formOf(link, { code: 'BUENFIN' })
  const email = newEmail()
  const { status, headers } = await open(`/${link.public_id}/attempts`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, locale: 'en', card_token: 'tok_sbx_approve', receipt_email: email }),
  })
  expect(status).toBe(303)
  const [paid] = await paymentsOf(merchant, link)
  expect(paid!.amount).toBe('9000')
  const cookie = headers.getSetCookie()[0]!.split(';', 1)[0]!
  const receipt = await open(new URL(headers.get('location')!, 'http://a').pathname, { headers: { cookie } })
  const shown = await receipt.text()
  await trigger('sandbox')
  const [mail] = await received(email)
  for (const text of [shown, mail!.text]) {
    expect(text).toContain('BUENFIN')
    expect(text).toContain('\u2212$10.00')
    expect(text).toContain('$90.00')
  }
})
