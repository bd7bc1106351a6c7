import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { jpeg, png, svg } from '../../support/images.ts'
import {
  call,
  type Merchant,
  newApiKey,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { hasPageHeaders, open } from '../../support/pages.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

const path = '/v1/workspace/branding'
type Answer = {
  version: number
  logo: { url: string; width: number; bytes: number; content_type: string } | null
  error?: { code: string; param: string; message: string }
}

const asked = (merchant: Merchant, method: 'GET' | 'PATCH' | 'PUT' | 'DELETE', body?: object, headers = {}) =>
  call<Answer>(method, method === 'PUT' || method === 'DELETE' ? `${path}/logo` : path, {
    bearer: merchant.apiKey,
    headers,
    ...(body ? { body } : {}),
  })
const put = (merchant: Merchant, image: Buffer, headers = {}) =>
  asked(merchant, 'PUT', { content: image.toString('base64') }, headers)
const served = (url: string, init: RequestInit = {}) =>
  fetch(stack.sandbox.directUrl + new URL(url).pathname, init)
const logosOf = async ({ tenantId }: Merchant) =>
  (
    await adminSql('sandbox')<{ status: string; address: string }>(
      'select status, address from logos where tenant_id = $1 order by created_at',
      [tenantId],
    )
  ).map(({ status }) => status)

const drawn = svg('<path fill="#1d4ed8" d="M0 0h300v100H0z"/>')

test('buyers see name, colors and logo, from the form to the receipt', async () => {
  const merchant = await newMerchant({ name: 'Papelera del Sur SA de CV' })
  const link = await newLink(merchant)
  const plain = await open(`/${link.public_id}`)
  hasPageHeaders(plain)
  expect(await plain.text()).toContain('<bdi>Papelera del Sur SA de CV</bdi></h1>')

  await asked(merchant, 'PATCH', { brand_name: 'Ñandú & Co', primary_color: '#7C2D12' })
  const { body: branding, status } = await put(merchant, drawn)
  expect(status).toBe(200)
  expect(branding).toMatchObject({
    object: 'branding',
    brand_name: 'Ñandú & Co',
    primary_color: '#7c2d12',
    accent_color: null,
    logo: { content_type: 'image/svg+xml', width: 512, height: 171 },
    version: 3,
  })
  expect((await asked(merchant, 'GET')).body).toEqual(branding)
  const address = new URL(branding.logo!.url).pathname
  const shows = async (response: Response) => {
    const html = await response.text()
    expect(html).toContain(`<img class="brand" src="${address}" alt="Ñandú &amp; Co"`)
    expect(html).not.toContain('Papelera')
    expect(html).toContain('--button:#7c2d12')
    const style = /<style>(.*?)<\/style>/s.exec(html)![1]!
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)))
    expect(response.headers.get('content-security-policy')).toContain(
      `style-src 'self' 'sha256-${digest.toString('base64')}';`,
    )
  }
  await shows(await open(`/${link.public_id}`))
  const form = await openLink(link.public_id)
  const paid = await pay(link.public_id, form, 'tok_sbx_approve')
  await shows(await open(paid.location!))
  await shows(await open(`/${link.public_id}?lang=en`))

  const events = await adminSql('sandbox')<{ type: string }>(
    `select type from events where tenant_id = $1 and type like 'branding%' order by sequence`,
    [merchant.tenantId],
  )
  expect(events.map(({ type }) => type)).toEqual(['branding.updated', 'branding.updated'])
})

test.each([
  ['a PNG', png(320, 80), true],
  ['a JPEG', jpeg(320, 80), true],
  ['a JPEG that Exif turns', jpeg(320, 80, 0xc0, 'II'), false],
  ['a PNG without its pixels', png(320, 80, [['IDAT', Buffer.from('00', 'hex')]]), false],
  ['a PNG of many pixels', png(1_024, 1_024), false],
  ['an SVG', drawn, false],
])('the receipt as a PDF with %s as logo', async (_what, logo, isDrawn) => {
  const merchant = await newMerchant()
  expect((await put(merchant, logo)).status).toBe(200)
  const link = await newLink(merchant)
  const { location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  const paper = async () => (await open(`${location!.split('?')[0]}/receipt.pdf`)).text()
  expect((await paper()).includes('/Subtype /Image')).toBe(isDrawn)
})

test('the review and an expired link show it; a page that names no merchant does not', async () => {
  const merchant = await newMerchant()
  await asked(merchant, 'PATCH', { primary_color: '#7c2d12' })
  const link = await newLink(merchant, { installment_options: [{ months: 3 }] })
  const form = await openLink(link.public_id)
  const review = await open(`/${link.public_id}/review`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, card_token: 'tok_sbx_msi_3_6_9_12' }),
  })
  expect(await review.text()).toContain('--button:#7c2d12')
  await call('POST', `/v1/payment-links/${link.id}/deactivate`, { bearer: merchant.apiKey })
  expect(await (await open(`/${link.public_id}`)).text()).toContain('--button:#7c2d12')
  await call('POST', `/v1/payment-links/${link.id}/archive`, { bearer: merchant.apiKey })
  const hidden = await open(`/${link.public_id}`)
  hasPageHeaders(hidden)
  expect(await hidden.text()).not.toContain('#7c2d12')
})

test('a logo has an address for ever, that tells nothing and runs nothing', async () => {
  const merchant = await newMerchant()
  const { body } = await put(merchant, drawn)
  const { url, bytes } = body.logo!
  expect(url).toMatch(/^https:\/\/[^/]+\/logos\/[0-9a-f]{32}$/)
  const file = await served(url)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-length': String(bytes),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  })
  expect(await file.text()).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 300 100"/)
  const known = await served(url, { headers: { 'if-none-match': file.headers.get('etag')! } })
  expect(known.status).toBe(304)
  expect((await served(url.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).status).toBe(404)
  // The same image of another workspace has another address.
  const other = await put(await newMerchant(), drawn)
  expect(other.body.logo!.url).not.toBe(url)
})

test('what is no logo is refused with its own error, and nothing is kept of it', async () => {
  const merchant = await newMerchant()
  const cases: [image: Buffer, code: string][] = [
    [Buffer.alloc(0), 'logo_empty'],
    [Buffer.alloc(256 * 1024 + 1, 1), 'logo_too_large'],
    [Buffer.from('GIF89a'), 'logo_type_unsupported'],
    [png(60_000, 60_000), 'logo_dimensions_refused'],
    [png(64, 64).subarray(0, 40), 'logo_malformed'],
    [svg('<script>alert(1)</script>'), 'logo_unsafe'],
  ]
  for (const [image, code] of cases) {
    const { status, body } = await put(merchant, image)
    expect([status, body.error?.code, body.error?.param]).toEqual([422, code, 'content'])
  }
  const unread = await asked(merchant, 'PUT', { content: '?!' })
  expect(unread.body.error?.code).toBe('parameter_invalid')
  expect(await logosOf(merchant)).toEqual([])
  expect((await asked(merchant, 'DELETE')).body.error?.code).toBe('logo_not_found')
})

test('a file goes a month after its logo, and one that no branding showed after an hour', async () => {
  const merchant = await newMerchant()
  const first = (await put(merchant, drawn)).body.logo!.url
  const second = (await put(merchant, png(64, 64))).body.logo!.url
  // A Worker that died after the first step, or after the second.
  await adminSql('sandbox')(
    `insert into logos (tenant_id, id, address, status, remove_at, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, 'uploading', now() - interval '1 second', now(), now())`,
    [merchant.tenantId, randomUUID().replaceAll('-', '')],
  )
  await trigger('sandbox')
  expect((await logosOf(merchant)).sort()).toEqual(['removed', 'retired', 'stored'])
  expect((await served(first)).status).toBe(200)
  const clock = { bearer: merchant.apiKey, body: { advance: 'P31D' } }
  await call('POST', '/v1/sandbox/clock', clock)
  await trigger('sandbox')
  expect((await logosOf(merchant)).sort()).toEqual(['removed', 'removed', 'stored'])
  expect([(await served(first)).status, (await served(second)).status]).toEqual([404, 200])
  const removed = await asked(merchant, 'DELETE')
  expect(removed.body.logo).toBeNull()
  expect((await logosOf(merchant)).sort()).toEqual(['removed', 'removed', 'retired'])
})

test('If-Match names the workspace’s version; a retry under its key is replayed', async () => {
  const merchant = await newMerchant()
  await asked(merchant, 'PATCH', { primary_color: '#7c2d12' })
  const stale = await put(merchant, drawn, { 'if-match': '"1"' })
  expect([stale.status, stale.body.error?.code]).toEqual([412, 'version_changed'])
  const headers = { 'if-match': '"2"', 'idempotency-key': 'the-logo-of-this-test' }
  const done = await put(merchant, drawn, headers)
  expect(done.body.version).toBe(3)
  const again = await put(merchant, drawn, headers)
  expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', done.text])
  expect((await logosOf(merchant)).sort()).toEqual(['stored', 'uploading'])
})

test('ten at once: one logo is shown, and no other is left to stay', async () => {
  const merchant = await newMerchant()
  const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => put(merchant, png(64 + at, 64))))
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  const { body } = await asked(merchant, 'GET')
  expect((await served(body.logo!.url)).status).toBe(200)
  expect((await logosOf(merchant)).filter((status) => status === 'stored')).toHaveLength(1)
})

test('a key that may only read changes nothing; each environment has its own', async () => {
  const merchant = await newMerchant()
  const reader = { ...merchant, apiKey: (await newApiKey(merchant, { scopes: ['workspace:read'] })).apiKey }
  expect((await asked(reader, 'GET')).status).toBe(200)
  expect((await put(reader, drawn)).body.error?.code).toBe('insufficient_scope')
  const { url } = (await put(merchant, drawn)).body.logo!
  expect((await fetch(stack.live.directUrl + new URL(url).pathname)).status).toBe(404)
})
