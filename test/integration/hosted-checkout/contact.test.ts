import { expect, test } from 'vitest'
import { newSession, type Session, sessionNow } from '../../support/checkout.ts'
import { newCustomer } from '../../support/customers.ts'
import { newDiscount } from '../../support/discounts.ts'
import { call, type Link, type Merchant, newLink, newMerchant } from '../../support/merchant.ts'
import { pageOf, sendForm } from '../../support/pages.ts'
import { adminSql } from '../../support/stack.ts'

const card = { card_token: 'tok_sbx_approve' }
const collects = { name: 'required', email: 'required' }
const gives = { 'detail.name': 'Ana Ruiz', receipt_email: 'Ana.Ruiz@Example.com' }
const given = { name: 'Ana Ruiz', email: 'ana.ruiz@example.com' }
const push = { payment_method_types: ['card', 'oxxo', 'spei'] }

const listed = async ({ apiKey: bearer }: Merchant, path: string, email: string) => {
  const { body } = await call<{ data: { id: string }[] }>(
    'GET',
    `${path}?email=${encodeURIComponent(email)}`,
    {
      bearer,
    },
  )
  return body.data.map(({ id }) => id)
}
const paths = { payments: '/v1/payment-operations/payments', sessions: '/v1/hosted-checkout/sessions' }

test('a merchant learns who paid by card: in the session, by the filters of payments and sessions, in no event', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const session = await newSession(merchant, { amount: '10000', collects })
  const unasked = await newSession(merchant, { amount: '10000' })
  const foreign = await newSession(other, { amount: '10000', collects })
  for (const sale of [session, foreign])
    expect((await sendForm(sale as unknown as Link, { ...card, ...gives })).status).toBe(303)
  await sendForm(unasked as unknown as Link, { ...card, ...gives })
  const paid = (await sessionNow(merchant, session)) as Session & { collected: unknown }
  expect(paid).toMatchObject({ status: 'complete', collected: given })
  for (const email of [given.email, 'ANA.RUIZ@example.COM']) {
    expect(await listed(merchant, paths.sessions, email)).toEqual([session.id])
    expect(await listed(merchant, paths.payments, email)).toEqual([paid.payment_id])
  }
  expect(await listed(merchant, paths.payments, 'ruiz@example.com')).toEqual([])
  const refused = await call<Session>('GET', `${paths.payments}?email=ana`, { bearer: merchant.apiKey })
  expect([refused.status, refused.body.error?.param]).toEqual([422, 'email'])
  expect(
    await adminSql('sandbox')(
      `select id from events where tenant_id = $1 and (object || previous_attributes)::text ~* 'ana.ruiz|Ana Ruiz'`,
      [merchant.tenantId],
    ),
  ).toEqual([])
})

test('of several attempts the filters find the address of the last one', async () => {
  const merchant = await newMerchant()
  const session = (await newSession(merchant, { amount: '10000', collects })) as unknown as Link
  const first = await sendForm(session, { ...gives, card_token: 'tok_sbx_decline_generic' })
  const [reference] = (first.headers.get('location') ?? '').match(/spcs_[a-z0-9]{32}/g)!.slice(-1)
  await sendForm(
    session,
    { ...card, ...gives, receipt_email: 'eva@example.com' },
    { query: `?retry=${reference}` },
  )
  const { payment_id } = await sessionNow(merchant, session as unknown as Session)
  for (const path of Object.values(paths)) expect(await listed(merchant, path, given.email)).toEqual([])
  expect(await listed(merchant, paths.sessions, 'eva@example.com')).toEqual([session.id])
  expect(await listed(merchant, paths.payments, 'eva@example.com')).toEqual([payment_id])
})

test.each(['oxxo', 'spei'])(
  '%s asks for name and address anyway: shared where the sale asks, else not',
  async (method) => {
    const merchant = await newMerchant()
    const who = { method, name: 'Ana Ruiz', email: 'Ana.Ruiz@example.com' }
    for (const [asked, expected] of [
      [collects, given],
      [{ phone: 'optional' }, { name: null, email: null }],
    ] as const) {
      const session = await newSession(merchant, { amount: '10000', ...push, collects: asked })
      const sent = await sendForm(session as unknown as Link, who, { query: `?method=${method}` })
      expect(sent.status).toBe(303)
      expect(await sessionNow(merchant, session)).toMatchObject({ collected: expected })
    }
  },
)

test('an order that costs nothing, and a link, ask the same', async () => {
  const merchant = await newMerchant()
  await newDiscount(merchant, { percent_off_bps: 10_000 })
  const free = await newSession(merchant, { amount: '10000', discounts: [{ code: 'BUENFIN' }], collects })
  await sendForm(free as unknown as Link, gives, { step: 'complete' })
  expect(await sessionNow(merchant, free)).toMatchObject({ status: 'complete', collected: given })
  expect(await listed(merchant, paths.sessions, given.email)).toEqual([free.id])
  const link = await newLink(merchant, { collects })
  await sendForm(link, { ...card, ...gives })
  const { body } = await call<Link>('GET', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey })
  expect(body).toMatchObject({ status: 'paid', collected: given })
})

test('beside the field stands who receives the address and what for; without one that is asked for nothing is charged', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, { amount: '10000', ...push, collects })
  const unasked = await newSession(merchant, { amount: '10000', ...push })
  const says = {
    es: /Lo recibe [^<]+ para atender tu compra y escribirte sobre ella\./,
    en: /receives it to handle your purchase and to write to you about it\./,
  }
  for (const [lang, text] of Object.entries(says)) {
    expect((await pageOf(`/${session.public_id}?lang=${lang}`)).html).toMatch(text)
    expect((await pageOf(`/${unasked.public_id}?lang=${lang}`)).html).not.toMatch(text)
  }
  const sale = session as unknown as Link
  for (const [fields, wrong] of [
    [{ ...card, 'detail.name': 'Ana Ruiz' }, 'buyer-email-error'],
    [{ ...card, ...gives, receipt_email: 'ana' }, 'buyer-email-error'],
    [{ ...card, ...gives, 'detail.name': '' }, 'name-error'],
  ] as const) {
    const sent = await sendForm(sale, fields)
    expect([wrong, sent.status, (await sent.text()).includes(wrong)]).toEqual([wrong, 422, true])
  }
  expect(await sessionNow(merchant, session)).toMatchObject({ payment_status: 'unpaid', collected: null })
})

test('what the merchant knows of a buyer is filled in, and the buyer can change it; it is in no event and no replay', async () => {
  const merchant = await newMerchant()
  const known = { customer_email: 'Ana@Example.com', customer_name: 'Ana Ruiz' }
  const shown = { customer_email: 'ana@example.com', customer_name: 'Ana Ruiz' }
  const { id: customer_id } = await newCustomer(merchant, { name: 'Eva', email: 'eva@example.com' })
  const sales = [
    ['/v1/hosted-checkout/sessions', { amount: '10000', collects, ...known, customer_id }],
    ['/v1/payment-links', { manual_amount: 10_000, currency: 'mxn', collects, ...known }],
  ] as const
  for (const [path, body] of sales) {
    const sent = { bearer: merchant.apiKey, body, headers: { 'idempotency-key': `known ${path}` } }
    const made = await call<Link>('POST', path, sent)
    expect(made.body).toMatchObject(shown)
    const nothing = { customer_email: null, customer_name: null }
    expect((await call('POST', path, sent)).body).toMatchObject({ id: made.body.id, ...nothing })
    const now = () => call<Link>('GET', `${path}/${made.body.id}`, { bearer: merchant.apiKey })
    expect((await now()).body).toMatchObject(shown)
    const { html } = await pageOf(`/${made.body.public_id}`)
    expect(html).toContain('value="ana@example.com"')
    expect(html).toContain('value="Ana Ruiz"')
    const change = (fields: object) =>
      call<Session>('PATCH', `${path}/${made.body.id}`, { bearer: merchant.apiKey, body: fields as never })
    expect((await change({ customer_email: null, customer_name: 'Eva' })).body.error?.param).toBe(
      'customer_name',
    )
    expect((await change({ customer_email: null })).body).toMatchObject(nothing)
    expect((await change(known)).body).toMatchObject(shown)
    await sendForm(made.body, { ...card, ...gives })
    expect((await now()).body).toMatchObject({ ...shown, collected: given })
  }
  const told = await adminSql('sandbox')(
    `select id from events where tenant_id = $1 and resource_type <> 'customer'
       and (object || previous_attributes)::text ~* 'ana@example|Ana Ruiz|customer_email'`,
    [merchant.tenantId],
  )
  expect(told).toEqual([])
})

test('refused: a name alone, an address on a link that many pay, what is no address', async () => {
  const merchant = await newMerchant()
  const refused = async (path: string, body: object) => {
    const reply = await call<Session>('POST', path, { bearer: merchant.apiKey, body: body as never })
    return [reply.status, reply.body.error?.param]
  }
  const link = { manual_amount: 10_000, currency: 'mxn' }
  const sessions = '/v1/hosted-checkout/sessions'
  expect(await refused(sessions, { amount: '10000', customer_name: 'Ana' })).toEqual([422, 'customer_name'])
  expect(await refused(sessions, { amount: '10000', customer_email: 'ana' })).toEqual([422, 'customer_email'])
  expect(
    await refused('/v1/payment-links', { ...link, usage: 'multi_use', customer_email: 'ana@example.com' }),
  ).toEqual([422, 'customer_email'])
})
