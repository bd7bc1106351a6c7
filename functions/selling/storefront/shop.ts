import { others } from '../../../src/http/access/kinds.ts'
import type { ProblemCode } from '../../../src/http/problems.ts'
import { onFreshRows, publishPlan, Replayed } from '../../../src/http/publishing.ts'
import type { Services } from '../../../src/http/services.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { wordTerms } from '../../../src/kernel/fold.ts'
import { publicId } from '../../../src/kernel/ids.ts'
import type { Plan, Refusal } from '../../../src/kernel/plan.ts'
import { keyDigests, sha256Hex } from '../../../src/platform/crypto.ts'
import type { Queries, RowsOf } from '../../../src/platform/postgres.ts'
import type { BoundQuery } from '../../../src/platform/query.ts'
import { termSlots } from '../../../src/platform/searching.ts'
import {
  categoriesOf,
  itemsForSale,
  ofCatalogAt,
  shownItems,
  variantsForSale,
} from '../../goods/digital-catalogs/api.ts'
import type { CategoryRow, ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import type { Left } from '../../goods/inventory/api-pure.ts'
import { publishUnderPolicy } from '../../money/payment-policy/api.ts'
import { currentSchedule, requireConfigured } from '../../money/payments/api.ts'
import { partsOf } from '../../order/lines/api-pure.ts'
import { reading } from '../../page/hosted-payment/api.ts'
import { planOrder } from '../hosted-checkout/api.ts'
import { type CartLine, quantityOf } from './cart.ts'
import { order, view } from './contract.ts'
import { leftOf, type Offer, offerOf } from './offer.ts'
import { type Shop, type Stocked, shopAt, stockOf } from './store.ts'

export const pageSize = 24

/** At the prices of the location of the catalog's page. */
const atShop = { own: true } as const

/** Where a page of the list begins: after this item. */
export interface Position {
  readonly position: number
  readonly createdAt: Date
  readonly id: string
}

/** What a buyer asks to see of a catalog. */
export interface Asked {
  readonly words: string
  readonly categoryId: string | null
  readonly after: Position | null
}

export interface Shelf {
  readonly shop: Shop
  readonly categories: readonly CategoryRow[]
  readonly offers: readonly Offer[]
  /** Null on the last page. */
  readonly next: Position | null
}

/** One round trip; null where there is no such catalog to see. */
async function read<Rows extends readonly unknown[]>(
  services: Services,
  publicId: string,
  ...queries: Queries<Rows>
): Promise<RowsOf<Rows> | null> {
  const found = await reading(services, () =>
    services.db.read(view.id, others.public_id(publicId), queries as Queries<Rows>),
  )
  return found?.rows ?? null
}

/** A page of a catalog: one round trip, and one more for variants, stock and the parts of bundles. */
export async function shelfAt(
  services: Services,
  publicId: string,
  { words, categoryId, after }: Asked,
  now: Date,
): Promise<Shelf | null> {
  const terms = wordTerms(words)
  const found = await read(
    services,
    publicId,
    shopAt({ publicId }),
    categoriesOf(publicId),
    shownItems({
      ...ofCatalogAt(publicId),
      ...(categoryId === null ? {} : { categoryId }),
      ...(after === null
        ? {}
        : {
            afterCreatedAt: after.createdAt,
            afterId: after.id,
            // A search is listed newest first.
            ...(terms.length === 0 ? { afterPosition: after.position } : {}),
          }),
      ...termSlots(terms),
      at: now,
      ...atShop,
      rows: pageSize + 1,
    }),
  )
  const [[shop], categories, items] = found ?? [[], [], []]
  if (!shop) return null
  const shown = items.slice(0, pageSize)
  const last = items.length > pageSize ? shown.at(-1)! : null
  return {
    shop,
    categories: categories.filter(({ status }) => status === 'active'),
    offers: await offersOf(services, shop, shown, now),
    next: last && { position: last.position, createdAt: last.createdAt, id: last.id },
  }
}

export interface Shown {
  readonly shop: Shop
  readonly offer: Offer
}

/** One item of a catalog; null where it does not show it. */
export async function itemAt(
  services: Services,
  publicId: string,
  id: string,
  now: Date,
): Promise<Shown | null> {
  const [[shop], [item]] = (await read(
    services,
    publicId,
    shopAt({ publicId }),
    itemsForSale([id], now, atShop),
  )) ?? [[], []]
  const isShown = item?.status === 'active' && item.variantOf === null && item.catalogId === shop?.id
  if (!shop || !item || !isShown) return null
  const [offer] = await offersOf(services, shop, [item], now)
  return { shop, offer: offer! }
}

async function offersOf(services: Services, shop: Shop, items: readonly ItemForSale[], now: Date) {
  const ids = items.map(({ id }) => id)
  const parts = partsOf(items)
  const found =
    items.length === 0
      ? null
      : await read(
          services,
          shop.publicId,
          variantsForSale(shop.id, ids, now),
          itemsForSale(parts, now, atShop),
          stockOf({ catalogId: shop.id, ids: [...ids, ...parts], locationId: shop.locationId }),
        )
  const [variants, components, stock] = found ?? [[], [], []]
  const left = leftOf([...items, ...variants, ...components], stock)
  return items.map((item) => offerOf(item, variants, left))
}

/** A cart as it stands now. */
export interface Counter {
  readonly shop: Shop
  /** What the lines name, and the parts of bundles among it. */
  readonly items: readonly ItemForSale[]
  readonly left: Left
}

/** Reads the truth about a cart: one round trip, two more where it has bundles. */
export async function counterAt(
  services: Services,
  publicId: string,
  lines: readonly CartLine[],
  now: Date,
): Promise<Counter | null> {
  const ids = lines.map(({ itemId }) => itemId)
  const [[shop], named] = (await read(
    services,
    publicId,
    shopAt({ publicId }),
    itemsForSale(ids, now, atShop),
  )) ?? [[], []]
  if (!shop) return null
  const parts = partsOf(named)
  const stockQuery = stockOf({ catalogId: shop.id, ids: [...ids, ...parts], locationId: shop.locationId })
  const [components, stock] = (await read<readonly [ItemForSale, Stocked]>(
    services,
    publicId,
    itemsForSale(parts, now, atShop),
    stockQuery,
  )) ?? [[], []]
  const items = [...named, ...components]
  return { shop, items, left: leftOf(items, stock) }
}

export interface OrderRequest {
  readonly requestId: string
  readonly now: Date
  readonly attemptKey: string
}

/**
 * Makes a checkout session of a cart without problems, and answers its public id. The same form with the same cart gets
 * the same session, however often it is sent.
 * @throws Problem where the policy, the workspace or the database refuses it
 */
export async function placeOrder(
  services: Services,
  { shop, items }: Counter,
  lines: readonly CartLine[],
  { requestId, now, attemptKey }: OrderRequest,
): Promise<string> {
  requireConfigured(services.settings)
  const credential = others.public_id(shop.publicId)
  const ordered = lines.map((line) => ({ item_id: line.itemId, quantity: quantityOf(line)! }))
  const agreed = ordered.map((line, at) => ({ ...line, seen: lines[at]!.seenMinor.toString() }))
  const cart = canonicalJson(agreed.sort((a, b) => (a.item_id < b.item_id ? -1 : 1)))
  const fingerprint = await sha256Hex(cart)
  // The cart is part of the key: a form that comes back from the browser's memory with another cart is another order.
  const keys = await keyDigests(services.settings.signingSecrets, `${attemptKey} ${fingerprint}`)
  const claim = { keys, fingerprint, status: 303 }
  const address = publicId('spcs')
  const wanted = { ...shop, catalogPublicId: shop.publicId, lines: ordered }
  const schedule = currentSchedule(services.settings, now, shop.currency)
  const call = {
    services,
    now,
    kid: shop.publicId,
    read: async <Row>(query: BoundQuery<Row>) => {
      const { rows } = await services.db.read(order.id, credential, [query])
      return (rows as unknown as Row[][])[0]!
    },
    publish: async (plan: Plan<{ public_id: string }> | Refusal<ProblemCode>) => {
      const publishing = { operation: order.id, credential, requestId, now, claim }
      return (await publishPlan(services, publishing, plan)).reply
    },
  }
  try {
    const { linkBaseUrl } = services.settings
    const selling = { ...clockOf(now), linkBaseUrl, schedule }
    const placed = await onFreshRows(3, () =>
      publishUnderPolicy(call, shop.locationId, (governing) =>
        planOrder(wanted, address, items, { ...selling, ...governing }),
      ),
    )
    return placed.public_id
  } catch (error) {
    if (error instanceof Replayed) return (JSON.parse(error.reply.body!) as { public_id: string }).public_id
    throw error
  }
}
