import { describe, expect, test } from 'vitest'
import { capture } from '../../support/authorized.ts'
import { brokenRules, paymentsOf, settleAttempts } from '../../support/books.ts'
import { payInCash, vouchersOf } from '../../support/cash.ts'
import { newSession, onSale } from '../../support/checkout.ts'
import { newDiscount } from '../../support/discounts.ts'
import { linkOfLines } from '../../support/link-lines.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { refund } from '../../support/refunds.ts'

/*
 * What an attempt holds of each scarce resource (docs/decisions/holds.md): how many of the buyers who opened their pages
 * before it are charged afterwards, all of them at once.
 */

type Terms = Readonly<Record<string, unknown>>

/** Sells a resource of which there are so many: `next` is the page of one more buyer. */
interface Resource {
  readonly places: number
  readonly sells: (merchant: Merchant, terms: Terms) => Promise<() => Promise<string>>
}

const ofSessions = (merchant: Merchant, terms: Terms) => async () =>
  (await newSession(merchant, terms)).public_id

const resources: Readonly<Record<string, Resource>> = {
  'the sale of a single-use link': {
    places: 1,
    async sells(merchant, terms) {
      const { public_id } = await newLink(merchant, terms)
      return async () => public_id
    },
  },
  'the uses of a link': {
    places: 5,
    async sells(merchant, terms) {
      const { public_id } = await newLink(merchant, { usage: 'multi_use', uses_max: 5, ...terms })
      return async () => public_id
    },
  },
  stock: {
    places: 5,
    async sells(merchant, terms) {
      const [item_id] = await onSale(merchant, 5)
      return ofSessions(merchant, { line_items: [{ item_id }], ...terms })
    },
  },
  'the stock of the lines of a link': {
    places: 5,
    async sells(merchant, terms) {
      const [item_id] = await onSale(merchant, 10)
      const chosen = { item_id, quantity: 2, quantity_min: 1, quantity_max: 3 }
      const { public_id } = await linkOfLines(merchant, [chosen], { usage: 'multi_use', ...terms })
      return async () => public_id
    },
  },
  'the uses of a discount at a link': {
    places: 5,
    async sells(merchant, terms) {
      const { code } = await newDiscount(merchant, { uses_max: 5 })
      const [item_id] = await onSale(merchant, 200)
      const fields = { usage: 'multi_use', discounts: [{ code }], ...terms }
      const { public_id } = await linkOfLines(merchant, [{ item_id }], fields)
      return async () => public_id
    },
  },
  'the uses of a discount': {
    places: 5,
    async sells(merchant, terms) {
      const { code } = await newDiscount(merchant, { uses_max: 5 })
      const line_items = [{ name: 'Taza', unit_amount: '58000', quantity: 1 }]
      return ofSessions(merchant, { line_items, discounts: [{ code }], ...terms })
    },
  },
}

const byCard = { payment_method_types: ['card'] }
const byCash = { payment_method_types: ['card', 'oxxo'] }
const authorized = { ...byCard, capture_method: 'manual' }

const card = async (publicId: string, token = 'tok_sbx_approve') => {
  await pay(publicId, await openLink(publicId), token)
}
const voucher = async (publicId: string) => {
  const { status } = await payInCash(publicId, await openLink(publicId, '?method=oxxo'), 'oxxo')
  expect(status).toBe(303)
}
const paymentOf = async ({ tenantId }: Merchant) => (await paymentsOf(tenantId))[0]!.id

/** What becomes of an attempt, and how many places it leaves of one and of five. */
const attempts: readonly (readonly [
  what: string,
  terms: Terms,
  happens: (merchant: Merchant, publicId: string) => Promise<void>,
  left: readonly [ofOne: number, ofFive: number],
])[] = [
  // A card takes over from a voucher of a sale that is sold once, where its page was opened after it (races/oxxo.test.ts).
  ['a voucher waits', byCash, (_, publicId) => voucher(publicId), [0, 4]],
  [
    'its voucher expired',
    byCash,
    async (merchant, publicId) => {
      await voucher(publicId)
      const [held] = await vouchersOf(merchant.tenantId)
      const path = `/v1/sandbox/oxxo/${held!.reference}/expire`
      expect((await call('POST', path, { bearer: merchant.apiKey })).status).toBe(200)
    },
    [1, 5],
  ],
  ['its card is declined', byCard, (_, publicId) => card(publicId, 'tok_sbx_decline_funds'), [1, 5]],
  ['its card is authorized', authorized, (_, publicId) => card(publicId), [0, 4]],
  [
    'its authorization is canceled',
    authorized,
    async (merchant, publicId) => {
      await card(publicId)
      const path = `/v1/payments/${await paymentOf(merchant)}/cancel`
      expect((await call('POST', path, { bearer: merchant.apiKey })).status).toBe(200)
    },
    [1, 5],
  ],
  [
    'its authorization is captured',
    authorized,
    async (merchant, publicId) => {
      await card(publicId)
      expect((await capture(merchant, await paymentOf(merchant))).status).toBe(200)
    },
    [0, 4],
  ],
  ['its card is charged', byCard, (_, publicId) => card(publicId), [0, 4]],
  [
    'it is refunded',
    byCard,
    async (merchant, publicId) => {
      await card(publicId)
      expect((await refund(merchant, { payment_id: await paymentOf(merchant) })).status).toBe(201)
    },
    [0, 4],
  ],
]

const charged = async ({ tenantId }: Merchant) =>
  (await paymentsOf(tenantId)).filter(({ status }) => status === 'succeeded' || status === 'requires_capture')
    .length

/** How many of so many buyers at once are charged, whose pages were open before something happened. */
async function chargedOf(
  count: number,
  { sells }: Resource,
  [terms, happens]: readonly [Terms, (merchant: Merchant, publicId: string) => Promise<void>],
): Promise<number> {
  const merchant = await newMerchant()
  const next = await sells(merchant, terms)
  const first = await next()
  const pages = await Promise.all(Array.from({ length: count }, next))
  const forms = await Promise.all(pages.map((publicId) => openLink(publicId)))
  await happens(merchant, first)
  await settleAttempts(merchant.tenantId, 3)
  const before = await charged(merchant)
  await Promise.all(pages.map((publicId, at) => pay(publicId, forms[at]!, 'tok_sbx_approve')))
  await settleAttempts(merchant.tenantId, 3)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  return (await charged(merchant)) - before
}

describe.each(Object.entries(resources))('%s', (_, resource) => {
  test(`50 buyers at once: ${resource.places} of them`, async () => {
    expect(await chargedOf(50, resource, [byCard, async () => {}])).toBe(resource.places)
  })

  test.each(attempts)('%s', async (_what, terms, happens, [ofOne, ofFive]) => {
    expect(await chargedOf(10, resource, [terms, happens])).toBe(resource.places === 1 ? ofOne : ofFive)
  })
})
