import { expect, test } from 'vitest'
import { call, type Link, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { open } from '../../support/pages.ts'

type Shown = Link & { uses_count: number; uses_held_count: number | null; views_count: number }

const browser = { 'user-agent': 'Mozilla/5.0 Chrome/142.0.0.0 Mobile Safari/537.36' }

/** What buyers do with a link, and how it is shown then: paid, held, its live payment. */
const cases = [
  ['nobody came', {}, [], [0, null]],
  ['single-use, paid', {}, ['tok_sbx_approve'], [1, null]],
  ['single-use, at the bank', {}, ['tok_sbx_3ds_challenge'], [0, null]],
  ['single-use, declined', {}, ['tok_sbx_decline'], [0, null]],
  ['many pay', { usage: 'multi_use' }, ['tok_sbx_approve', 'tok_sbx_approve'], [2, null]],
  ['some pay', { usage: 'multi_use', uses_max: 3 }, ['tok_sbx_approve', 'tok_sbx_3ds_challenge'], [1, 1]],
] as const

test('a link is the same by itself, in a list without filters and in a list with one', async () => {
  const merchant = await newMerchant()
  const bearer = merchant.apiKey
  const links: Link[] = []
  for (const [what, fields, tokens] of cases) {
    const link = await newLink(merchant, { ...fields, client_reference_id: what })
    links.push(link)
    await open(`/${link.public_id}`, { headers: browser })
    for (const token of tokens) await pay(link.public_id, await openLink(link.public_id), token)
  }
  const listed = async (query: string) =>
    (await call<{ data: Shown[] }>('GET', `/v1/payment-links?limit=20${query}`, { bearer })).body.data
  await expect.poll(async () => (await listed('')).every(({ views_count }) => views_count > 0)).toBe(true)

  const every = await listed('')
  expect(every.map(({ id }) => id)).toEqual(links.map(({ id }) => id).reverse())
  for (const [at, [what, , , counts]] of cases.entries()) {
    const shown = every.find(({ id }) => id === links[at]!.id)!
    expect([what, shown.uses_count, shown.uses_held_count]).toEqual([what, ...counts])
    expect(await listed(`&client_reference_id=${encodeURIComponent(what)}`)).toEqual([shown])
    expect(await listed(`&status=${shown.status}`)).toContainEqual(shown)
    expect((await call<Shown>('GET', `/v1/payment-links/${shown.id}`, { bearer })).body).toEqual(shown)
  }
})
