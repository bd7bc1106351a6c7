import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { payInCash } from '../../support/cash.ts'
import { checkout, cup, newSession, type Session, sessionNow } from '../../support/checkout.ts'
import { newCustomer } from '../../support/customers.ts'
import { newDiscount } from '../../support/discounts.ts'
import { newMerchant, openLink } from '../../support/merchant.ts'
import { adminSql, stack } from '../../support/stack.ts'

const collects = {
  phone: 'required',
  shipping_countries: ['MX'],
  tax_data: 'optional',
  custom_fields: [{ key: 'size', label: 'Talla', type: 'text', required: true, options: [] }],
  consents: [
    { key: 'terms', text: 'Acepto los términos', url: null, version: '2026-1', required: true },
    { key: 'news', text: 'Quiero noticias', url: null, version: '7', required: false },
  ],
}

const answers = {
  'ship.name': 'Ana Ruiz',
  'ship.line1': 'Orizaba 101',
  'ship.neighborhood': 'Roma Norte',
  'ship.city': 'Ciudad de México',
  'ship.state': 'CDMX',
  'ship.postal_code': '06700',
  'detail.phone': '55 1234 5678',
  'field.size': 'Mediana',
  'consent.terms': 'yes',
}

const collected = {
  phone: '+525512345678',
  shipping: {
    name: 'Ana Ruiz',
    address: {
      line1: 'Orizaba 101',
      line2: null,
      neighborhood: 'Roma Norte',
      city: 'Ciudad de México',
      state: 'Ciudad de México',
      postal_code: '06700',
      country: 'MX',
    },
  },
  tax_data: null,
  custom_fields: [{ key: 'size', label: 'Talla', value: 'Mediana' }],
  consents: [
    { ...collects.consents[0], given_at: expect.stringMatching(/^20/) },
    { ...collects.consents[1], given_at: null },
  ].map(({ required: _, ...each }: Record<string, unknown>) => each),
}

type Asked = Session & { collected: unknown; collects: unknown }

async function submit({ public_id }: Session, fields: Readonly<Record<string, string>>, query = '') {
  const form = await openLink(public_id, query)
  const reply = await fetch(`${stack.sandbox.directUrl}/${public_id}/attempts`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...form, locale: 'en', ...fields }),
  })
  return { status: reply.status, html: await reply.text(), cookie: reply.headers.get('set-cookie') ?? '' }
}

const card = { card_token: 'tok_sbx_approve' }

test('every field to correct at once, with what was typed; nothing is charged', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, { amount: '10000', collects })
  const { status, html, cookie } = await submit(session, {
    ...card,
    ...answers,
    'ship.postal_code': '670',
    'detail.phone': '12',
    'consent.terms': '',
  })
  expect(status).toBe(422)
  for (const name of ['ship.postal_code', 'detail.phone', 'consent.terms'])
    expect(html).toContain(`id="${name}-error"`)
  expect(html).toContain('value="Orizaba 101"')
  expect(await sessionNow(merchant, session)).toMatchObject({ payment_status: 'unpaid', collected: null })
  const [kept = ''] = /spindle_details=[^;]+/.exec(cookie) ?? []
  const again = await fetch(`${stack.sandbox.directUrl}/${session.public_id}`, { headers: { cookie: kept } })
  expect(await again.text()).toContain('value="Orizaba 101"')
})

test('a form that was opened before a change of what is asked is refused, and says so; also of an order that costs nothing', async () => {
  const merchant = await newMerchant()
  const { code } = await newDiscount(merchant, { percent_off_bps: 10_000 })
  const stateNow = async ({ public_id }: Session) =>
    (await fetch(`${stack.sandbox.directUrl}/${public_id}/status`)).json()
  for (const [step, discounts] of [
    ['attempts', []],
    ['complete', [{ code }]],
  ] as const) {
    const session = await newSession(merchant, {
      line_items: [cup],
      discounts,
      collects: { phone: 'optional' },
    })
    const send = async (form: object) => {
      const body = new URLSearchParams({ ...form, ...card, locale: 'en' })
      const reply = await fetch(`${stack.sandbox.directUrl}/${session.public_id}/${step}`, {
        method: 'POST',
        redirect: 'manual',
        body,
      })
      return { status: reply.status, html: await reply.text() }
    }
    const change = (fields: object) => checkout(merchant, 'PATCH', `/sessions/${session.id}`, fields)
    const [form, before] = [await openLink(session.public_id), await stateNow(session)]
    await change({ collects: { phone: 'required' } })
    expect(await stateNow(session)).not.toEqual(before)
    expect(await send({ ...form, 'detail.phone': '5512345678' })).toMatchObject({
      status: 409,
      html: expect.stringContaining('The purchase has changed'),
    })
    // The same again is no change: an open form stays.
    const open = await openLink(session.public_id)
    await change({ collects: { phone: 'required' }, description: 'Tazas' })
    expect((await send({ ...open, 'detail.phone': '5512345678' })).status).toBe(303)
  }
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('given with a card: in the session, and in no event', async () => {
  const merchant = await newMerchant()
  const session = (await newSession(merchant, { amount: '10000', collects })) as Asked
  expect(session).toMatchObject({ collects, collected: null })
  expect((await submit(session, { ...card, ...answers })).status).toBe(303)
  expect(await sessionNow(merchant, session)).toMatchObject({ status: 'complete', collected })
  const [told] = await adminSql('sandbox')<{ n: number }>(
    `select count(*)::int n from events where tenant_id = $1 and (object::text like '%Orizaba%' or object ? 'collected')`,
    [merchant.tenantId],
  )
  expect(told).toEqual({ n: 0 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('given with a voucher; of several attempts the last one counts', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, {
    amount: '10000',
    payment_method_types: ['card', 'oxxo'],
    collects: { phone: 'required' },
  })
  await submit(session, { card_token: 'tok_sbx_decline_generic', 'detail.phone': '5511111111' })
  expect(await sessionNow(merchant, session)).toMatchObject({ collected: { phone: '+525511111111' } })
  const who = { name: 'Ana Ruiz', email: 'ana@example.com', 'detail.phone': '5522222222' }
  await payInCash(session.public_id, await openLink(session.public_id, '?method=oxxo'), 'oxxo', who)
  expect(await sessionNow(merchant, session)).toMatchObject({
    payment_status: 'pending',
    collected: { phone: '+525522222222' },
  })
})

test('what a customer is known by is filled in', async () => {
  const merchant = await newMerchant()
  const customer = await newCustomer(merchant, {
    name: 'Eva Ruiz',
    email: 'eva@example.com',
    phone: '+525512345678',
  })
  const session = await newSession(merchant, { amount: '10000', collects, customer_id: customer.id })
  const html = await (await fetch(`${stack.sandbox.directUrl}/${session.public_id}`)).text()
  expect(html).toContain('value="+525512345678"')
  expect(html).toContain('value="eva@example.com"')
  await submit(session, { ...card, ...answers })
  expect(await sessionNow(merchant, session)).toMatchObject({ collected })
})

test.each([
  ['a dropdown without options', { custom_fields: [{ key: 'a', label: 'A', type: 'dropdown' }] }],
  ['a key twice', { consents: ['1', '2'].map((version) => ({ key: 'a', text: 'A', version })) }],
  ['six questions', { custom_fields: [...'abcdef'].map((key) => ({ key, label: key })) }],
  [
    'an address that is not https',
    { consents: [{ key: 'a', text: 'A', version: '1', url: 'http://a.example' }] },
  ],
])('refused: %s', async (_what, fields) => {
  const merchant = await newMerchant()
  const { status, body } = await checkout(merchant, 'POST', '/sessions', {
    amount: '10000',
    collects: fields,
  })
  expect([status, body.error?.param?.split('.')[0]]).toEqual([422, 'collects'])
})
