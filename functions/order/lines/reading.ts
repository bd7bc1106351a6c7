import type { Call } from '../../../src/http/operation.ts'
import { itemsForSale } from '../../goods/digital-catalogs/api.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import type { AskedDiscount, NamedDiscount } from './discounts.ts'
import { partsOf } from './lines.ts'
import { discountsNamed } from './store.ts'

type Reads = Call<unknown, unknown, unknown, unknown>['read']

/** These items and the parts of bundles among them; no trip where none is named, one more for bundles. */
export async function itemsOf(read: Reads, ids: readonly string[], now: Date): Promise<ItemForSale[]> {
  const items = ids.length === 0 ? [] : await read(itemsForSale(ids, now))
  const parts = partsOf(items)
  return parts.length === 0 ? items : [...items, ...(await read(itemsForSale(parts, now)))]
}

/** The discounts that a request names and that an order has; no trip where there are none. */
export async function discountsOf(
  read: Reads,
  asked: readonly AskedDiscount[],
  customerId: string | null,
  before: readonly string[] = [],
): Promise<readonly NamedDiscount[]> {
  const ids = [...before, ...asked.flatMap((ask) => ('code' in ask ? [] : [ask.discount_id]))]
  const codes = asked.flatMap((ask) => ('code' in ask ? [ask.code] : []))
  return ids.length + codes.length === 0 ? [] : read(discountsNamed({ ids, codes, customerId }))
}
