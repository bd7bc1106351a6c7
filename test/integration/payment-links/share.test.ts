import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { qrModules } from '../../../src/platform/qr.ts'
import { newEmail } from '../../support/customer.ts'
import { received } from '../../support/mails.ts'
import {
  call,
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

type Shared = { url: string; text: string; whatsapp_url: string; sms_url: string }
type Shown = Link & Record<string, unknown>

const file = async (apiKey: string, path: string) => {
  const response = await fetch(stack.sandbox.directUrl + path, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The pixels of a one-bit PNG, true where dark, one for each module. */
function modulesOf(png: Buffer, count: number): boolean[][] {
  const side = png.readUInt32BE(16)
  const at = png.indexOf('IDAT')
  const pixels = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
  const rowBytes = Math.ceil(side / 8) + 1
  const scale = side / count
  const isDark = (x: number, y: number) => ((pixels[y * rowBytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1) === 0
  return Array.from({ length: count }, (_, y) =>
    Array.from({ length: count }, (_, x) => isDark(x * scale + scale / 2, y * scale + scale / 2)),
  )
}

test('a link’s QR code says its address, as SVG and as PNG', async () => {
  const merchant = await newMerchant()
  const link = (await newLink(merchant)) as Shown
  const modules = qrModules(link.url as string)
  const svg = await file(merchant.apiKey, `/v1/payment-links/${link.id}/qr.svg`)
  expect(svg.response.headers.get('content-type')).toBe('image/svg+xml')
  expect(svg.bytes.toString()).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  expect(svg.bytes.toString()).toContain(`viewBox="0 0 ${modules.length} ${modules.length}"`)
  const png = await file(merchant.apiKey, `/v1/payment-links/${link.id}/qr.png`)
  expect(png.response.headers.get('content-disposition')).toContain('payment-link.png')
  expect(png.bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
  expect(modulesOf(png.bytes, modules.length)).toEqual(modules)
  const other = await newMerchant()
  expect((await file(other.apiKey, `/v1/payment-links/${link.id}/qr.png`)).response.status).toBe(404)
})

test('the text to send, for WhatsApp and SMS, in both languages', async () => {
  const merchant = await newMerchant()
  const link = (await newLink(merchant, { description: 'Silla & mesa' })) as Shown
  const share = async (query = '') =>
    (await call<Shared>('GET', `/v1/payment-links/${link.id}/share${query}`, { bearer: merchant.apiKey }))
      .body
  const { url, text, whatsapp_url, sms_url } = await share()
  expect([url, text]).toEqual([link.url, `Silla & mesa: $1,200.00 MXN. Paga aquí: ${link.url}`])
  expect(new URL(whatsapp_url).searchParams.get('text')).toBe(text)
  expect(sms_url).toBe(`sms:?&body=${encodeURIComponent(text)}`)
  expect((await share('?locale=en')).text).toContain('Pay here: ')
})

test('a duplicate has the same fields and an address of its own; it is neither paid nor over', async () => {
  const merchant = await newMerchant()
  const bearer = merchant.apiKey
  const fields = {
    description: 'Silla',
    installment_options: [{ months: 3 }, { months: 6 }],
    payment_method_types: ['card', 'oxxo'],
    metadata: { order: 'a' },
    client_reference_id: 'order-1',
  }
  const link = (await newLink(merchant, fields)) as Shown
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve', 1)
  const path = `/v1/payment-links/${link.id}`
  await call('POST', `${path}/archive`, { bearer })
  const before = (await call<Shown>('GET', path, { bearer })).body
  const made = await call<Shown>('POST', `${path}/duplicate`, { bearer })
  expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/payment-links/${made.body.id}`])
  const own = [
    'id',
    'public_id',
    'url',
    'created_at',
    'updated_at',
    'version',
    'status',
    'uses_count',
    'checkout_session_ref',
  ]
  const rest = (shown: Shown) =>
    Object.fromEntries(Object.entries(shown).filter(([key]) => !own.includes(key)))
  expect(rest(made.body)).toEqual(rest(before))
  expect(made.body).toMatchObject({ status: 'active', uses_count: 0, checkout_session_ref: null, version: 1 })
  expect(made.body.public_id).not.toBe(link.public_id)
  expect(
    (await pay(made.body.public_id, await openLink(made.body.public_id), 'tok_sbx_approve', 1)).status,
  ).toBe(303)
})

test('a duplicate of a link that the buyer fills, limited and to come', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, {
    manual_amount: undefined,
    buyer_amount: { amount_min: '2000', amount_max: '500000', presets: ['5000'] },
    usage: 'multi_use',
    uses_max: 7,
    starts_at: new Date(Date.now() + 3_600_000).toISOString(),
    payer_email_domains: ['empresa.mx'],
    success_message: 'Gracias',
  })
  const { body } = await call<Shown>('POST', `/v1/payment-links/${link.public_id}/duplicate`, {
    bearer: merchant.apiKey,
  })
  expect(body).toMatchObject({
    buyer_amount: { amount_min: '2000', amount_max: '500000', presets: ['5000'] },
    uses_max: 7,
    uses_count: 0,
    uses_held_count: 0,
    starts_at: (link as Shown).starts_at,
    payer_email_domains: ['empresa.mx'],
    success_message: 'Gracias',
  })
})

type Template = Shown & { name: string; settings: object; error?: { code: string; param: string | null } }

const templatesOf =
  ({ apiKey: bearer }: Merchant) =>
  (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', at: string, body?: object) =>
    call<Template & { data: Template[] }>(method, `/v1/payment-link-templates${at}`, {
      bearer,
      ...(body ? { body: body as never } : {}),
    })
const codeOf = ({ body: { error } }: { body: Template }) => [error?.code, error?.param]

test('a link is made from a template: fields of the body win, and a changed or deleted template changes no link', async () => {
  const merchant = await newMerchant()
  const templates = templatesOf(merchant)
  const settings = {
    currency: 'mxn',
    manual_amount: 45_000,
    usage: 'multi_use',
    uses_max: 12,
    collects: { phone: 'required' },
    metadata: { kind: 'course' },
  }
  const { status, body: template } = await templates('POST', '', { name: ' Talleres ', settings })
  // What is left out stays out: it has no default here.
  expect([status, template.name, Object.keys(template.settings).sort()]).toEqual([
    201,
    'Talleres',
    Object.keys(settings).sort(),
  ])
  const make = (body: object) => templates('POST', `/${template.id}/payment-links`, body)
  const whole = await make({})
  expect([whole.status, whole.headers.get('location')]).toEqual([201, `/v1/payment-links/${whole.body.id}`])
  expect(whole.body).toMatchObject({
    ...settings,
    collects: { phone: 'required', tax_data: 'no' },
    template_ref: template.id,
    status: 'active',
    payment_method_types: ['card'],
    has_password: false,
  })
  const { body: own } = await make({
    description: 'Torno',
    uses_max: null,
    metadata: {},
    password: 'jacaranda',
  })
  expect(own).toMatchObject({ description: 'Torno', uses_max: null, metadata: {}, has_password: true })
  expect(own).toMatchObject({ manual_amount: 45_000, usage: 'multi_use', template_ref: template.id })
  // Another way to say the amount takes the place of the template's.
  const buyer_amount = { amount_min: '2000', amount_max: '9000', presets: [] }
  expect((await make({ buyer_amount })).body).toMatchObject({ manual_amount: null, buyer_amount })
  const { body: copy } = await call<Shown>('POST', `/v1/payment-links/${own.id}/duplicate`, {
    bearer: merchant.apiKey,
  })
  expect(copy.template_ref).toBe(template.id)

  const changed = await templates('PATCH', `/${template.id}`, { settings: { currency: 'mxn' } })
  expect(changed.body).toMatchObject({ name: 'Talleres', settings: { currency: 'mxn' }, version: 2 })
  expect((await templates('DELETE', `/${template.id}`)).body).toEqual({
    id: template.id,
    object: 'payment_link_template',
    deleted: true,
  })
  const read = await call<Shown>('GET', `/v1/payment-links/${whole.body.id}`, { bearer: merchant.apiKey })
  expect(read.body).toEqual(whole.body)
  for (const gone of [
    await make({}),
    await templates('GET', `/${template.id}`),
    await templates('PATCH', `/${template.id}`, { name: 'Otra' }),
    await templates('DELETE', `/${template.id}`),
  ])
    expect([gone.status, ...codeOf(gone)]).toEqual([404, 'payment_link_template_not_found', null])
  // A template of another workspace answers like a missing one.
  const foreign = templatesOf(await newMerchant())
  expect((await foreign('POST', `/${template.id}/payment-links`, {})).status).toBe(404)
})

test('templates have different names, and what a template cannot say is refused by its field', async () => {
  const templates = templatesOf(await newMerchant())
  const add = (name: string, settings: object = {}) => templates('POST', '', { name, settings })
  const made = (await add('Cursos', { usage: 'single_use', uses_max: 3 })).body
  expect(codeOf(await add('CURSOS'))).toEqual(['payment_link_template_name_taken', 'name'])
  const names = await Promise.all(Array.from({ length: 50 }, () => add('Renta')))
  expect(names.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(codeOf(await templates('PATCH', `/${made.id}`, { name: 'renta' }))).toEqual([
    'payment_link_template_name_taken',
    'name',
  ])
  const namesIn = async (query: string) => (await templates('GET', query)).body.data.map(({ name }) => name)
  expect([await namesIn(''), await namesIn('?name=Cursos'), await namesIn('?limit=1')]).toEqual([
    ['Renta', 'Cursos'],
    ['Cursos'],
    ['Renta'],
  ])
  const [renta] = names.filter(({ status }) => status === 201)
  await templates('DELETE', `/${renta!.body.id}`)
  expect((await add('Renta')).status).toBe(201)

  for (const [settings, code, param] of [
    [{ password: 'jacaranda' }, 'parameter_unknown', 'settings.password'],
    [{ template_ref: made.id }, 'parameter_unknown', 'settings.template_ref'],
    [{ manual_amount: '1' }, 'parameter_invalid', 'settings.manual_amount'],
    [{ collects: { phone: 'maybe' } }, 'parameter_invalid', 'settings.collects.phone'],
  ] as const)
    expect(codeOf(await add('Otra', settings))).toEqual([code, param])
  // The merged body is judged as that of any new link: the field is named, whichever of the two has it.
  const make = (body: object) => templates('POST', `/${made.id}/payment-links`, body)
  for (const [body, code, param] of [
    [{}, 'parameter_missing', 'currency'],
    [{ currency: 'mxn' }, 'parameter_missing', 'manual_amount'],
    [{ currency: 'mxn', manual_amount: 1_000 }, 'parameter_unknown', 'uses_max'],
    [{ currency: 'mxn', manual_amount: 1, uses_max: null }, 'amount_below_minimum', 'manual_amount'],
    [{ currency: 'mxn', usage: 'often' }, 'parameter_invalid', 'usage'],
    [{ currency: 'mxn', name: 'x' }, 'parameter_unknown', 'name'],
  ] as const)
    expect(codeOf(await make(body)), JSON.stringify(body)).toEqual([code, param])
})

test('a link is mailed to a buyer in the merchant’s look, while it can be paid', async () => {
  const merchant = await newMerchant({ name: 'Barro Negro' })
  const link = await newLink(merchant, { description: 'Maceta <b>grande</b>' })
  const to = newEmail()
  const send = (id: string, body: object) =>
    call<{ object: string; error?: { code: string; param: string | null } }>(
      'POST',
      `/v1/payment-links/${id}/send`,
      {
        bearer: merchant.apiKey,
        body: body as never,
      },
    )
  const sent = await send(link.id, { email: to, locale: 'en', message: 'Thank you for your order.' })
  expect(sent).toMatchObject({
    status: 200,
    body: { object: 'payment_link_mail', payment_link_id: link.id },
  })
  await trigger('sandbox')
  const stored = await adminSql('sandbox')(
    'select key from idempotency_claims where tenant_id = $1 and strpos(reply_body, $2) > 0',
    [merchant.tenantId, to],
  )
  expect(stored, 'the address stands in no stored reply').toEqual([])
  const [mail] = await received(to)
  expect(mail).toMatchObject({ to, subject: 'Barro Negro sent you a link to pay' })
  for (const part of [
    'Merchant: Barro Negro',
    'Amount: $1,200.00 MXN',
    'Thank you for your order.',
    `https://${stack.sandbox.linkBaseUrl}/${link.public_id}?lang=en`,
  ])
    expect(mail!.text).toContain(part)
  expect(mail!.html).toContain('Maceta &lt;b&gt;grande&lt;/b&gt;')
  expect((await send(link.id, { email: 'a@b@c' })).body.error).toMatchObject({
    code: 'parameter_invalid',
    param: 'email',
  })
  for (const [move, code] of [
    ['deactivate', 'payment_link_inactive'],
    ['revoke', 'payment_link_revoked'],
    ['archive', 'payment_link_archived'],
  ] as const) {
    await call('POST', `/v1/payment-links/${link.id}/${move}`, { bearer: merchant.apiKey })
    expect((await send(link.id, { email: to })).body.error?.code, move).toBe(code)
  }
  const paid = await newLink(merchant)
  await pay(paid.public_id, await openLink(paid.public_id), 'tok_sbx_approve')
  expect((await send(paid.id, { email: to })).body.error?.code).toBe('payment_link_paid')
})
