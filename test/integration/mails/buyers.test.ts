import { expect, test } from 'vitest'
import { mailsTo } from '../../../local/mailbox.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { cup, newSession, payByCard, sessionNow } from '../../support/checkout.ts'
import { newEmail } from '../../support/customer.ts'
import { png } from '../../support/images.ts'
import { received } from '../../support/mails.ts'
import { invite, newPerson, workspaceOf } from '../../support/members.ts'
import { call, type Link, newLink, newMerchant } from '../../support/merchant.ts'
import { sendForm } from '../../support/pages.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

const byCard = (link: Link, email: string) =>
  sendForm(link, { card_token: 'tok_sbx_approve', receipt_email: email })
const contactsOf = (tenantId: string) =>
  adminSql('sandbox')<{ email: string; locale: string; page: string }>(
    'select email, locale, page from payment_contacts where tenant_id = $1',
    [tenantId],
  )
const mailsOf = async (tenantId: string) =>
  (
    await adminSql('sandbox')<{ kind: string }>(
      'select kind from outgoing_mails where tenant_id = $1 order by created_at, kind',
      [tenantId],
    )
  ).map(({ kind }) => kind)

test('a buyer who asked for it gets the receipt, and the mail of a refund, as the merchant’s', async () => {
  const merchant = await newMerchant({ name: 'Ñandú SA de CV' })
  const brand = { brand_name: 'Café\u2028Azul', primary_color: '#7c2d12' }
  const { apiKey: bearer, tenantId } = merchant
  await call('PATCH', '/v1/workspace/branding', { bearer, body: brand })
  const content = png(64, 64).toString('base64')
  await call('PUT', '/v1/workspace/branding/logo', { bearer, body: { content } })
  const link = await newLink(merchant, { description: 'Silla <b>de</b> jardín' })
  const to = newEmail()
  const paid = await byCard(link, `  ${to.toUpperCase()} `)
  const page = new URL(paid.headers.get('location')!, 'http://a')
  expect(await contactsOf(tenantId)).toEqual([{ email: to, locale: 'en', page: page.pathname }])
  await trigger('sandbox')
  const [mail] = await received(to)
  const from = 'Café Azul via Spindle <no-reply@spindle.example>'
  expect(mail).toMatchObject({ to, from, subject: 'Receipt of your payment to Café Azul' })
  for (const part of [
    'Received: $1,200.00 MXN',
    'Price: $1,200.00 MXN',
    'Merchant: Café Azul',
    'Card: Visa ending in 4242',
  ])
    expect(mail!.text).toContain(part)
  expect(mail!.text).not.toContain('Surcharge')
  expect(mail!.text).toMatch(/^Test mode: /)
  expect(mail!.text).toMatch(
    new RegExp(`https://${stack.sandbox.linkBaseUrl}${page.pathname}\\?key=[0-9a-f]{64}&lang=en`),
  )
  expect(mail!.html).toMatch(
    /<img src="https:\/\/[^/]+\/logos\/[0-9a-f]{32}" alt="Café Azul" width="44" height="44"/,
  )
  expect(mail!.html).toContain('background:#7c2d12;color:#ffffff')
  expect(mail!.html).toContain('Silla &lt;b&gt;de&lt;/b&gt; jardín')

  const [{ id } = { id: '' }] = await adminSql('sandbox')<{ id: string }>(
    'select id from payments where tenant_id = $1',
    [tenantId],
  )
  await call('POST', '/v1/refunds', {
    bearer,
    body: { payment_id: id, amount: '50000', reason: 'requested_by_customer' },
  })
  await expect
    .poll(
      async () => {
        await trigger('sandbox')
        return (await mailsTo(stack.mailboxUrl, to)).length
      },
      { timeout: 60_000 },
    )
    .toBe(2)
  expect((await mailsTo(stack.mailboxUrl, to)).map(({ subject }) => subject)).toContain(
    'Café Azul made you a refund',
  )
})

test('a receipt of an order has its lines and IVA; the merchant sends it again, to the buyer or to another address', async () => {
  const merchant = await newMerchant()
  const { apiKey: bearer, tenantId } = merchant
  const session = await newSession(merchant, { line_items: [{ ...cup, iva_rate: '16' }] })
  const to = newEmail()
  expect((await byCard(session as unknown as Link, to)).status).toBe(303)
  await trigger('sandbox')
  const [mail] = await received(to)
  expect(mail!.text).toContain('2 × Taza azul: $1,160.00 MXN')
  expect(mail!.text.replaceAll('\u00a0', ' ')).toMatch(
    /Includes IVA 16 %: \$160\.00 MXN \(on \$1,000\.00 MXN\)/,
  )

  const { payment_id: id } = await sessionNow(merchant, session)
  const payment = await call<{ receipt_url: string; public_id: string }>(
    'GET',
    `/v1/payment-operations/payments/${id}`,
    { bearer },
  )
  const url = `https://${stack.sandbox.linkBaseUrl}/${session.public_id}/${payment.body.public_id}`
  expect(payment.body.receipt_url).toBe(url)
  const shown = await fetch(url.replace(`https://${stack.sandbox.linkBaseUrl}`, stack.sandbox.directUrl))
  expect([shown.status, (await shown.text()).includes('Taza azul')]).toEqual([200, true])

  const send = (body: Record<string, string>, of = id) =>
    call<{ id: string; error?: { code: string; param: string | null } }>(
      'POST',
      `/v1/payments/${of}/send-receipt`,
      { bearer, body },
    )
  const other = newEmail()
  const again = await send({})
  expect([again.status, (await send({ email: other, locale: 'es-MX' })).status]).toEqual([200, 200])
  await trigger('sandbox')
  const [copy] = await received(to, 2)
  expect(copy!.text).toContain('the merchant sent it again')
  expect(copy!.text).toContain('2 × Taza azul: $1,160.00 MXN')
  const [elsewhere] = await received(other)
  expect(elsewhere!.text).toContain('2 × Taza azul')
  expect(elsewhere!.text).toMatch(new RegExp(`${url}\\?key=[0-9a-f]{64}`))
  // The provider has a mail before the run has recorded that.
  const kept = () =>
    adminSql('sandbox')(
      `select cause, status, recipient from outgoing_mails where tenant_id = $1 and kind = 'payment_receipt_copy'`,
      [tenantId],
    )
  await expect.poll(kept).toEqual(Array(2).fill({ cause: 'sent', status: 'sent', recipient: null }))

  // Ten an hour to one mailbox, whatever the alias: what is more is held back.
  for (let at = 0; at < 10; at++) await send({ email: other.replace('@', `+${at}@`) })
  expect(
    await adminSql('sandbox')(
      `select count(*)::int as held from outgoing_mails where tenant_id = $1 and dropped_for = 'recipient_limit'`,
      [tenantId],
    ),
  ).toEqual([{ held: 1 }])

  const silent = await newSession(merchant)
  await payByCard(silent)
  const { payment_id: quiet } = await sessionNow(merchant, silent)
  expect((await send({}, quiet)).body.error).toMatchObject({
    code: 'payment_contact_missing',
    param: 'email',
  })
  const waiting = await newLink(merchant, { payment_method_types: ['oxxo'] })
  await sendForm(waiting, { method: 'oxxo', name: 'Ana López', email: newEmail(), receipt: 'yes' })
  const [unpaid] = await adminSql('sandbox')<{ id: string }>(
    `select id from payments where tenant_id = $1 and status = 'requires_action'`,
    [tenantId],
  )
  expect((await send({ email: other }, unpaid!.id)).body.error).toMatchObject({ code: 'payment_not_paid' })
  const stranger = await newMerchant()
  expect(
    (await call('POST', `/v1/payments/${id}/send-receipt`, { bearer: stranger.apiKey, body: {} })).body,
  ).toMatchObject({ error: { code: 'payment_not_found' } })
})

test('the voucher’s instructions come with the voucher, a reminder the day before, and none once it is paid', async () => {
  const merchant = await newMerchant()
  const [reminded, paying] = [newEmail(), newEmail()]
  for (const to of [reminded, paying]) {
    const link = await newLink(merchant, { payment_method_types: ['oxxo'] })
    const fields = { method: 'oxxo', name: 'Ana López', email: to }
    expect((await sendForm(link, fields)).status).toBe(303)
  }
  await trigger('sandbox')
  const [mail] = await received(reminded)
  expect(mail!.subject).toMatch(/^Your voucher to pay .+ at a store$/)
  const reference = /Reference: ([\d ]+)/.exec(mail!.text)![1]!
  expect(reference).toMatch(/^\d{4} /)
  const [other] = await received(paying)
  await call(
    'POST',
    `/v1/sandbox/oxxo/${/Reference: ([\d ]+)/.exec(other!.text)![1]!.replaceAll(' ', '')}/pay`,
    {
      bearer: merchant.apiKey,
      body: {},
    },
  )
  const due = `update payment_contacts set remind_at = now() - interval '1 second' where tenant_id = $1 and remind_at is not null`
  await adminSql('sandbox')(due, [merchant.tenantId])
  await trigger('sandbox')
  const [newest] = await received(reminded, 2)
  expect(newest!.subject).toMatch(/^Your payment to .+ expires soon$/)
  expect(newest!.text).toContain(reference)
  await trigger('sandbox')
  expect(await mailsOf(merchant.tenantId)).toEqual([
    'payment_instructions',
    'payment_instructions',
    'payment_receipt',
    'payment_reminder',
  ])
})

test('a run that comes after the voucher has expired reminds nobody', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['oxxo'] })
  await sendForm(link, { method: 'oxxo', name: 'Ana López', email: newEmail() })
  await trigger('sandbox')
  const remind = `update payment_contacts set remind_at = now() - interval '25 hours' where tenant_id = $1 returning remind_at`
  expect(await adminSql('sandbox')(remind, [merchant.tenantId])).toHaveLength(1)
  await trigger('sandbox')
  expect(
    await adminSql('sandbox')('select remind_at from payment_contacts where tenant_id = $1', [
      merchant.tenantId,
    ]),
  ).toEqual([{ remind_at: null }])
  expect(await mailsOf(merchant.tenantId)).toEqual(['payment_instructions'])
})

test('a buyer who tried more than once is reminded once, at the address that they gave last', async () => {
  const merchant = await newMerchant()
  const [first, last] = [newEmail(), newEmail()]
  const link = await newLink(merchant, { payment_method_types: ['card', 'oxxo'] })
  const declined = await sendForm(link, { card_token: 'tok_sbx_decline_funds', email: first })
  const query = `?retry=${new URL(declined.headers.get('location')!, 'http://a').pathname.split('/').at(-1)}`
  const fields = { method: 'oxxo', name: 'Ana López', email: last }
  expect((await sendForm(link, fields, { query })).status).toBe(303)
  expect((await contactsOf(merchant.tenantId)).map(({ email }) => email).toSorted()).toEqual(
    [first, last].toSorted(),
  )
  const due = `update payment_contacts set remind_at = now() - interval '1 second' where tenant_id = $1 and remind_at is not null`
  await adminSql('sandbox')(due, [merchant.tenantId])
  for (const _ of [1, 2]) await trigger('sandbox')
  const [reminder] = await received(last, 2)
  expect(reminder!.subject).toMatch(/expires soon$/)
  expect(await mailsOf(merchant.tenantId)).toEqual(['payment_instructions', 'payment_reminder'])
})

test('a card without an address mails nothing; a CLABE is mailed without asking', async () => {
  const merchant = await newMerchant()
  const to = newEmail()
  await byCard(await newLink(merchant), '')
  await trigger('sandbox')
  expect([await contactsOf(merchant.tenantId), await mailsOf(merchant.tenantId)]).toEqual([[], []])
  const link = await newLink(merchant, { payment_method_types: ['spei'] })
  await sendForm(link, { method: 'spei', name: 'Ana López', email: to })
  await trigger('sandbox')
  const [mail] = await received(to)
  expect(mail!.text).toMatch(/CLABE/)
  expect(await mailsOf(merchant.tenantId)).toEqual(['payment_instructions'])
})

test('a form with a card and OXXO mails to its one address, however it is paid', async () => {
  const merchant = await newMerchant()
  const to = newEmail()
  const link = await newLink(merchant, { payment_method_types: ['card', 'oxxo'] })
  expect((await sendForm(link, { card_token: 'tok_sbx_approve', email: to })).status).toBe(303)
  await trigger('sandbox')
  await received(to)
  expect(await mailsOf(merchant.tenantId)).toEqual(['payment_receipt'])
})

test.each([
  'ana',
  'ana@example',
  'ana@example.com, eve@example.com',
  'ana@example.com\r\nBcc: eve@example.com',
  'Ana <ana@example.com>',
  '4242424242424242@example.com',
  `${'a'.repeat(250)}@example.com`,
])('an address that is none is refused at its field, and nothing is charged: %j', async (email) => {
  const merchant = await newMerchant()
  const reply = await byCard(await newLink(merchant), email)
  const html = await reply.text()
  expect(reply.status).toBe(422)
  expect(html).toContain('aria-describedby="receipt_email-error"')
  expect(html).toContain('<a href="#receipt_email">')
  expect(await contactsOf(merchant.tenantId)).toEqual([])
})

const lines = 'Ana\r\nBcc: eve@example.com'
const address = `ana@example.com\r\nBcc: eve@example.com`
const profile = { rfc: 'EKU9003173C9', tax_regime: '601', postal_code: '42501' }
const account = { name: 'Ana', email: 'ana@example.com', password: 'correct horse battery' }
test.each<[field: string, method: 'POST' | 'PATCH', path: string, body: Record<string, Json>]>([
  [
    'the description of a link',
    'POST',
    '/v1/payment-links',
    { manual_amount: 1_000, currency: 'mxn', description: lines },
  ],
  ['the name of a brand', 'PATCH', '/v1/workspace/branding', { brand_name: lines }],
  ['a legal name', 'PATCH', '/v1/workspace', { fiscal_profile: { ...profile, legal_name: lines } }],
  ['an address for support', 'PATCH', '/v1/workspace', { support_email: address }],
  ['the name of an account', 'POST', '/v1/auth/sign-up/email', { ...account, name: lines }],
  ['the address of an account', 'POST', '/v1/auth/sign-up/email', { ...account, email: address }],
  ['the address of a customer', 'POST', '/v1/customer-hub/customers', { email: address }],
])('a line break in %s is refused', async (_field, method, path, body) => {
  const { apiKey: bearer } = await newMerchant()
  const refused = await call<{ error?: { code: string } }>(method, path, { bearer, body })
  expect([refused.status, refused.body.error?.code]).toEqual([422, 'parameter_invalid'])
})

test('a line break in the address of an invitation is refused', async () => {
  const owner = await newPerson()
  expect((await invite(owner, await workspaceOf([owner], ['owner']), address)).status).toBe(422)
})
