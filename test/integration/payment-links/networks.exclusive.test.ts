import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSession, onSale } from '../../support/checkout.ts'
import { newDiscount } from '../../support/discounts.ts'
import { linkOfLines } from '../../support/link-lines.ts'
import { newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { open } from '../../support/pages.ts'
import { control } from '../../support/stack.ts'
import { newShop, order, put, type Shop, see } from '../../support/storefront.ts'

/** A restaurant, and a carrier's network, are one address for many buyers. */

const limit = 10
beforeAll(() =>
  control.reconfigure('sandbox', {
    rateLimits: {
      RATE_READ: { limit, period: 60 },
      RATE_PUBLIC: { limit, period: 60 },
      RATE_AUTH: { limit, period: 60 },
      RATE_STRANGER: { limit: 4 * limit, period: 60 },
      RATE_WRITE: { limit: 30 * limit, period: 60 },
    },
  }),
)
afterAll(() => control.reconfigure('sandbox'))

const many = { usage: 'multi_use', payment_method_types: ['card'] }
const times = async <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> => {
  const replies: T[] = []
  for (let at = 0; at < count; at++) replies.push(await work(at))
  return replies
}
const statusOf = async (path: string, init?: RequestInit) => (await open(path, init)).status
/** Past the end of the counter's minute, which may fall between requests, one more round is refused. */
const endsIn429 = async (work: () => Promise<number>) => {
  for (let tries = 0; tries < 10 * limit; tries++) if ((await work()) === 429) return true
  return false
}

test('what open pages ask by themselves leaves the page, other sales and the payment free', async () => {
  const merchant = await newMerchant()
  const [one, other] = [await newLink(merchant, many), await newLink(merchant, many)]
  const form = await openLink(one.public_id)
  expect(await endsIn429(() => statusOf(`/${one.public_id}/status`))).toBe(true)
  expect(await statusOf(`/${one.public_id}`)).toBe(200)
  expect(await endsIn429(() => statusOf(`/${one.public_id}`))).toBe(true)
  expect(await statusOf(`/${other.public_id}`)).toBe(200)
  expect((await pay(one.public_id, form, 'tok_sbx_approve')).status).toBe(303)
})

test('who reads one catalog, and downloads of it, leaves the other catalogs of the address free', async () => {
  const [one, other] = [await newShop(), await newShop()]
  const thing = await put(other, 'Taza')
  expect(await endsIn429(() => statusOf(one.path))).toBe(true)
  const download = ({ catalog }: Shop) => statusOf(`/downloads/${catalog.public_id}/AAAA`)
  expect(await endsIn429(() => download(one))).toBe(true)
  expect(await download(other)).toBe(404)
  expect((await order(other, await see(other.path), { [thing.id]: 1 })).status).toBe(303)
})

test('attempts are bounded for each quote: cards are not tried out', async () => {
  const link = await newLink(await newMerchant(), many)
  const form = await openLink(link.public_id)
  const key = (at: number) => String(at).padStart(32, 'a')
  const statuses = await times(3 * limit, async (at) =>
    pay(link.public_id, { ...form, attempt_key: key(at) }, 'tok_sbx_decline_generic').then(
      ({ status }) => status,
    ),
  )
  expect(statuses.slice(0, limit - 1)).not.toContain(429)
  expect(statuses).toContain(429)
})

test('forms without a valid quote count like pages', async () => {
  const link = await newLink(await newMerchant(), many)
  const forged = { quote: 'forged', attempt_key: 'a'.repeat(32) }
  expect(
    await endsIn429(() => pay(link.public_id, forged, 'tok_sbx_approve').then(({ status }) => status)),
  ).toBe(true)
})

test('a receipt as a file is drawn at most as often as a password is checked', async () => {
  const link = await newLink(await newMerchant(), many)
  const paid = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  const receipt = new URL(paid.location!, 'http://localhost').pathname
  expect(await statusOf(`${receipt}/receipt.pdf`)).toBe(200)
  expect(await times(3 * limit, () => statusOf(`${receipt}/receipt.pdf`))).toContain(429)
})

test('a password and a code are not guessed, from one address or from many', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { password: 'la-correcta' })
  const guess = (at: number) =>
    statusOf(`/${link.public_id}/unlock`, {
      method: 'POST',
      headers: { 'cf-connecting-ip': `198.51.100.${at % 250}` },
      body: new URLSearchParams({ password: `mala-${at}` }),
    })
  expect(await times(3 * limit, guess)).toContain(429)
  const session = await newSession(merchant, {
    line_items: [{ name: 'Café', unit_amount: '1000' }],
    allows_discount_codes: true,
  })
  const code = (at: number) =>
    statusOf(`/${session.public_id}/order`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ code: `MALO${at}` }),
    })
  expect(await times(3 * limit, code)).toContain(429)
})

test('codes in the addresses of a link are not guessed, from one address or from many', async () => {
  await control.reconfigure('sandbox', {
    rateLimits: { RATE_AUTH: { limit, period: 60 }, RATE_WRITE: { limit: 3 * limit, period: 60 } },
  })
  const merchant = await newMerchant()
  const { code } = await newDiscount(merchant)
  const [item_id] = (await onSale(merchant, 9)) as [string]
  const linkOf = () => linkOfLines(merchant, [{ item_id }], { ...many, allows_discount_codes: true })
  const at = (link: { public_id: string }, query: string, network: string) =>
    statusOf(`/${link.public_id}${query}`, { headers: { 'cf-connecting-ip': network } })
  const one = await linkOf()
  const home = '198.51.100.7'
  expect(await endsIn429(() => at(one, '?code=MALO', home))).toBe(true)
  // What that address has spent it has spent alone: others still open the link with a code.
  const open = [
    await at(one, '', home),
    await at(await linkOf(), `?code=${code}`, home),
    await at(one, `?code=${code}`, '198.51.100.8'),
  ]
  expect(open).toEqual([200, 200, 200])
  const other = await linkOf()
  let asked = 0
  expect(await endsIn429(() => at(other, '?code=MALO', `198.51.${asked++}.9`))).toBe(true)
  expect(asked).toBeGreaterThan(2 * limit)
})
