import { afterAll, beforeAll, expect, test } from 'vitest'
import { newMerchant, newNetwork } from '../../support/merchant.ts'
import { adminSql, control } from '../../support/stack.ts'
import {
  attemptsOf,
  carried,
  inTurn,
  newPlace,
  opens,
  type Place,
  pass,
  pays,
  sends,
  stolen,
  tries,
} from '../../support/stolen-cards.ts'
import { startTurnstile, type Turnstile } from '../../support/turnstile.ts'

/* Where cards pause, a buyer whom Turnstile takes for a person may pay. A stand-in plays Turnstile. */

let turnstile: Turnstile
beforeAll(async () => {
  turnstile = await startTurnstile()
  await control.reconfigure('sandbox', { vars: turnstile.vars })
})
afterAll(async () => {
  await control.reconfigure('sandbox')
  await turnstile.close()
})

/** A place where forty stolen cards were tried. */
async function underAttack(fields: object = {}) {
  const merchant = await newMerchant()
  const place = await newPlace(merchant, fields)
  for (let at = 0; at < 40; at++) {
    const { form } = await opens(place)
    const receipt_email = `eva-${crypto.randomUUID()}@example.com`
    await sends(place, { ...form, card_token: stolen(at), name: 'Eva Prueba', receipt_email, months: '1' })
  }
  await pass(merchant, '1 minute')
  return { merchant, place }
}

/** A buyer who is asked, and the form that the page carries on. */
async function asked(place: Place) {
  const { form } = await opens(place)
  const sent = await sends(place, { ...form, card_token: 'tok_sbx_approve' })
  expect(sent.status).toBe(403)
  return carried(sent.html)
}

const answer = (place: Place, form: Record<string, string>, token: string) =>
  sends(place, { ...form, 'cf-turnstile-response': token })

test('programs reach no bank where cards pause; a person pays there, confirmed by the bank', async () => {
  const { merchant, place } = await underAttack()
  expect(await tries(place, stolen(40))).toBe('asked')
  const before = (await attemptsOf(merchant)).length
  expect(new Set(await inTurn(place, 20, 100))).toEqual(new Set(['asked']))
  expect(await attemptsOf(merchant)).toHaveLength(before)
  expect(await pays(place, turnstile)).toBe('paid')
  expect((await attemptsOf(merchant)).slice(before)).toEqual(['captured'])
  // Its accepted card opens the place to nobody else.
  expect(await tries(place, stolen(200))).toBe('asked')
})

test('the bank confirms a person where cards pause', async () => {
  const { merchant, place } = await underAttack()
  const form = await asked(place)
  expect((await answer(place, form, turnstile.solve(place.link.public_id))).status).toBe(303)
  expect((await attemptsOf(merchant)).at(-1)).toBe('pending_customer')
})

test('however many cards of programs were declined, a person pays', async () => {
  const { merchant, place } = await underAttack()
  await adminSql('sandbox')('update card_tries set has_failed = true where tenant_id = $1', [
    merchant.tenantId,
  ])
  expect(await tries(place, stolen(40))).toBe('asked')
  expect(await pays(place, turnstile)).toBe('paid')
})

test('elsewhere nobody is asked, and Turnstile neither', async () => {
  const { place } = await underAttack()
  const before = turnstile.asked()
  expect(await pays({ ...place, network: newNetwork() }, turnstile)).toBe('paid')
  expect(turnstile.asked()).toBe(before)
})

test('the page carries the form on, lets the widget run and nothing else, and leads to the other ways to pay', async () => {
  const { place } = await underAttack()
  const { form } = await opens(place)
  const { html, headers } = await sends(place, {
    ...form,
    card_token: 'tok_sbx_approve',
    receipt_email: 'ana@example.com',
  })
  expect(carried(html)).toMatchObject({
    ...form,
    card_token: 'tok_sbx_approve',
    receipt_email: 'ana@example.com',
  })
  const policy = headers.get('content-security-policy')!
  expect(policy).toContain(`script-src 'self' ${turnstile.url};`)
  expect(policy).toContain(`frame-src ${turnstile.url}`)
  expect(html).toContain('Nothing was charged.')
  expect(html).toContain(`href="/${place.link.public_id}?method=oxxo&amp;lang=en"`)
})

const refused: [what: string, token: (place: Place) => string | Promise<string>][] = [
  ['an invented token', () => 'XXXX.invented'],
  ['one of another sale', () => turnstile.solve('splink_other')],
  ['one that was solved for something else', ({ link }) => turnstile.solve(link.public_id, 'sign_in')],
  [
    'one that is older than five minutes',
    ({ link }) => {
      const token = turnstile.solve(link.public_id)
      turnstile.expire()
      return token
    },
  ],
  [
    'one that another form has used',
    async (place) => {
      const token = turnstile.solve(place.link.public_id)
      expect((await answer(place, await asked(place), token)).status).toBe(303)
      return token
    },
  ],
]
test.each(refused)('%s opens nothing: the page asks again', async (_what, tokenOf) => {
  const { merchant, place } = await underAttack()
  const form = await asked(place)
  const token = await tokenOf(place)
  const before = (await attemptsOf(merchant)).length
  const again = await answer(place, form, token)
  expect([again.status, again.html.includes('We could not confirm it.')]).toEqual([403, true])
  expect(await attemptsOf(merchant)).toHaveLength(before)
  // The same form may still be paid with.
  expect((await answer(place, carried(again.html), turnstile.solve(place.link.public_id))).status).toBe(303)
})

test('one of more than 2,048 characters is not even asked about', async () => {
  const { place } = await underAttack()
  const form = await asked(place)
  const before = turnstile.asked()
  expect((await answer(place, form, 'X'.repeat(2_049))).status).toBe(403)
  expect(turnstile.asked()).toBe(before)
})

test('the widget sends the form by itself once; after a refusal the buyer sends it', async () => {
  const { place } = await underAttack()
  const { form } = await opens(place)
  const first = await sends(place, { ...form, card_token: 'tok_sbx_approve' })
  expect(first.html).toContain('data-callback="isPerson"')
  const again = await answer(place, carried(first.html), 'XXXX.invented')
  expect(again.html).not.toContain('data-callback')
})

test('what the buyer gave and chose goes with the form: name, term, receipt', async () => {
  const { place } = await underAttack({
    collects: { name: 'required', email: 'required' },
    installment_options: [{ months: 3 }],
    manual_amount: 120_000,
  })
  const { form } = await opens(place)
  const given = { name: 'Ana López', receipt_email: `ana-${crypto.randomUUID()}@example.com`, months: '3' }
  const sent = await sends(place, { ...form, ...given, card_token: 'tok_sbx_msi_3_6_9_12' })
  expect([sent.status, carried(sent.html)]).toEqual([403, expect.objectContaining(given)])
  const paid = await answer(place, carried(sent.html), turnstile.solve(place.link.public_id))
  expect(paid.location).toMatch(/spcs_[a-z0-9]{32}/)
})

test('ten declined cards of one address pause cards for it, and no widget is shown in vain', async () => {
  const merchant = await newMerchant()
  const email = `ana-${crypto.randomUUID()}@example.com`
  for (let at = 0; at < 10; at++) await tries(await newPlace(merchant), stolen(at), email)
  expect(await tries(await newPlace(merchant), stolen(10), email)).toBe('paused')
})

test('a form that a person sends fifty times at once is one payment', async () => {
  const { merchant, place } = await underAttack()
  const form = await asked(place)
  const before = (await attemptsOf(merchant)).length
  const token = turnstile.solve(place.link.public_id)
  const sent = await Promise.all(Array.from({ length: 50 }, () => answer(place, form, token)))
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([303]))
  expect(await attemptsOf(merchant)).toHaveLength(before + 1)
})

test('persons who try out stolen cards are paused as programs are', async () => {
  const { merchant, place } = await underAttack()
  const tryAsPerson = async (at: number) => {
    const { form } = await opens(place)
    return answer(place, { ...form, card_token: stolen(at) }, turnstile.solve(place.link.public_id))
  }
  for (let at = 0; at < 40; at++)
    expect((await tryAsPerson(1_000 + at)).location).not.toContain('cards_paused')
  await pass(merchant, '1 minute')
  expect((await tryAsPerson(2_000)).location).toContain('error=cards_paused')
})

test('while Turnstile does not answer, nobody is let through', async () => {
  const { merchant, place } = await underAttack()
  const form = await asked(place)
  const gone = await startTurnstile()
  await gone.close()
  await control.reconfigure('sandbox', { vars: gone.vars })
  const before = (await attemptsOf(merchant)).length
  expect((await answer(place, form, 'XXXX.any')).status).toBe(403)
  expect(await attemptsOf(merchant)).toHaveLength(before)
  await control.reconfigure('sandbox', { vars: turnstile.vars })
})

const published: [what: string, body: (own: Turnstile) => object | string, codes: string[]][] = [
  ['no JSON', () => 'secret', ['bad-request']],
  ['no secret', () => ({ response: 'x' }), ['missing-input-secret']],
  ['another secret', () => ({ secret: 'x', response: 'x' }), ['invalid-input-secret']],
  ['no response', ({ vars }) => ({ secret: vars.TURNSTILE_SECRET_KEY }), ['missing-input-response']],
  [
    'an invented response',
    ({ vars }) => ({ secret: vars.TURNSTILE_SECRET_KEY, response: 'x' }),
    ['invalid-input-response'],
  ],
]
test.each(published)('the stand-in answers as published: %s', async (_what, bodyOf, codes) => {
  const body = bodyOf(turnstile)
  const reply = await fetch(`${turnstile.url}/turnstile/v0/siteverify`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  expect(await reply.json()).toEqual({ success: false, 'error-codes': codes })
})

test('the stand-in takes a token once, and again under its key', async () => {
  const response = turnstile.solve('a')
  const verify = async (idempotency_key?: string) => {
    const body = JSON.stringify({ secret: turnstile.vars.TURNSTILE_SECRET_KEY, response, idempotency_key })
    const reply = await fetch(`${turnstile.url}/turnstile/v0/siteverify`, { method: 'POST', body })
    return ((await reply.json()) as { success: boolean; 'error-codes': string[] })['error-codes']
  }
  const key = crypto.randomUUID()
  expect([await verify(key), await verify(key), await verify(), await verify(crypto.randomUUID())]).toEqual([
    [],
    [],
    ['timeout-or-duplicate'],
    ['timeout-or-duplicate'],
  ])
})
