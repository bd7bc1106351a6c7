import { expect, test } from 'vitest'
import { chargesOf } from '../../support/books.ts'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { open, pageOf, sendForm } from '../../support/pages.ts'

type Refused = { error: { code: string; param: string | null } }

test('after the payment the buyer reads the merchant’s message and may go on to its site', async () => {
  const merchant = await newMerchant()
  const bearer = merchant.apiKey
  const fields = {
    manual_amount: 120_000,
    currency: 'mxn',
    success_url: 'https://tienda.example/gracias?pago={payment}',
    success_message: 'Te esperamos el <sábado> a las 10.',
  }
  const early = await call<Refused>('POST', '/v1/payment-links', { bearer, body: fields })
  expect([early.status, early.body.error]).toEqual([
    422,
    expect.objectContaining({ code: 'return_origin_not_allowed', param: 'success_url' }),
  ])
  await call('PUT', '/v1/hosted-checkout/settings', {
    bearer,
    body: { return_origins: ['https://tienda.example'] },
  })
  const link = await newLink(merchant, fields)
  const { location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  const reference = /spcs_[a-z0-9]{32}/.exec(location!)![0]
  const { html } = await pageOf(location!)
  expect(html).toContain('Te esperamos el &lt;sábado&gt; a las 10.')
  expect(html).toContain(`href="https://tienda.example/gracias?pago=${reference}"`)
  const found = await call<{ public_id: string; payment_link_id: string }>(
    'GET',
    `/v1/payment-operations/payments/${reference}`,
    { bearer },
  )
  expect(found.body).toMatchObject({ public_id: reference, payment_link_id: link.id })
  const foreign = { bearer: (await newMerchant()).apiKey }
  expect((await call('GET', `/v1/payment-operations/payments/${reference}`, foreign)).status).toBe(404)
  const declined = await newLink(merchant, fields)
  const other = await pay(declined.public_id, await openLink(declined.public_id), 'tok_sbx_decline_funds')
  expect(await (await open(other.location!)).text()).not.toContain('Te esperamos')
  const moved = await call<Refused>('PATCH', `/v1/payment-links/${declined.id}`, {
    bearer,
    body: { success_url: 'https://tienda.example.evil.example/' },
  })
  expect([moved.status, moved.body.error.code]).toEqual([422, 'return_origin_not_allowed'])
})

test('only buyers with an address of a named domain pay: the field says which', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, {
    payer_email_domains: ['Empresa.mx', 'filial.example'],
    payment_method_types: ['card', 'oxxo'],
    usage: 'multi_use',
  })
  const says = 'Only e-mail addresses of empresa.mx or filial.example can pay.'
  expect((await pageOf(`/${link.public_id}?lang=en`)).html).toContain(says)
  const card = { card_token: 'tok_sbx_approve' }
  for (const receipt_email of ['', 'ana@gmail.com', 'ana@empresa.mx.example', 'ana@sub.empresa.mx']) {
    const refused = await sendForm(link, { ...card, receipt_email })
    const html = await refused.text()
    expect(
      [refused.status, /id="(?:receipt_|buyer-)email-error">Only e-mail/.test(html)],
      receipt_email,
    ).toEqual([422, true])
  }
  const till = { method: 'oxxo', name: 'Ana Prueba', email: 'ana@gmail.com' }
  expect((await sendForm(link, till, { query: '?method=oxxo' })).status).toBe(422)
  expect(await chargesOf(link.public_id)).toEqual([])
  expect((await sendForm(link, { ...card, receipt_email: 'Ana@EMPRESA.mx' })).status).toBe(303)
  expect(
    (await sendForm(link, { ...till, email: 'ana@filial.example' }, { query: '?method=oxxo' })).status,
  ).toBe(303)
})

test.each([[['empresa']], [['a@empresa.mx']], [['empresa.mx', 'EMPRESA.mx']], [[]]])(
  'domains that are none are refused: %j',
  async (payer_email_domains) => {
    const merchant = await newMerchant()
    const body = { manual_amount: 120_000, currency: 'mxn', payer_email_domains }
    const { status, body: said } = await call<Refused>('POST', '/v1/payment-links', {
      bearer: merchant.apiKey,
      body,
    })
    expect(status).toBe(422)
    expect(said.error.param).toMatch(/^payer_email_domains/)
  },
)
