import { expect, test } from 'vitest'
import {
  call,
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { open, rowsOf } from '../../support/pages.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, stack } from '../../support/stack.ts'

const browser = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36'

const visit = ({ public_id }: Link, headers: Record<string, string> = {}, method = 'GET') =>
  open(`/${public_id}`, { method, headers: { 'user-agent': browser, ...headers } })

type Counts = Link & { views_count: number; uses_count: number; conversion_bps: number | null }
const counts = async ({ apiKey }: Merchant, { id }: Link) => {
  const { body } = await call<Counts>('GET', `/v1/payment-links/${id}`, { bearer: apiKey })
  return [body.views_count, body.uses_count, body.conversion_bps]
}

test('openings by browsers are counted beside the payments, and nothing else of the link moves', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use' })
  expect(await counts(merchant, link)).toEqual([0, 0, null])
  const before = await rowsOf(merchant)
  await visit(link, { 'user-agent': 'WhatsApp/2.24.20.89 A' })
  await visit(link, { 'sec-fetch-site': 'same-origin' })
  await visit(link, { 'sec-purpose': 'prefetch' })
  await visit(link, {}, 'HEAD')
  for (let at = 0; at < 3; at++) expect((await visit(link)).status).toBe(200)
  await expect.poll(() => counts(merchant, link)).toEqual([3, 0, 0])
  expect(await rowsOf(merchant)).toBe(before)
  await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  expect(await counts(merchant, link)).toEqual([3, 1, 3333])
  const known = { bearer: merchant.apiKey, headers: { 'if-none-match': `"${link.version}"` } }
  const read = await call<Counts>('GET', `/v1/payment-links/${link.id}`, known)
  expect([read.status, read.body.version, read.body.uses_count]).toEqual([200, link.version, 1])
})

test('a link that cannot be paid is not viewed, and a count that would wait is left out: the page comes', async () => {
  const merchant = await newMerchant()
  const [paused, held, other] = [await newLink(merchant), await newLink(merchant), await newLink(merchant)]
  await call('POST', `/v1/payment-links/${paused.id}/deactivate`, { bearer: merchant.apiKey })
  expect((await visit(paused)).status).toBe(409)
  await visit(held)
  await expect.poll(() => counts(merchant, held)).toEqual([1, 0, 0])
  const client = new Client({ connectionString: stack.databases.sandbox.adminUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from payment_link_views where id = $1 for update', [held.id])
    expect((await visit(held)).status).toBe(200)
    const count = adminSql('sandbox')('select door.count_link_view($1)', [held.public_id])
    await expect(count).rejects.toThrow('lock timeout')
  } finally {
    await client.end()
  }
  await visit(other)
  await expect.poll(() => counts(merchant, other)).toEqual([1, 0, 0])
  expect(await counts(merchant, paused)).toEqual([0, 0, null])
})
