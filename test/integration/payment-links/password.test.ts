import { expect, test } from 'vitest'
import { hashPassword, isPassword } from '../../../src/platform/passwords.ts'
import { onSale } from '../../support/checkout.ts'
import { linkOfLines } from '../../support/link-lines.ts'
import { call, type Link, newLink, newMerchant } from '../../support/merchant.ts'
import { open, pageOf } from '../../support/pages.ts'
import { adminSql } from '../../support/stack.ts'
import { adjust } from '../../support/stock.ts'

type Shown = Link & { has_password: boolean }

const unlock = (publicId: string, password: string, query = '') =>
  open(`/${publicId}/unlock`, {
    method: 'POST',
    body: new URLSearchParams({ locale: 'en', query, password }),
  })

const cookieOf = (reply: Response) => reply.headers.getSetCookie()[0]!.split(';', 1)[0]!

test('a hash is of one password alone, and is another one each time', async () => {
  const [one, other] = await Promise.all([hashPassword('baño 12'), hashPassword('baño 12')])
  expect(one).not.toBe(other)
  // However the letters are composed.
  expect(await isPassword('ban\u0303o 12', one)).toBe(true)
  expect(await isPassword('baño 13', one)).toBe(false)
})

test('a link with a password shows nothing of what is paid until it is typed', async () => {
  const merchant = await newMerchant()
  const bearer = merchant.apiKey
  const secret = 'jacaranda 7'
  const link = (await newLink(merchant, { description: 'Regalo sorpresa', password: secret })) as Shown
  expect(link.has_password).toBe(true)
  const at = link.public_id
  const locked = await pageOf(`/${at}?lang=en`)
  expect([locked.status, locked.title]).toEqual([200, expect.stringContaining('Type the password')])
  for (const hidden of ['Regalo', '1,200', 'quote']) expect(locked.html).not.toContain(hidden)

  const wrong = await unlock(at, 'jacaranda 8')
  expect([wrong.status, await wrong.text()]).toEqual([
    422,
    expect.stringContaining('That is not the password'),
  ])
  expect(wrong.headers.getSetCookie()).toEqual([])
  const right = await unlock(at, secret, '?client_reference_id=mesa-4&evil=//x')
  expect(right.status).toBe(303)
  expect(right.headers.get('location')).toBe(`/${at}?client_reference_id=mesa-4&evil=%2F%2Fx&lang=en`)
  const cookie = cookieOf(right)
  const opened = await pageOf(`/${at}?lang=en`, { headers: { cookie } })
  expect(opened.html).toContain('Regalo sorpresa')

  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(opened.html)![1]!
  const form = { quote: field('quote'), attempt_key: field('attempt_key'), card_token: 'tok_sbx_approve' }
  const paid = await open(`/${at}/attempts`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, locale: 'en' }),
  })
  expect(paid.status).toBe(303)

  const rows = await adminSql('sandbox')(
    `select to_jsonb(e)::text as row from events e where tenant_id = $1
     union all select to_jsonb(c)::text from idempotency_claims c where tenant_id = $1
     union all select to_jsonb(l)::text from payment_links l where tenant_id = $1`,
    [merchant.tenantId],
  )
  expect(JSON.stringify(rows)).not.toContain(secret)
  const read = await call('GET', `/v1/payment-links/${link.id}`, { bearer })
  expect(read.text).not.toContain('pbkdf2')
})

test('another password closes what the former one opened; without one the link is open; a duplicate has it too', async () => {
  const merchant = await newMerchant()
  const bearer = merchant.apiKey
  const link = await newLink(merchant, { password: 'first one' })
  const cookie = cookieOf(await unlock(link.public_id, 'first one'))
  const titleOf = async (publicId: string, headers = {}) =>
    (await pageOf(`/${publicId}?lang=en`, { headers })).title
  const change = (password: string | null) =>
    call('PATCH', `/v1/payment-links/${link.id}`, { bearer, body: { password } })
  expect(await titleOf(link.public_id, { cookie })).not.toContain('password')
  const copy = await call<Shown>('POST', `/v1/payment-links/${link.id}/duplicate`, { bearer })
  expect(copy.body.has_password).toBe(true)
  // The cookie of one link opens no other.
  expect(await titleOf(copy.body.public_id, { cookie })).toContain('password')
  expect((await unlock(copy.body.public_id, 'first one')).status).toBe(303)
  expect((await change('second one')).body).toMatchObject({ has_password: true })
  expect(await titleOf(link.public_id, { cookie })).toContain('password')
  expect((await change(null)).body).toMatchObject({ has_password: false })
  expect(await titleOf(link.public_id)).not.toContain('password')
  expect((await unlock(link.public_id, 'anything')).status).toBe(303)
})

test('a link of which too few are left names nothing until its password is typed', async () => {
  const merchant = await newMerchant()
  const [item_id] = (await onSale(merchant, 3)) as [string]
  const secret = { usage: 'multi_use', password: 'jacaranda 7' }
  const sold = await linkOfLines(merchant, [{ item_id, quantity: 2 }], secret)
  const { body: chosen } = await call<Link>('POST', '/v1/payment-links', {
    bearer: merchant.apiKey,
    body: {
      amount_source: 'catalog_line_item',
      currency: 'mxn',
      catalog_line_item: { item_id },
      adjustable_quantity: { min: 1, max: 9 },
      ...secret,
    } as never,
  })
  await adjust(merchant, item_id, -2)
  const closed = await pageOf(`/${sold.public_id}?lang=en`)
  expect([closed.status, closed.title]).toEqual([409, expect.stringContaining('Sold out')])
  expect(closed.html).not.toContain('Plato a')
  const cookie = cookieOf(await unlock(chosen.public_id, 'jacaranda 7'))
  const opened = await pageOf(`/${chosen.public_id}?quantity=2&lang=en`, { headers: { cookie } })
  expect([opened.status, opened.html]).toEqual([409, expect.stringContaining('Plato a')])
})
