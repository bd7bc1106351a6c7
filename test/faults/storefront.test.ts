import { expect, test } from 'vitest'
import { asked } from '../support/digital-catalogs.ts'
import { counts } from '../support/stack.ts'
import { attemptKeyIn, newShop, order, put, see } from '../support/storefront.ts'

test('a page that is kept costs no call to the database; an order reads the truth', async () => {
  const shop = await newShop()
  const cup = await put(shop, 'Taza')
  const drawn = await counts.during(() => see(shop.path))
  expect(drawn.calls.neon).toHaveLength(2)
  for (const address of [
    shop.path,
    `${shop.path}?utm_source=mail&fbclid=x`,
    `${shop.path}?q=&category=`,
    `${shop.path}?lang=en`,
  ]) {
    const kept = await counts.during(() => see(address, { cookie: 'a=b' }))
    expect([address, kept.result.status, kept.calls.neon.length, kept.calls.redis.length]).toEqual([
      address,
      200,
      0,
      0,
    ])
    expect(attemptKeyIn(kept.result)).toMatch(/^[a-z0-9]{32}$/)
    expect(attemptKeyIn(kept.result)).not.toBe(attemptKeyIn(drawn.result))
    expect(kept.result.headers.get('content-security-policy')).toBe(
      drawn.result.headers.get('content-security-policy'),
    )
  }
  const item = `${shop.path}/${cup.id}`
  expect((await counts.during(() => see(item))).calls.neon).toHaveLength(2)
  expect((await counts.during(() => see(item))).calls.neon).toHaveLength(0)

  // The kept page still offers it; the order does not.
  await asked(shop.merchant, 'POST', `/items/${cup.id}/deactivate`)
  const stale = await see(shop.path)
  expect(stale.html).toContain(`quantity.${cup.id}`)
  const refused = await order(shop, stale, { [cup.id]: 1 })
  expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('no longer for sale')])
  await asked(shop.merchant, 'POST', `/items/${cup.id}/activate`)
  await asked(shop.merchant, 'POST', `/${shop.catalog.id}/unpublish`)
  expect((await order(shop, stale, { [cup.id]: 1 })).status).toBe(404)
})
