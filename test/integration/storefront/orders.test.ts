import { expect, test } from 'vitest'
import {
  checkout,
  completeFree,
  newSession,
  payByCard,
  type Session,
  stateOf,
} from '../../support/checkout.ts'
import { asked, newItem } from '../../support/digital-catalogs.ts'
import { call, newMerchant, openLink } from '../../support/merchant.ts'
import { stack } from '../../support/stack.ts'
import { levelsOf } from '../../support/stock.ts'
import { fresh, newShop, order, put, see } from '../../support/storefront.ts'

const sessionOf = async (shop: Awaited<ReturnType<typeof newShop>>, location: string | null) => {
  const id = /\/(spcs_[a-z0-9]{32})/.exec(location ?? '')?.[1]
  return (await checkout<Session & Record<string, unknown>>(shop.merchant, 'GET', `/sessions/${id}`)).body
}

test('a cart becomes one checkout session, is paid, and its stock is sold', async () => {
  const shop = await newShop()
  const cup = await put(shop, 'Taza azul', { onHand: 5, amount: '11600' })
  const book = await put(shop, 'Recetario', { amount: '10000', price_includes_tax: false })
  const page = await see(fresh(shop.path))
  const placed = await order(shop, page, { [cup.id]: 2, [book.id]: 1 })
  expect([placed.status, placed.location]).toEqual([
    303,
    expect.stringMatching(/^\/spcs_[a-z0-9]{32}\?lang=en$/),
  ])
  const session = await sessionOf(shop, placed.location)
  expect(session).toMatchObject({
    status: 'open',
    amount: '34800',
    origin: { surface: 'catalog', ref: shop.catalog.public_id },
    cancel_url: `https://${stack.sandbox.linkBaseUrl}${shop.path}`,
    payment_method_types: ['card', 'oxxo', 'spei'],
    installment_options: [],
    line_items: [
      { item_id: cup.id, quantity: 2, amount_total: '23200' },
      { item_id: book.id, quantity: 1, amount_total: '11600' },
    ],
  })
  const pay = await see(placed.location!)
  expect(pay.html).toContain(`href="${shop.path}"`)
  await payByCard(session)
  expect(await stateOf(shop.merchant, session)).toBe('complete/paid')
  expect(await levelsOf(shop.merchant, cup.id)).toEqual(['3/0'])
})

test('the same form, sent 50 times at once, is one session; with another cart it is another', async () => {
  const shop = await newShop()
  const cup = await put(shop, 'Taza')
  const page = await see(fresh(shop.path))
  const replies = await Promise.all(Array.from({ length: 50 }, () => order(shop, page, { [cup.id]: 2 })))
  expect([...new Set(replies.map(({ status }) => status))]).toEqual([303])
  expect(new Set(replies.map(({ location }) => location)).size).toBe(1)
  const other = await order(shop, page, { [cup.id]: 3 })
  expect(other.status).toBe(303)
  expect(other.location).not.toBe(replies[0]!.location)
  const { body } = await checkout<{ data: unknown[] }>(shop.merchant, 'GET', '/sessions')
  expect(body.data).toHaveLength(2)
})

test('a buyer who agrees to a price that fell since an order of the same form gets that price', async () => {
  const shop = await newShop()
  const cup = await put(shop, 'Taza')
  const page = await see(fresh(shop.path))
  const first = await order(shop, page, { [cup.id]: 1 })
  await asked(shop.merchant, 'POST', `/items/${cup.id}/prices`, { amount: '8000' })
  const back = await order(shop, page, { [cup.id]: 1 })
  expect(back.html).toContain('The price changed from $100.00 to $80.00')
  const agreed = await order(shop, back, { [cup.id]: 1 })
  expect([agreed.status, agreed.location === first.location]).toEqual([303, false])
  expect(await sessionOf(shop, agreed.location)).toMatchObject({ amount: '8000' })
})

test('an order of items that are free of charge is completed without a payment', async () => {
  const shop = await newShop()
  const leaflet = await put(shop, 'Folleto', { amount: '0', onHand: 5 })
  const { location } = await order(shop, await see(fresh(shop.path)), { [leaflet.id]: 2 })
  const session = await sessionOf(shop, location)
  expect(session).toMatchObject({ amount: '0', payment_status: 'no_payment_required' })
  const done = await completeFree(session.public_id, await openLink(session.public_id))
  expect([done.status, await stateOf(shop.merchant, session)]).toEqual([303, 'complete/no_payment_required'])
  expect((await see(done.location)).html).toContain('$0.00')
  expect(await levelsOf(shop.merchant, leaflet.id)).toEqual(['3/0'])
  const line_items = [{ item_id: leaflet.id, quantity: 1 }]
  const made = await newSession(shop.merchant, { line_items, payment_method_types: ['card', 'oxxo'] })
  expect(made).toMatchObject({ amount: '0', payment_status: 'no_payment_required' })
  const nothing = await checkout(shop.merchant, 'POST', '/sessions', { amount: '0' })
  expect(nothing.status).toBe(422)
})

test('two readers of one page have keys of their own: neither gets the other’s session', async () => {
  const shop = await newShop()
  const cup = await put(shop, 'Taza')
  const address = fresh(shop.path)
  const [one, other] = [await see(address), await see(address)]
  const [mine, yours] = [await order(shop, one, { [cup.id]: 1 }), await order(shop, other, { [cup.id]: 1 })]
  expect([mine.status, yours.status]).toEqual([303, 303])
  expect(mine.location).not.toBe(yours.location)
})

test('what a cart cannot be ordered for stands at its line, and nothing of it is lost', async () => {
  const shop = await newShop()
  const gone = await put(shop, 'Cuenco')
  const out = await put(shop, 'Plato', { onHand: 1 })
  const few = await put(shop, 'Vaso', { onHand: 2 })
  const most = await put(shop, 'Jarra', { sold_quantity_max: 3 })
  const dearer = await put(shop, 'Taza')
  const fine = await put(shop, 'Libro')
  const page = await see(fresh(shop.path))
  await asked(shop.merchant, 'POST', `/items/${gone.id}/deactivate`)
  await asked(shop.merchant, 'POST', `/items/${dearer.id}/prices`, { amount: '12000' })
  const taken = await order(shop, page, { [out.id]: 1 })
  await payByCard(await sessionOf(shop, taken.location))
  const cart = { [gone.id]: 1, [out.id]: 1, [few.id]: 3, [most.id]: 4, [dearer.id]: 2, [fine.id]: 7 }
  const back = await order(shop, page, cart)
  expect(back.status).toBe(422)
  for (const said of [
    'Cuenco: It is no longer for sale.',
    'Plato: It is sold out.',
    'Vaso: Only 2 left.',
    'Jarra: An order may have up to 3.',
    'Taza: The price changed from $100.00 to $120.00. Continue if you agree.',
  ])
    expect(back.html).toContain(said)
  expect(back.html).toMatch(new RegExp(`name="quantity.${fine.id}"[^>]* value="7"`))
  expect(back.html).not.toContain(`quantity.${gone.id}`)
  const corrected = { [few.id]: 2, [most.id]: 3, [dearer.id]: 2, [fine.id]: 7 }
  expect((await order(shop, back, corrected)).status).toBe(303)
})

test('where too few are left and nothing else is wrong, one button orders what is left, without a script', async () => {
  const shop = await newShop()
  const [few, fine] = [await put(shop, 'Vaso', { onHand: 2 }), await put(shop, 'Libro')]
  const back = await order(shop, await see(fresh(shop.path)), { [few.id]: 3, [fine.id]: 7 })
  expect(back.html).toContain('Vaso: Only 2 left.')
  const offer = /<form method="post"[^>]*>([\s\S]*?)<button[^>]*>Continue with what is left/.exec(
    back.html,
  )![1]!
  const fields = [...offer.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name!,
    value!,
  ])
  const reply = await fetch(`${stack.sandbox.directUrl}${shop.path}/checkout`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  })
  const session = await sessionOf(shop, reply.headers.get('location'))
  expect(session).toMatchObject({ line_items: [{ quantity: 2 }, { quantity: 7 }] })
})

test('a bundle and its part draw on one stock', async () => {
  const shop = await newShop()
  const cup = await put(shop, 'Taza', { onHand: 3 })
  const plate = await put(shop, 'Plato')
  const set = await newItem(shop.merchant, shop.catalog.id, {
    kind: 'bundle',
    name: 'Juego',
    price: { amount: '20000' },
    components: [
      { item_id: cup.id, quantity: 2 },
      { item_id: plate.id, quantity: 2 },
    ],
  })
  const page = await see(fresh(shop.path))
  expect((await order(shop, page, { [set.id]: 1, [cup.id]: 1 })).status).toBe(303)
  const back = await order(shop, page, { [set.id]: 1, [cup.id]: 2 })
  expect([back.status, back.html]).toEqual([409, expect.stringContaining('Taza: Only 1 left.')])
})

test('numbers that are none, an empty cart, and forms that are not ours', async () => {
  const shop = await newShop()
  const cup = await put(shop, 'Taza')
  const page = await see(fresh(shop.path))
  for (const typed of ['-1', '1.5', 'dos', '99999', '1e3', ' ٣'])
    expect([typed, (await order(shop, page, { [cup.id]: typed })).status]).toEqual([typed, 422])
  expect((await order(shop, page, { [cup.id]: '' })).html).toContain('Your order is empty')
  expect((await order(shop, page, { [cup.id]: 0 })).status).toBe(422)
  expect((await order(shop, page, { [cup.id]: 1 }, { attempt_key: 'x' })).status).toBe(400)
  expect((await order(shop, page, {}, { 'choice.a': 'nonsense', 'quantity.a': '1' })).status).toBe(400)
  const many = Object.fromEntries(Array.from({ length: 101 }, () => [crypto.randomUUID(), 1]))
  expect((await order(shop, page, many)).html).toContain('up to 100 different items')
  const foreign = await fetch(`${stack.sandbox.directUrl}${shop.path}/checkout`, {
    method: 'POST',
    body: new URLSearchParams({ attempt_key: 'a'.repeat(32) }),
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(foreign.status).toBe(403)
  expect((await see(`${shop.path}/checkout`)).status).toBe(303)
})

test('items of other catalogs and workspaces are none of this one', async () => {
  const shop = await newShop()
  const page = await see(fresh(shop.path))
  const sibling = await newShop({ name: 'Otra' }, shop.merchant)
  const stranger = await newShop()
  for (const other of [sibling, stranger]) {
    const item = await put(other, 'Secreto')
    const back = await order(shop, page.html.includes('attempt_key') ? page : await see(fresh(other.path)), {
      [item.id]: 1,
    })
    expect([back.status, back.html.includes('Secreto')]).toEqual([409, false])
  }
})

test('totals that no method takes, and a catalog’s own terms', async () => {
  const shop = await newShop({
    payment_method_types: ['card', 'spei'],
    installment_options: [{ months: 3 }, { months: 6 }],
  })
  const [small, large] = [
    await put(shop, 'Lápiz', { amount: '100' }),
    await put(shop, 'Casa', { amount: '999999999999' }),
  ]
  const table = await put(shop, 'Mesa', { amount: '60000' })
  const page = await see(fresh(shop.path))
  expect((await order(shop, page, { [small.id]: 1 })).html).toContain('below the least')
  expect((await order(shop, page, { [large.id]: 10_000 })).html).toContain('above the most')
  const { location } = await order(shop, page, { [table.id]: 1 })
  expect(await sessionOf(shop, location)).toMatchObject({
    payment_method_types: ['card', 'spei'],
    installment_options: [{ months: 3 }, { months: 6 }],
  })
  // 100 pesos a month at least: of both terms none fits.
  expect(await sessionOf(shop, (await order(shop, page, { [small.id]: 200 })).location)).toMatchObject({
    payment_method_types: ['card', 'spei'],
    installment_options: [],
  })
})

test('a location’s stock and policy', async () => {
  const merchant = await newMerchant()
  const location = await call<{ id: string }>('POST', '/v1/workspace/locations', {
    bearer: merchant.apiKey,
    body: { name: 'Centro', time_zone: 'America/Mexico_City' },
  })
  expect(location.status, location.text).toBe(201)
  const shop = await newShop({ location_id: location.body.id }, merchant)
  const cup = await put(shop, 'Taza', { onHand: 5 })
  expect((await see(fresh(shop.path))).html).toContain('Sold out')
  const page = await see(fresh(shop.path))
  expect((await order(shop, page, { [cup.id]: 1 })).html).toContain('Taza: It is sold out.')
})
