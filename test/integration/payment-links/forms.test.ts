import { describe, expect, test } from 'vitest'
import { paymentsOf } from '../../support/books.ts'
import { Browser } from '../../support/challenge.ts'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { bankOf, hasPageHeaders, open, pageOf, rowsOf } from '../../support/pages.ts'
import { stack } from '../../support/stack.ts'

/** Every address that takes a form, with a payment at its bank behind it. */
async function formsOf() {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const form = await openLink(link.public_id)
  const { location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_3ds_challenge')
  const fields = { ...form, card_token: 'tok_sbx_approve', outcome: 'approve', attempt: '1', locale: 'en' }
  const paths = [
    `/${link.public_id}/review`,
    `/${link.public_id}/attempts`,
    location!.replace('?', '/cancel?'),
    (await bankOf(location!)).replace(/\?.*/, ''),
  ]
  return { merchant, fields, paths }
}

let kept: ReturnType<typeof formsOf> | undefined
/** The same for all that is refused, or has no effect. */
const untouched = () => {
  kept ??= formsOf()
  return kept
}

describe('what cannot be read as a form is answered by a page, and changes nothing', () => {
  const urlencoded = 'application/x-www-form-urlencoded'
  const multipart = 'multipart/form-data; boundary=b'
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const wholePart = part('outcome', 'approve')
  const unreadable: [string, string | null, string | Uint8Array<ArrayBuffer>, number][] = [
    ['an unknown charset', `${urlencoded}; charset=klingon`, 'outcome=approve', 400],
    ['no boundary', 'multipart/form-data', `${wholePart}--b--\r\n`, 400],
    ['an empty boundary', 'multipart/form-data; boundary=', `${wholePart}--b--\r\n`, 400],
    ['another boundary', 'multipart/form-data; boundary=c', `${wholePart}--b--\r\n`, 400],
    ['parts that do not end', multipart, wholePart, 400],
    ['a part cut in its head', multipart, '--b\r\nContent-Disp', 400],
    ['a part without a name', multipart, '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n', 400],
    ['a part without a head', multipart, '--b\r\n\r\nx\r\n--b--\r\n', 400],
    ['no part', multipart, '', 400],
    ['bytes for parts', multipart, new Uint8Array([0, 255, 254, 13, 10]), 400],
    ['JSON', 'application/json', '{"outcome":"approve"}', 415],
    ['text', 'text/plain', 'outcome=approve', 415],
    ['a type that is none', 'form', 'outcome=approve', 415],
    ['no type', null, new Uint8Array([1]), 415],
  ]

  test.each(unreadable)('%s', async (_, type, body, status) => {
    const { merchant, paths } = await untouched()
    const before = await rowsOf(merchant)
    for (const path of paths) {
      const headers = { 'accept-language': 'en', ...(type === null ? {} : { 'content-type': type }) }
      const page = await pageOf(path, { method: 'POST', body, headers })
      expect(page, path).toMatchObject({ status, title: 'We could not read the form' })
    }
    expect(await rowsOf(merchant)).toBe(before)
  })

  const hostile = [
    '\u0000',
    'a\u0000b',
    '\ud800',
    '%',
    '%zz',
    '__proto__',
    '‮',
    '𝟜'.repeat(400),
    '9'.repeat(400),
  ]

  test('fields with hostile values, in both encodings', async () => {
    const { merchant, fields, paths } = await formsOf()
    const before = await rowsOf(merchant)
    const names = ['quote', 'attempt_key', 'card_token', 'months', 'method', 'locale', 'outcome', 'attempt']
    const spoilt = names.flatMap((name) =>
      hostile.map((value) => ({ ...fields, outcome: '', attempt: '', [name]: value })),
    )
    for (const path of paths)
      for (let at = 0; at < spoilt.length; at += 24)
        await Promise.all(
          spoilt.slice(at, at + 24).map(async (each, more) => {
            const parts = new FormData()
            for (const [name, value] of Object.entries(each)) parts.append(name, value)
            const body = more % 2 ? parts : new URLSearchParams(each)
            const response = await open(path, { method: 'POST', body })
            expect(response.status, `${path} ${JSON.stringify(each)}`).toBeLessThan(500)
            await response.arrayBuffer()
          }),
        )
    expect(before).not.toBe('')
  })

  test.each(['paycash', 'constructor', 'CARD'])(
    'a method that is none of ours is no card: %s',
    async (method) => {
      const merchant = await newMerchant()
      const { public_id: publicId } = await newLink(merchant)
      const fields = { ...(await openLink(publicId)), card_token: 'tok_sbx_approve', locale: 'en', method }
      const before = await rowsOf(merchant)
      for (const path of [`/${publicId}/review`, `/${publicId}/attempts`]) {
        const headers = { 'accept-language': 'en' }
        const page = await pageOf(path, { method: 'POST', body: new URLSearchParams(fields), headers })
        expect(page, path).toMatchObject({ status: 400, title: 'We could not read the form' })
      }
      expect(await rowsOf(merchant)).toBe(before)
    },
  )

  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
  test(`random bytes, seed ${seed}`, async () => {
    const { merchant, paths } = await untouched()
    const before = await rowsOf(merchant)
    let state = seed
    const below = (max: number) => {
      // mulberry32
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) % max
    }
    const types = [
      urlencoded,
      multipart,
      `${urlencoded}; charset=utf-16`,
      'multipart/form-data; boundary="b',
      '',
    ]
    const bodies = Array.from({ length: 40 }, () => {
      const noise = Uint8Array.from({ length: below(300) }, () => below(256))
      const start = below(3) === 0 ? new TextEncoder().encode(wholePart) : new Uint8Array()
      return { type: types[below(types.length)]!, body: new Uint8Array([...start, ...noise]) }
    })
    for (const path of paths)
      await Promise.all(
        bodies.map(async ({ type, body }) => {
          const response = await open(path, { method: 'POST', body, headers: { 'content-type': type } })
          expect(response.status, `${path} ${type} ${body}`).toBeLessThan(500)
          hasPageHeaders(response)
          await response.arrayBuffer()
        }),
      )
    expect(await rowsOf(merchant)).toBe(before)
  })
})

describe('a form that another site sends is refused', () => {
  const { directUrl } = stack.sandbox
  const own = new URL(stack.sandbox.baseUrl)
  const cases: [string, Record<string, string>, boolean][] = [
    ['no word of where from, as of an old browser', {}, true],
    ['our address', { origin: directUrl, 'sec-fetch-site': 'same-origin' }, true],
    ['our address for people, over TLS', { origin: `https://${own.host}` }, true],
    ['typed or bookmarked', { 'sec-fetch-site': 'none' }, true],
    ['another site', { origin: 'https://shop.example' }, false],
    [
      'another site, by both headers',
      { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' },
      false,
    ],
    [
      'another site that says it is ours',
      { origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' },
      false,
    ],
    ['another site without an Origin', { 'sec-fetch-site': 'cross-site' }, false],
    ['a neighbor', { origin: `https://shop.${own.host}`, 'sec-fetch-site': 'same-site' }, false],
    ['a neighbor without an Origin', { 'sec-fetch-site': 'same-site' }, false],
    ['another port', { origin: 'http://localhost:1' }, false],
    ['our address with more before it', { origin: `https://${own.host}.example` }, false],
    ['a frame without an origin', { origin: 'null' }, false],
    ['nonsense', { origin: '%' }, false],
  ]

  test.each(cases)('%s: accepted %s', async (_, headers, accepted) => {
    const { merchant, fields, paths } = await untouched()
    const before = await rowsOf(merchant)
    for (const path of paths) {
      const body = new URLSearchParams({ ...fields, outcome: 'none', quote: '', attempt: '' })
      const response = await open(path, {
        method: 'POST',
        body,
        headers: { 'accept-language': 'en', ...headers },
      })
      hasPageHeaders(response)
      expect(response.status === 403, path).toBe(!accepted)
      if (!accepted) expect(await response.text()).toContain('This form was not sent from our page')
    }
    expect(await rowsOf(merchant)).toBe(before)
  })

  test('the way back from a bank only reads, so any site may link to it', async () => {
    const link = await newLink(await newMerchant())
    const { location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_3ds_challenge')
    const back = location!.replace('?', '?redirect_status=succeeded&')
    const headers = { origin: 'https://bank.example', 'sec-fetch-site': 'cross-site' }
    expect((await open(back, { headers })).status).toBe(303)
    expect((await open(location!, { headers })).status).toBe(200)
  })
})

describe('a form that is filled in again', () => {
  const methods = { payment_method_types: ['card', 'oxxo'] }
  const shownIn = (html: string, id: string) => new RegExp(`id="${id}"[^>]* value="([^"]*)"`).exec(html)?.[1]

  test('a declined buyer reads the reason on the form, and finds their name there; once paid the name is forgotten', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant, methods)
    const browser = new Browser()
    const attempts = `/${link.public_id}/attempts`
    const named = { name: 'Ana <López>', number: '4000 0000 0000 9995' }
    const sent = await browser.send(attempts, {
      ...(await openLink(link.public_id)),
      ...named,
      card_token: 'tok_sbx_decline_funds',
    })
    const again = (await browser.open(`${sent.leadsTo}?lang=en`)).leadsTo!
    expect(again).toContain('?retry=')
    const form = await browser.open(`${again}&lang=en`)
    expect(form.html).toContain('<strong>The payment was not approved</strong>')
    expect(form.html).toContain('The card does not have enough funds.')
    expect(shownIn(form.html, 'card-name')).toBe('Ana &lt;López&gt;')
    expect(decodeURIComponent(browser.typed!)).toBe('spindle_buyer={"name":"Ana <López>","email":""}')

    const [quote, key] = ['quote', 'attempt_key'].map(
      (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form.html)![1]!,
    )
    const fields = { quote: quote!, attempt_key: key!, method: 'oxxo' }
    const wrong = await browser.send(attempts, { ...fields, name: 'A', email: 'ana@' })
    expect(wrong.status).toBe(422)
    expect(wrong.html.match(/aria-invalid="true"/g)).toHaveLength(2)
    expect([shownIn(wrong.html, 'buyer-name'), shownIn(wrong.html, 'buyer-email')]).toEqual(['A', 'ana@'])

    const paid = await browser.send(attempts, {
      quote: quote!,
      attempt_key: key!,
      card_token: 'tok_sbx_approve',
    })
    expect((await browser.open(paid.leadsTo!)).state).toBe('succeeded')
    expect(browser.typed).toBeNull()
    const others = await newLink(merchant, methods)
    expect(shownIn((await new Browser().open(`/${others.public_id}`)).html, 'card-name')).toBe('')
    expect(await paymentsOf(merchant.tenantId)).toHaveLength(1)
  })

  test('what looks like a card number is not remembered, and a forged cookie is not trusted', async () => {
    const link = await newLink(await newMerchant(), methods)
    const browser = new Browser()
    const form = await openLink(link.public_id)
    await browser.send(`/${link.public_id}/attempts`, {
      ...form,
      name: '4242 4242 4242 4242',
      card_token: 'tok_sbx_none',
    })
    expect(browser.typed).toBeNull()
    const cookies = [
      '',
      '%',
      'null',
      '7',
      '[]',
      '{"name":7}',
      `{"name":"${'x'.repeat(101)}"}`,
      '{"name":"4242424242424242"}',
    ]
    for (const cookie of cookies) {
      browser.typed = `spindle_buyer=${encodeURIComponent(cookie)}`
      const page = await browser.open(`/${link.public_id}?method=oxxo`)
      expect([page.status, shownIn(page.html, 'buyer-name')], cookie).toEqual([200, ''])
    }
  })

  test('a link that changed meanwhile says what changed', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant, {
      installment_options: [{ months: 3 }, { months: 6 }],
      installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 500 },
    })
    const form = await openLink(link.public_id)
    await call('PATCH', `/v1/payment-links/${link.id}`, {
      bearer: merchant.apiKey,
      body: {
        manual_amount: 130_000,
        payment_method_types: ['card', 'spei'],
        installment_options: [{ months: 6 }],
        installment_pricing: { fee_allocation: 'absorb', merchant_markup_bps: 0 },
      },
    })
    const sent = await pay(link.public_id, form, 'tok_sbx_approve', 1)
    expect(sent.status).toBe(409)
    expect([...sent.html.matchAll(/<dt>([^<]+)<\/dt><dd>([^<]+)/g)].map((row) => row.slice(1, 3))).toEqual([
      ['Amount', 'Before: $1,200.00 MXN. Now: $1,300.00 MXN.'],
      ['Ways to pay', 'Before: Card. Now: Card or SPEI.'],
      ['Monthly installments', 'Before: 3 or 6 months. Now: 6 months.'],
      ['Installment surcharge', 'Before: $60.00 MXN. Now: none.'],
    ])
  })
})
