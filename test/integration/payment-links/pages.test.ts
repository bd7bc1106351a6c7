import { describe, expect, test } from 'vitest'
import {
  call,
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { bankOf, hasPageHeaders, open, pageOf, rowsOf } from '../../support/pages.ts'
import { adminSql, stack } from '../../support/stack.ts'

const unknown = `splink_${'0'.repeat(32)}`
const description = 'Silla de jardín'

const move = (merchant: Merchant, link: Link, verb: string) =>
  call('POST', `/v1/payment-links/${link.id}/${verb}`, { bearer: merchant.apiKey })

const pass = (merchant: Merchant) =>
  adminSql('sandbox')(
    `update payment_links set expires_at = now() - interval '1 second' where tenant_id = $1`,
    [merchant.tenantId],
  )

/** A buyer who comes too late reads what was for sale. */
const saysWhat = (state: string) => ['expired', 'revoked'].includes(state)

describe('a link that takes no payment says why', () => {
  const cases: [string, number, string, (merchant: Merchant, link: Link) => Promise<unknown>][] = [
    ['expired', 410, 'This link has expired', pass],
    ['revoked', 410, 'This link was withdrawn', (merchant, link) => move(merchant, link, 'revoke')],
    ['inactive', 409, 'This link is paused', (merchant, link) => move(merchant, link, 'deactivate')],
    [
      'archived',
      410,
      'This link is no longer available',
      (merchant, link) => move(merchant, link, 'archive'),
    ],
    [
      'paid',
      410,
      'This link has been paid',
      async (_, link) => pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve'),
    ],
    [
      'busy',
      409,
      'Someone is paying this link',
      async (_, link) => pay(link.public_id, await openLink(link.public_id), 'tok_sbx_timeout_then_paid'),
    ],
  ]

  test.each(cases)('%s: %i "%s"', async (name, status, title, prepare) => {
    const merchant = await newMerchant({ name: 'Papelería Ñandú' })
    const link = await newLink(merchant, { description })
    await prepare(merchant, link)
    const page = await pageOf(`/${link.public_id}?lang=en`)
    expect(page).toMatchObject({ status, title })
    expect(page.html).not.toContain('name="quote"')
    expect(page.html.includes(description)).toBe(saysWhat(name))
    expect(page.html).not.toContain('1,200')
    expect(page.html.includes('Papelería Ñandú')).toBe(name !== 'archived')
    expect((await pageOf(`/${link.public_id}`, { headers: { 'accept-language': 'es' } })).html).toContain(
      'lang="es-MX"',
    )
  })

  /** What happened to the link while the buyer had its page open. */
  const meanwhile: [string, number, string, (merchant: Merchant, link: Link) => Promise<unknown>][] = [
    ...cases.filter(([name]) => name !== 'busy'),
    [
      'another payer is faster',
      409,
      'Someone is paying this link',
      async (_, link) => pay(link.public_id, await openLink(link.public_id), 'tok_sbx_3ds_challenge'),
    ],
    [
      'the price changes',
      409,
      'The link has changed',
      (merchant, link) =>
        call('PATCH', `/v1/payment-links/${link.id}`, {
          bearer: merchant.apiKey,
          body: { manual_amount: 130_000 },
        }),
    ],
  ]

  test.each(meanwhile)('while its page was open: %s: %i "%s"', async (name, status, title, prepare) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant, { description })
    const form = await openLink(link.public_id)
    await prepare(merchant, link)
    const before = await rowsOf(merchant)
    const body = new URLSearchParams({ ...form, card_token: 'tok_sbx_approve', locale: 'en' })
    const page = await pageOf(`/${link.public_id}/attempts`, { method: 'POST', body })
    expect(page).toMatchObject({ status, title })
    expect(page.html.includes(description)).toBe(saysWhat(name))
    if (name === 'archived') expect(page.html).not.toContain('Café Azul')
    expect(await rowsOf(merchant)).toBe(before)
  })
})

describe('addresses that lead nowhere are pages too', () => {
  test.each([
    ['an unknown link', `/${unknown}`],
    ['a link cut short', `/${unknown.slice(0, 20)}`],
    ['a link with something after it', `/${unknown}).`],
    ['a payment of an unknown link', `/${unknown}/spcs_${'0'.repeat(32)}`],
    ['nothing of a link', `/${unknown}/nothing`],
    ['an unknown challenge', '/simulator/3ds/0190a6d2-7c3e-7b1a-9f00-000000000003'],
    ['a malformed challenge', '/simulator/3ds/1'],
  ])('%s', async (_, path) => {
    expect(await pageOf(`${path}?lang=en`)).toMatchObject({
      status: 404,
      title: 'We could not find this page',
    })
    expect((await pageOf(path, { method: 'POST', body: new URLSearchParams() })).status).toBeGreaterThan(302)
  })

  test('a payment is found only under its own link', async () => {
    const merchant = await newMerchant()
    const [one, other] = [await newLink(merchant), await newLink(merchant)]
    const { location } = await pay(one.public_id, await openLink(one.public_id), 'tok_sbx_approve')
    const reference = location!.split(/[/?]/)[2]
    expect((await pageOf(`/${one.public_id}/${reference}`)).status).toBe(200)
    expect((await pageOf(`/${other.public_id}/${reference}`)).status).toBe(404)
  })

  test.each(['review', 'attempts'])('GET of /%s, as after a reload, leads to the link', async (step) => {
    const link = await newLink(await newMerchant())
    const response = await open(`/${link.public_id}/${step}?lang=en`)
    hasPageHeaders(response)
    expect([response.status, response.headers.get('location')]).toEqual([303, `/${link.public_id}?lang=en`])
  })
})

describe('a form that is not ours charges nothing', () => {
  test.each([
    ['no attempt key', { attempt_key: '' }, 400, 'We could not read the form'],
    ['a wrong attempt key', { attempt_key: 'A'.repeat(32) }, 400, 'We could not read the form'],
    ['no quote', { quote: '' }, 303, 'error=quote_expired'],
    ['a broken quote', { quote: 'AAAA' }, 303, 'error=quote_expired'],
    ['a broken quote of a voucher', { quote: 'AAAA', method: 'oxxo' }, 303, 'method=oxxo'],
    ['no card', { card_token: '' }, 303, 'error=card_required'],
    ['an unknown card', { card_token: 'tok_sbx_nothing' }, 303, 'error=card_unknown'],
    ['a card number', { card_token: '4242424242424242' }, 303, 'error=card_unknown'],
    ['a term that was not offered', { months: '3' }, 422, 'Review and pay'],
  ])('%s', async (_, spoilt, status, said) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const form = {
      ...(await openLink(link.public_id)),
      card_token: 'tok_sbx_approve',
      locale: 'en',
      ...spoilt,
    }
    const before = await rowsOf(merchant)
    const response = await open(`/${link.public_id}/attempts`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    hasPageHeaders(response)
    expect(response.status).toBe(status)
    expect(response.headers.get('location') ?? (await response.text())).toContain(said)
    expect(await rowsOf(merchant)).toBe(before)
  })

  test('a quote of another link', async () => {
    const merchant = await newMerchant()
    const [cheap, dear] = [await newLink(merchant, { manual_amount: 1_000 }), await newLink(merchant)]
    const { location } = await pay(dear.public_id, await openLink(cheap.public_id), 'tok_sbx_approve')
    expect(location).toBe(`/${dear.public_id}?lang=en&error=quote_expired`)
  })

  test('a form of 400 KiB, and one that is JSON', async () => {
    const link = await newLink(await newMerchant())
    const form = { ...(await openLink(link.public_id)), card_token: 'tok_sbx_approve' }
    const large = new URLSearchParams({ ...form, more: 'x'.repeat(400_000) })
    const path = `/${link.public_id}/attempts`
    expect((await pageOf(path, { method: 'POST', body: large })).status).toBe(400)
    const json = {
      method: 'POST',
      body: JSON.stringify(form),
      headers: { 'content-type': 'application/json' },
    }
    expect((await pageOf(path, json)).status).toBe(415)
  })
})

describe('a link that demands one term', () => {
  const plan = { installment_plan: { months: 6 } }

  test('a card without it is sent back, and nothing is recorded', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant, plan)
    const form = { ...(await openLink(link.public_id)), locale: 'en' }
    const before = await rowsOf(merchant)
    for (const step of ['review', 'attempts']) {
      const body = new URLSearchParams({ ...form, card_token: 'tok_sbx_debit', months: '6' })
      const response = await open(`/${link.public_id}/${step}`, { method: 'POST', body })
      expect(response.headers.get('location'), step).toBe(
        `/${link.public_id}?lang=en&error=card_without_plan`,
      )
    }
    expect(await rowsOf(merchant)).toBe(before)
    expect((await pageOf(`/${link.public_id}?lang=en&error=card_without_plan`)).html).toContain(
      'That card does not take part',
    )
  })

  test.each(['1', '3', ''])('months=%s instead of 6 is refused', async (months) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant, plan)
    const form = { ...(await openLink(link.public_id)), card_token: 'tok_sbx_msi_3_6_9_12', locale: 'en' }
    const before = await rowsOf(merchant)
    const body = new URLSearchParams({ ...form, months })
    const page = await pageOf(`/${link.public_id}/attempts`, { method: 'POST', body })
    expect(page.status).toBe(422)
    expect(page.html).not.toContain('value="1"')
    expect(await rowsOf(merchant)).toBe(before)
  })

  test('with a cost for the buyer, each page names the total first, then its parts', async () => {
    const link = await newLink(await newMerchant(), {
      ...plan,
      manual_amount: 120_001,
      installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 870 },
    })
    const form = { ...(await openLink(link.public_id)), card_token: 'tok_sbx_msi_3_6_9_12', locale: 'en' }
    const shown = await pageOf(`/${link.public_id}?lang=en`)
    const body = new URLSearchParams(form)
    const review = await pageOf(`/${link.public_id}/review`, { method: 'POST', body })
    const { location } = await pay(link.public_id, form, 'tok_sbx_msi_3_6_9_12', 6)
    const receipt = await pageOf(location!)
    for (const { html } of [shown, review]) {
      expect(html).toContain('<p class="amount">$1,304.41 MXN</p>')
      expect(html).toContain('Price $1,200.01 MXN, plus a surcharge of $104.40 MXN for installments.')
    }
    expect(review.html).toContain('6 months of $217.40')
    expect(review.html).toContain('First payment $217.41')
    const rows = [...receipt.html.matchAll(/<dt>([^<]+)<\/dt><dd>(?:<strong>)?([^<]+)/g)].map((row) =>
      row.slice(1, 3),
    )
    expect(rows.slice(0, 3)).toEqual([
      ['Price', '$1,200.01 MXN'],
      ['Installment surcharge', '$104.40 MXN'],
      ['Total', '$1,304.41 MXN'],
    ])
    expect(rows).toContainEqual(['Plan', '6 months of $217.40'])
    expect(rows).toContainEqual(['First payment', '$217.41 MXN'])
  })

  test('a card with the term pays by it', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant, plan)
    await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_msi_3_6_9_12', 6)
    const [payment] = await adminSql('sandbox')(
      'select status, installment_months from payments where tenant_id = $1',
      [merchant.tenantId],
    )
    expect(payment).toEqual({ status: 'succeeded', installment_months: 6 })
  })
})

test('reading changes nothing: every page, eight times at once, by GET and HEAD, by people and by unfurlers', async () => {
  const merchant = await newMerchant()
  const paths: string[] = []
  const tokens = [
    'tok_sbx_approve',
    'tok_sbx_decline_funds',
    'tok_sbx_3ds_challenge',
    'tok_sbx_timeout_then_paid',
  ]
  for (const token of tokens) {
    const link = await newLink(merchant)
    const { location } = await pay(link.public_id, await openLink(link.public_id), token)
    paths.push(`/${link.public_id}`, location!, `/${link.public_id}/review`, `/${link.public_id}/attempts`)
    for (const step of ['bank', 'cancel']) paths.push(location!.replace('?', `/${step}?`))
  }
  const references = await adminSql('sandbox')<{ id: string }>(
    'select id from payment_attempts where tenant_id = $1',
    [merchant.tenantId],
  )
  paths.push(...references.map(({ id }) => `/simulator/3ds/${id}`))
  for (const verb of ['deactivate', 'revoke', 'archive']) {
    const link = await newLink(merchant)
    await move(merchant, link, verb)
    paths.push(`/${link.public_id}`)
  }
  const before = await rowsOf(merchant)
  const agents = ['WhatsApp/2.24', 'facebookexternalhit/1.1', 'Slackbot-LinkExpanding 1.0', 'Mozilla/5.0']
  const looks = paths.flatMap((path) =>
    Array.from({ length: 8 }, (_, at) => ({
      path,
      method: at % 5 === 0 ? 'HEAD' : 'GET',
      agent: agents[at % 4]!,
    })),
  )
  for (let at = 0; at < looks.length; at += 8) {
    const some = looks.slice(at, at + 8)
    await Promise.all(
      some.map(async ({ path, method, agent }) => {
        const response = await open(path, { method, headers: { 'user-agent': agent } })
        hasPageHeaders(response)
        expect(response.status, path).toBeLessThan(500)
        await response.arrayBuffer()
      }),
    )
  }
  expect(await rowsOf(merchant)).toBe(before)
})

test('the page of a challenge that was answered leads back to the payment', async () => {
  const link = await newLink(await newMerchant())
  const { location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_3ds_challenge')
  const path = await bankOf(location!)
  expect(path).toMatch(/\?lang=en$/)
  const answer = (fields: Record<string, string>) =>
    open(path, { method: 'POST', body: new URLSearchParams({ locale: 'en', ...fields }) })

  expect((await answer({})).status).toBe(400)
  expect((await answer({ outcome: 'maybe' })).status).toBe(400)
  expect((await open(path)).status).toBe(200)
  expect((await answer({ outcome: 'approve' })).headers.get('location')).toBe(location)
  const again = await open(path)
  expect([again.status, again.headers.get('location')]).toEqual([303, location])
  // The first decision counts.
  expect((await answer({ outcome: 'fail' })).headers.get('location')).toBe(location)
  expect((await pageOf(location!)).title).toMatch(/^Payment approved/)
})

test('the language switch of a second attempt keeps the payment that is tried again', async () => {
  const link = await newLink(await newMerchant(), { installment_options: [{ months: 3 }] })
  const { location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_decline_funds', 1)
  const reply = await fetch(stack.sandbox.directUrl + location, { redirect: 'manual' })
  const retry = reply.headers.get('location')!
  expect(retry).toMatch(/retry=spcs_[a-z0-9]{32}&lang=en$/)
  const { html } = await pageOf(retry)
  expect(html).toContain(`href="${retry.replace('&lang=en', '&amp;lang=es')}"`)
  const form = await openLink(link.public_id, retry.slice(retry.indexOf('?')))
  const body = new URLSearchParams({ ...form, card_token: 'tok_sbx_approve', locale: 'en' })
  const review = await pageOf(`/${link.public_id}/review`, { method: 'POST', body })
  expect(review.html).toContain(`href="${retry.replace('&lang', '&amp;lang')}"`)
})

describe('a link that closes while the bank asks its buyer', () => {
  test.each([
    ['deactivate', 'paid'],
    ['revoke', 'inactive'],
    ['archive', 'archived'],
  ])('%s: the buyer may finish, the link ends %s', async (verb, status) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const { location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_3ds_challenge')
    const path = await bankOf(location!)
    await move(merchant, link, verb)
    await open(path, { method: 'POST', body: new URLSearchParams({ outcome: 'approve' }) })
    expect((await pageOf(location!)).title).toMatch(/^Payment approved/)
    const read = await call('GET', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey })
    expect(read.body.status).toBe(status)
  })

  test('a declined buyer of a revoked link is not asked to try again', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const { location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_decline_funds')
    await move(merchant, link, 'revoke')
    const { html } = await pageOf(location!)
    expect(html).toContain('This link no longer takes payments.')
    expect(html).not.toContain('retry=')
  })
})
