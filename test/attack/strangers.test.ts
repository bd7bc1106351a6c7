import { expect, test } from 'vitest'
import { ratePolicies } from '../../src/http/stages/rate-limit.ts'
import { payInCash } from '../support/cash.ts'
import { Browser } from '../support/challenge.ts'
import { newSession } from '../support/checkout.ts'
import { newEmail } from '../support/customer.ts'
import { call, newLink, newMerchant, openLink } from '../support/merchant.ts'
import { open } from '../support/pages.ts'
import { below, oneOf, shuffled } from '../support/random.ts'
import { all, begins, cardFields, cashIn, gets, pushFields, sold } from '../support/sold-once.ts'
import { adminSql, control, trigger } from '../support/stack.ts'
import { isLong, random, rounds as roundsOf, timeoutMs } from './time.ts'

/*
 * What strangers without any credential try: to see what another buyer paid for, to hold what they do not pay, to guess
 * codes and passwords, to make a merchant mail people. What is drawn at random is who does what, and in which order.
 */

const many = 50
const rounds = (name: string, round: () => Promise<void>) => roundsOf(name, round, { sharedBy: 4 })
const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))
const networkOf = (at: number) => `198.51.${at >> 8}.${at & 255}`

/** The ways in which one mailbox is written. */
const aliasOf = (name: string) =>
  oneOf(random, [
    `${name}@gmail.com`,
    `${name}+${below(random, 1000)}@gmail.com`,
    `${name[0]}.${name.slice(1)}@gmail.com`,
    `${name.toUpperCase()}@GoogleMail.com`,
  ])

test('a lurker never has what another buyer paid for', { timeout: timeoutMs }, async () => {
  let looks = 0
  const done = await rounds('lurkers', async () => {
    const findings: object[] = []
    for (let sale = 0; sale < (isLong ? 10 : 2); sale++) {
      const kind = oneOf(random, ['link', 'session'] as const)
      const thing = await sold(kind, oneOf(random, ['oxxo', 'spei'] as const))
      const query = `?method=${thing.method}`
      const lurkers = Array.from({ length: 3 }, () => new Browser())
      const payer = new Browser()
      const seen = new Set([`/${thing.publicId}`])
      const wants = () => random() < 0.5
      const takesOver = random() < 0.5
      if (takesOver) seen.add(await begins(lurkers[0]!, thing, pushFields(thing, newEmail()), query))
      const look = async () => {
        for (const path of shuffled(random, [...seen])) {
          const has = await gets(oneOf(random, [...lurkers, new Browser()]), path)
          looks += 1
          if (has.key || has.download || has.pdf) findings.push({ seed: thing, path, has })
        }
      }
      await look()
      const again = async () => {
        const { html } = await payer.open(`/${thing.publicId}?lang=en`)
        const other = /href="([^"]*retry=[^"&]+)[^"]*"/.exec(html)?.[1]
        return other ? other.slice(other.indexOf('?')) : ''
      }
      const byCard = random() < 0.5
      const paid = byCard
        ? await begins(payer, thing, cardFields(wants() ? newEmail() : null), await again())
        : await begins(
            payer,
            thing,
            pushFields(thing, newEmail()),
            `${(await again()) || '?'}&method=${thing.method}`.replace('?&', '?'),
          )
      // The address of a card's receipt is the payer's alone: lurkers must not learn it. That of a voucher is not enough.
      if (!byCard) seen.add(paid)
      await look()
      for (const lurker of lurkers) {
        const { html } = await lurker.open(`/${thing.publicId}?lang=en`)
        if (html.includes(paid.split('/')[2]!)) findings.push({ address: thing, paid })
      }
      if (!(await gets(payer, paid)).key) await cashIn(thing)
      await trigger('sandbox')
      await look()
      const has = await gets(payer, paid)
      if (JSON.stringify(has) !== JSON.stringify(all(kind))) findings.push({ payer: thing, paid, has })
    }
    expect(findings, JSON.stringify(findings, null, 1)).toEqual([])
  })
  console.log(`lurkers: ${looks} looks in ${done} rounds, nothing seen`)
  expect(looks).toBeGreaterThan(0)
})

test('strangers hold at most half of the places unpaid, and each of them a fifth', {
  timeout: timeoutMs,
}, async () => {
  let asked = 0
  const done = await rounds('holds', async () => {
    const { tenantId, ...merchant } = await newMerchant()
    const uses_max = 10 + below(random, 40)
    const link = await newLink(
      { tenantId, ...merchant },
      { usage: 'multi_use', uses_max, payment_method_types: ['card', 'oxxo'] },
    )
    const people = ['anaprueba', 'luisprueba', 'evaprueba', 'pazprueba']
    const networksCount = 1 + below(random, 12)
    await times(many, async () => {
      const form = await openLink(link.public_id, '?method=oxxo')
      const person = random() < 0.7 ? aliasOf(oneOf(random, people)) : newEmail()
      await payInCash(
        link.public_id,
        form,
        'oxxo',
        { name: 'Ana López', email: person },
        networkOf(below(random, networksCount)),
      )
      asked += 1
    })
    const [held] = await adminSql('sandbox')<Record<'all' | 'network' | 'mailbox', number>>(
      `with h as (select quantity, network_digest, contact_digest from unpaid_holds where tenant_id = $1)
       select (select coalesce(sum(quantity), 0)::int from h) as all,
         (select coalesce(max(n), 0)::int from (select sum(quantity) n from h group by network_digest) x) as network,
         (select coalesce(max(n), 0)::int from (select sum(quantity) n from h group by contact_digest) x) as mailbox`,
      [tenantId],
    )
    const fifth = Math.max(1, Math.floor(uses_max / 5))
    expect(held!.all).toBeLessThanOrEqual(Math.max(1, Math.floor(uses_max / 2)))
    expect(held!.network).toBeLessThanOrEqual(fifth)
    expect(held!.mailbox).toBeLessThanOrEqual(fifth)
    expect(held!.all).toBeGreaterThan(0)
  })
  console.log(`holds: ${asked} vouchers asked for in ${done} rounds, none beyond its share`)
})

test('codes and passwords are tried a bounded number of times a minute', { timeout: timeoutMs }, async () => {
  // The limits of wrangler.toml, which other tests have raised.
  await control.reconfigure('sandbox', {
    rateLimits: {
      RATE_PUBLIC: { limit: ratePolicies.public.limit, period: 60 },
      RATE_AUTH: { limit: ratePolicies.auth.limit, period: 60 },
    },
  })
  let guesses = 0
  const done = await rounds('guesses', async () => {
    const merchant = await newMerchant()
    const locked = await newLink(merchant, { password: 'la-correcta' })
    const session = await newSession(merchant, {
      line_items: [{ name: 'Taza', unit_amount: '58000', quantity: 1 }],
      allows_discount_codes: true,
    })
    let admitted = 0
    const from = Math.floor(Date.now() / 60_000)
    const guess = async (what: 'code' | 'password', path: string, at: number) => {
      const { status } = await open(path, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'cf-connecting-ip': networkOf(below(random, 2 ** 16)) },
        body: new URLSearchParams({ locale: 'en', [what]: `${what}-${at}` }),
      })
      guesses += 1
      if (what === 'password' && status !== 429) admitted += 1
    }
    for (let at = 0; at < 8 * many; at += many)
      await times(many, async (next) => {
        await guess('code', `/${session.public_id}/order`, at + next)
        await guess('password', `/${locked.public_id}/unlock`, at + next)
      })
    const minutes = Math.floor(Date.now() / 60_000) - from + 1
    expect(admitted).toBeLessThanOrEqual(ratePolicies.public.limit * minutes)
    const [counted] = await adminSql('sandbox')<{ tries: number }>(
      'select code_tries as tries from checkout_sessions where tenant_id = $1',
      [merchant.tenantId],
    )
    expect(counted).toEqual({ tries: 30 })
  })
  await control.reconfigure('sandbox')
  console.log(`guesses: ${guesses} in ${done} rounds, none beyond the bound`)
})

test('a mailbox gets at most its share of the mails that merchants send', {
  timeout: timeoutMs,
}, async () => {
  let sent = 0
  const done = await rounds('mails', async () => {
    const merchants = await times(4, () => newMerchant())
    const links = await Promise.all(merchants.map((merchant) => newLink(merchant)))
    const name = `p${crypto.randomUUID().replace(/[^a-z]/g, '')}prueba`
    const to = new Set<string>()
    await times(many, async () => {
      const at = below(random, merchants.length)
      const email = aliasOf(name)
      to.add(email.toLowerCase())
      const { status } = await call('POST', `/v1/payment-links/${links[at]!.id}/send`, {
        bearer: merchants[at]!.apiKey,
        body: { email, message: 'Gracias' },
      })
      expect([200, 429]).toContain(status)
      sent += 1
    })
    const mails = await adminSql('sandbox')<{ status: string; dropped_for: string | null }>(
      'select status, dropped_for from outgoing_mails where tenant_id = any ($1)',
      [merchants.map(({ tenantId }) => tenantId)],
    )
    expect(mails.filter(({ status }) => status !== 'dropped').length).toBeLessThanOrEqual(30)
    // Each that is held back says why.
    expect(mails.filter(({ status, dropped_for }) => status === 'dropped' && !dropped_for)).toEqual([])
  })
  console.log(`mails: ${sent} asked for in ${done} rounds, none beyond a mailbox’s share`)
})
