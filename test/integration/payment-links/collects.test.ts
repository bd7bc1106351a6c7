import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newCustomer } from '../../support/customers.ts'
import { call, type Link, type Merchant, newLink, newMerchant, openLink } from '../../support/merchant.ts'
import { open, pageOf, sendForm } from '../../support/pages.ts'
import { adminSql } from '../../support/stack.ts'

const collects = {
  phone: 'required',
  shipping_countries: [],
  tax_data: 'no',
  custom_fields: [{ key: 'size', label: 'Talla', type: 'text', required: true, options: [] }],
  consents: [{ key: 'terms', text: 'Acepto los términos', url: null, version: '3', required: true }],
}
const answers = { 'detail.phone': '55 1234 5678', 'field.size': 'Mediana', 'consent.terms': 'yes' }
const collected = {
  phone: '+525512345678',
  shipping: null,
  tax_data: null,
  custom_fields: [{ key: 'size', label: 'Talla', value: 'Mediana' }],
  consents: [
    {
      key: 'terms',
      text: 'Acepto los términos',
      url: null,
      version: '3',
      given_at: expect.stringMatching(/^20/),
    },
  ],
}
const card = { card_token: 'tok_sbx_approve' }

type Shown = Link & { collects: unknown; collected: unknown }
type Given = { data: { id: string; payment_id: string; collected: { phone: string } }[] }

const formOf = ({ public_id }: Link) => openLink(public_id)
const send = ({ public_id }: Link, fields: Record<string, string>) =>
  open(`/${public_id}/attempts`, { method: 'POST', body: new URLSearchParams(fields) })
const pageStatus = async ({ public_id }: Link) => (await open(`/${public_id}/status`)).json()

const at = ({ id }: Link, more = '') => `/v1/payment-links/${id}${more}`
const read = async <Body = Shown>({ apiKey }: Merchant, link: Link, more = ''): Promise<Body> =>
  (await call<Body>('GET', at(link, more), { bearer: apiKey })).body

test('a link asks, every wrong field comes back at once, and nothing is charged', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { collects })
  expect(link).toMatchObject({ collects, collected: null })
  const refused = await sendForm(link, {
    ...card,
    ...answers,
    'detail.phone': '12',
    'field.size': '',
    'consent.terms': '',
  })
  const html = await refused.text()
  expect(refused.status).toBe(422)
  expect(html).toContain('Talla: ')
  for (const name of ['detail.phone', 'field.size', 'consent.terms'])
    expect(html).toContain(`id="${name}-error"`)
  expect(await read(merchant, link)).toMatchObject({ status: 'active', collected: null })
})

test('what the buyer of a single-use link gave stands in the link, and in no event and no replay', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { collects })
  expect((await sendForm(link, { ...card, ...answers })).status).toBe(303)
  expect(await read(merchant, link)).toMatchObject({ status: 'paid', collected })
  const archive = { bearer: merchant.apiKey, headers: { 'idempotency-key': `archive-${link.id}` } }
  const first = await call<Shown>('POST', at(link, '/archive'), archive)
  expect(first.body).toMatchObject({ status: 'archived', collected })
  expect((await call<Shown>('POST', at(link, '/archive'), archive)).body.collected).toBeNull()
  const [told] = await adminSql('sandbox')<{ n: number }>(
    `select count(*)::int n from events where tenant_id = $1 and (object::text like '%Mediana%' or object ? 'collected')`,
    [merchant.tenantId],
  )
  expect(told).toEqual({ n: 0 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('of a link that many pay each payment has its own answers: those of its last attempt', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use', collects: { phone: 'required' } })
  const declined = await sendForm(link, {
    card_token: 'tok_sbx_decline_generic',
    'detail.phone': '5511111111',
  })
  const [, retry] = /(spcs_[a-z0-9]{32})/.exec(declined.headers.get('location')!)!
  const again = { ...card, 'detail.phone': '5522222222' }
  await sendForm(link, again, { query: `?retry=${retry}` })
  await sendForm(link, { ...card, 'detail.phone': '5533333333' })
  const { data } = await read<Given>(merchant, link, '/collected')
  expect(data.map((each) => each.collected.phone)).toEqual(['+525533333333', '+525522222222'])
  expect(data[0]).toMatchObject({ object: 'collected_details' })
  expect((await read(merchant, link)).collected).toBeNull()
  const [, { payment_id }] = data as [Given['data'][0], Given['data'][0]]
  const one = await read<Given>(merchant, link, `/collected?payment_id=${payment_id}`)
  expect(one.data.map(({ id }) => id)).toEqual([data[1]!.id])
  const byPublicId = await call<Given>('GET', `/v1/payment-links/${link.public_id}/collected`, {
    bearer: merchant.apiKey,
  })
  expect(byPublicId.body.data).toHaveLength(2)
  const others = await call<Shown & { error: { code: string } }>('GET', at(link, '/collected'), {
    bearer: (await newMerchant()).apiKey,
  })
  expect([others.status, others.body.error.code]).toEqual([404, 'payment_link_not_found'])
})

test('a duplicate asks the same', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { collects })
  const { body } = await call<Shown>('POST', at(link, '/duplicate'), { bearer: merchant.apiKey })
  expect(body).toMatchObject({ collects, collected: null })
})

test('a link may be opened by strangers: nothing that its customer is known by is filled in', async () => {
  const merchant = await newMerchant()
  const customer = await newCustomer(merchant, { name: 'Eva Ruiz', phone: '+525512345678' })
  const link = await newLink(merchant, { collects, customer_id: customer.id })
  expect((await pageOf(`/${link.public_id}`)).html).not.toMatch(/5512345678|Eva Ruiz/)
})

test.each([
  ['what is asked', { collects: { phone: 'required' } }],
  ['who may pay', { payer_email_domains: ['empresa.mx'] }],
])('a form that was opened before a change of %s is refused, and says so', async (_what, change) => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  expect((await sendForm(link, card)).status).toBe(303)
  const before = await pageStatus(link)
  const { quote, attempt_key } = await formOf(link)
  // The terms are frozen by the first payment; these fields are not.
  const changed = await call('PATCH', at(link), { bearer: merchant.apiKey, body: change })
  expect(changed.status).toBe(200)
  expect(await pageStatus(link)).not.toEqual(before)
  const late = await send(link, { quote, attempt_key, ...card, locale: 'en' })
  expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('The link has changed')])
  const { body } = await call<{ data: unknown[] }>('GET', at(link, '/payments'), { bearer: merchant.apiKey })
  expect(body.data).toHaveLength(1)
  // The same again is no change: an open form stays.
  const opened = await formOf(link)
  await call('PATCH', at(link), { bearer: merchant.apiKey, body: { ...change, description: 'Taller' } })
  const given = { ...card, receipt_email: 'ana@empresa.mx', 'detail.phone': '5512345678', locale: 'en' }
  expect((await send(link, { ...opened, ...given })).status).toBe(303)
})

test('questions as large as they may be are paid by every method; larger ones are refused by name', async () => {
  const merchant = await newMerchant()
  const asking = (optionsCount: number) => ({
    custom_fields: ['a', 'b', 'c'].map((key) => ({
      key,
      label: 'Modelo',
      type: 'dropdown',
      options: Array.from({ length: optionsCount }, (_, at) => ({
        value: `${at}`.padStart(46, 'v'),
        label: `${at}`.padStart(46, 'e'),
      })),
    })),
  })
  const fields = { usage: 'multi_use', payment_method_types: ['card', 'oxxo', 'spei'] }
  const link = await newLink(merchant, { ...fields, collects: asking(86) })
  const buyer = { name: 'Ana López', email: 'ana@example.com' }
  for (const way of [card, { method: 'oxxo', ...buyer }, { method: 'spei', ...buyer }])
    expect((await sendForm(link, way)).status).toBe(303)
  const refused = await call<{ error: { code: string; param: string } }>('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    body: { manual_amount: 120_000, currency: 'mxn', collects: asking(100) },
  })
  expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
    422,
    'parameter_invalid',
    'collects',
  ])
})
