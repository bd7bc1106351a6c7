import { expect, test } from 'vitest'
import { balancesOf, brokenRules } from '../../support/books.ts'
import { type Cart, type CartLine, type Drawn, drawn, rates, sumsOf } from '../../support/carts.ts'
import { checkout, completeFree } from '../../support/checkout.ts'
import { asked, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { adjustOrder, newDiscount } from '../../support/discounts.ts'
import { linkOfLines, orderAt } from '../../support/link-lines.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { stack } from '../../support/stack.ts'

/*
 * Random carts and links are paid on the stack and computed a second time by test/support/carts.ts: what is charged, the
 * tip, the IVA by rate, the receipt and the books agree to the cent. `CARTS=2000 CARTS_SEED=7 npx vitest run …` makes more.
 */
const count = Number(process.env.CARTS ?? 60)
const seed = Number(process.env.CARTS_SEED ?? Math.trunc(Math.random() * 2 ** 31))
const atOnce = 4
const perMerchant = 100

interface Seller {
  readonly merchant: Merchant
  readonly items: readonly (CartLine & { readonly id: string })[]
  readonly codes: readonly { readonly code: string; readonly part: Cart['discounts'][number] }[]
  charged: bigint
}

async function newSeller(draw: Drawn): Promise<Seller> {
  const merchant = await newMerchant()
  const catalog = await newCatalog(merchant)
  const items: (CartLine & { id: string })[] = []
  for (const rate of rates)
    for (const included of [true, false]) {
      const unit = BigInt(draw.between(1_000, 400_000))
      const { id } = await newItem(merchant, catalog.id, {
        kind: 'service',
        name: `Pieza ${rate} ${included}`,
        price: { amount: unit.toString() },
        iva_rate: rate,
        price_includes_tax: included,
      })
      items.push({ id, unit, quantity: 1n, rate, included })
    }
  await asked(merchant, 'POST', `/${catalog.id}/publish`)
  const codes: { code: string; part: Cart['discounts'][number] }[] = []
  for (const at of [0, 1, 2, 3]) {
    const code = `CARRITO${at}`
    const value = draw.between(1, 5_000)
    const part = at % 2 === 0 ? { bps: BigInt(value) } : { amount: BigInt(value) }
    const off = at % 2 === 0 ? { percent_off_bps: value } : { amount_off: String(value), currency: 'mxn' }
    await newDiscount(merchant, { code, percent_off_bps: null, ...off })
    codes.push({ code, part })
  }
  return { merchant, items, codes, charged: 0n }
}

function lineOf(draw: Drawn, { items }: Seller) {
  const quantity = draw.between(1, 25)
  const item = draw.oneOf(items)
  if (draw.isAmong(2))
    return { line: { ...item, quantity: BigInt(quantity) }, body: { item_id: item.id, quantity } }
  const [rate, included, unit] = [draw.oneOf(rates), draw.isAmong(2), draw.between(101, 30_000)]
  return {
    line: { unit: BigInt(unit), quantity: BigInt(quantity), rate, included },
    body: {
      name: 'Pieza',
      unit_amount: String(unit),
      quantity,
      iva_rate: rate,
      price_includes_tax: included,
    },
  }
}

/** Terms of a purchase in months, for what is dear enough. */
function termsOf(draw: Drawn, amount: bigint) {
  if (amount < 120_000n || draw.isAmong(2)) return { markupBps: 0n, months: undefined, terms: {} }
  const [bps, months] = [draw.between(0, 1_500), draw.oneOf([3, 6])]
  return {
    markupBps: BigInt(bps),
    months,
    terms: {
      installment_options: [{ months: 3 }, { months: 6 }],
      installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: bps },
    },
  }
}

/** Ways to be sent, and the one that is chosen. */
function waysOf(draw: Drawn) {
  const ways = [0, 1].map(() => ({ amount: BigInt(draw.between(0, 20_000)), rate: draw.oneOf(rates) }))
  const way = draw.oneOf([null, 0, 1] as const)
  const offered = ways.map(({ amount, rate }, at) => ({
    name: `Vía ${at}`,
    amount: String(amount),
    iva_rate: rate,
  }))
  return { way, ways, shipping_options: way === null ? [] : offered }
}

/** Tips on what the lines cost, and the one that is chosen. */
function tipOf(draw: Drawn, amount: bigint) {
  const bps = draw.between(1, 3_000)
  const own = BigInt(draw.between(0, Math.min(Number(amount), 50_000)))
  const tip = draw.oneOf([null, { bps: BigInt(bps) }, { amount: own }])
  return { tip, tips: { presets_bps: [bps], allows_own_amount: true } }
}

/** The fields of the page by which a buyer chooses them. */
const chosenAs = (way: number | null, tip: Cart['tip']) => ({
  ...(way === null ? {} : { shipping: String(way) }),
  ...(tip === null
    ? {}
    : 'bps' in tip
      ? { tip: String(tip.bps) }
      : { tip: 'own', tip_own: pesos(tip.amount) }),
})

const none = { discounts: [], shipping: null, tip: null, markupBps: 0n }
const onlyCard = { currency: 'mxn', payment_method_types: ['card'] }

async function newSale(draw: Drawn, seller: Seller) {
  const { merchant } = seller
  const drawnLines = Array.from({ length: draw.between(1, 4) }, () => lineOf(draw, seller))
  // A card takes at least 10.00: lines come to as much, and what codes leave is nothing or as much.
  while (sumsOf({ ...none, lines: drawnLines.map(({ line }) => line) }).amount < 1_000n)
    drawnLines.push(lineOf(draw, seller))
  const lines = drawnLines.map(({ line }) => line)
  const drawnCodes = seller.codes.filter(() => draw.isAmong(3))
  const left = sumsOf({ ...none, lines, discounts: drawnCodes.map(({ part }) => part) }).amount
  const codes = left > 0n && left < 1_000n ? [] : drawnCodes
  const { way, ways, shipping_options } = waysOf(draw)
  const priced: Cart = {
    ...none,
    lines,
    discounts: codes.map(({ part }) => part),
    shipping: way === null ? null : ways[way]!,
  }
  const { subtotal, discount } = sumsOf(priced)
  const { tip, tips } = tipOf(draw, subtotal - discount)
  const tipped: Cart = { ...priced, tip }
  const { markupBps, months, terms } = termsOf(draw, subtotal - discount)
  const { body, status, text } = await checkout(merchant, 'POST', '/sessions', {
    line_items: drawnLines.map((each) => each.body),
    discounts: codes.map(({ code }) => ({ code })),
    shipping_options,
    tips,
    ...onlyCard,
    ...terms,
  })
  if (status !== 201) throw new Error(`${status} ${text}`)
  await adjustOrder(body.public_id, chosenAs(way, tip))
  return { id: body.id, publicId: body.public_id, query: '', months, cart: { ...tipped, markupBps } }
}

async function newLinkSale(draw: Drawn, seller: Seller) {
  const [item, quantity, isChosen] = [draw.oneOf(seller.items), draw.between(1, 25), draw.isAmong(2)]
  const line = { ...item, quantity: BigInt(quantity) }
  const { markupBps, months, terms } = termsOf(draw, sumsOf({ ...none, lines: [line] }).amount)
  const snapshot = {
    item_id: 'pieza',
    name: 'Pieza',
    unit_amount: String(item.unit),
    quantity: isChosen ? 1 : quantity,
    iva_rate: item.rate,
    price_includes_tax: item.included,
  }
  const sold = draw.isAmong(2)
    ? { catalog_line_item: { item_id: item.id, quantity: isChosen ? 1 : quantity } }
    : { catalog_line_item_snapshot: snapshot }
  const { body, status, text } = await call<{ id: string; public_id: string }>('POST', '/v1/payment-links', {
    bearer: seller.merchant.apiKey,
    body: {
      amount_source: 'catalog_line_item',
      ...sold,
      ...(isChosen ? { adjustable_quantity: { min: months ? quantity : 1, max: 25 } } : {}),
      ...onlyCard,
      ...terms,
    } as never,
  })
  if (status !== 201) throw new Error(`${status} ${text}`)
  const query = isChosen ? `?quantity=${quantity}` : ''
  return { id: body.id, publicId: body.public_id, query, months, cart: { ...none, lines: [line], markupBps } }
}

/** A link of several items of catalogs. */
async function newLinesSale(draw: Drawn, seller: Seller) {
  const { merchant, items } = seller
  const lines = Array.from({ length: draw.between(1, 5) }, () => ({
    ...draw.oneOf(items),
    quantity: BigInt(draw.between(1, 25)),
  }))
  const bounds = { quantity_min: 1, quantity_max: 25 }
  const counted = lines.map(() => draw.isAmong(2))
  const first = lines.map((line, at) =>
    counted[at] ? { ...line, quantity: BigInt(draw.between(1, 25)) } : line,
  )
  const asked = first.map(({ id, quantity }, at) => ({
    item_id: id,
    quantity: Number(quantity),
    ...(counted[at] ? bounds : {}),
  }))
  // What codes leave is as much as a card takes, of what the buyer chooses and of what the page begins with.
  const isEnough = (codes: Seller['codes']) =>
    [first, lines].every(
      (each) => sumsOf({ ...none, lines: each, discounts: codes.map(({ part }) => part) }).amount >= 1_000n,
    )
  const drawnCodes = seller.codes.filter(() => draw.isAmong(3))
  const codes = isEnough(drawnCodes) ? drawnCodes : []
  const isTyped = draw.isAmong(2)
  const presets = isTyped ? codes.slice(0, -1) : codes
  const typed = isTyped ? codes.at(-1) : undefined
  const discounts = codes.map(({ part }) => part)
  const { subtotal, discount } = sumsOf({ ...none, lines, discounts })
  const { way, ways, shipping_options } = waysOf(draw)
  const { tip, tips } = tipOf(draw, subtotal - discount)
  const { markupBps, months, terms } = termsOf(draw, subtotal - discount)
  const quantities = lines.flatMap(({ quantity }, at) =>
    counted[at] ? [[`quantity.${at}`, String(quantity)]] : [],
  )
  const taken = { discounts: presets.map(({ code }) => ({ code })), allows_discount_codes: true }
  const link = await linkOfLines(merchant, asked, { ...taken, shipping_options, tips, ...onlyCard, ...terms })
  const query = await orderAt(link, {
    ...Object.fromEntries(quantities),
    ...chosenAs(way, tip),
    ...(typed ? { code: typed.code.toLowerCase() } : {}),
  })
  const cart = { ...none, lines, discounts, shipping: way === null ? null : ways[way]!, tip, markupBps }
  return { id: link.id, publicId: link.public_id, query, months, cart }
}

/** `1234.50` */
const pesos = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`
const shown = (minor: bigint) => `$${pesos(minor).replace(/\B(?=(\d{3})+\.)/g, ',')}`

interface Paid {
  readonly amount: string
  readonly amount_tip: string
  readonly amount_markup: string
  readonly taxes: readonly object[]
}

async function payAndCompare(draw: Drawn, seller: Seller): Promise<void> {
  const { merchant } = seller
  const sale = await draw.oneOf([newSale, newSale, newLinkSale, newLinesSale])(draw, seller)
  const expected = sumsOf(sale.cart)
  const form = await openLink(sale.publicId, sale.query)
  const at = `/v1/payment-operations/payments?origin_id=${sale.id}`
  const paymentsNow = async () =>
    (await call<{ data: Paid[] }>('GET', at, { bearer: merchant.apiKey })).body.data
  if (expected.charged === 0n) {
    expect((await completeFree(sale.publicId, form)).status).toBe(303)
    expect((await checkout(merchant, 'GET', `/sessions/${sale.id}`)).body.status).toBe('complete')
    expect(await paymentsNow()).toEqual([])
    return
  }
  const { status, location, html } = await pay(sale.publicId, form, 'tok_sbx_msi_3_6_9_12', sale.months)
  expect(status, html).toBe(303)
  const data = await paymentsNow()
  expect(
    data,
    JSON.stringify(sale.cart, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  ).toMatchObject([
    {
      status: 'succeeded',
      amount: String(expected.charged),
      amount_tip: String(expected.tip),
      amount_markup: String(expected.markup),
      taxes: expected.taxes,
    },
  ])
  seller.charged += expected.charged
  const receipt = await (await fetch(new URL(location!, stack.sandbox.directUrl))).text()
  // A rate that discounts leave nothing of is not shown.
  const shownRates = expected.taxes.filter(({ iva_rate, base }) => iva_rate !== 'exempt' && base !== '0')
  const amounts = shownRates.map(({ iva }) => BigInt(iva))
  for (const amount of [expected.charged, ...amounts]) expect(receipt).toContain(shown(amount))
}

test(`${count} carts and links cost, tax and show what a second computation says`, {
  timeout: 120_000 + count * 10_000,
}, async () => {
  console.log(`carts: CARTS_SEED=${seed}`)
  const failures: string[] = []
  for (let done = 0; done < count; done += perMerchant) {
    const draw = drawn(seed + done)
    const seller = await newSeller(draw)
    const draws = Array.from({ length: Math.min(perMerchant, count - done) }, (_, at) =>
      drawn(seed + 7_919 * (done + at)),
    )
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let each = draws.pop(); each; each = draws.pop())
          await payAndCompare(each, seller).catch((error: Error) => failures.push(error.message))
      }),
    )
    expect(failures.slice(0, 3), `${failures.length} carts`).toEqual([])
    expect((await balancesOf(seller.merchant.tenantId))['mxn/processor_clearing']).toBe(-seller.charged)
    expect(await brokenRules(seller.merchant.tenantId)).toEqual([])
  }
})
