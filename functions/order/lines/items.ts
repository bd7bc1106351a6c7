import type { Call } from '../../../src/http/operation.ts'
import { itemsForSale } from '../../goods/digital-catalogs/api.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import { partsOf } from './lines.ts'

type Reads = Call<unknown, unknown, unknown, unknown>['read']

/** These items and the parts of bundles among them; no trip where none is named, one more for bundles. */
export async function itemsOf(read: Reads, ids: readonly string[], now: Date): Promise<ItemForSale[]> {
  const items = ids.length === 0 ? [] : await read(itemsForSale(ids, now))
  const parts = partsOf(items)
  return parts.length === 0 ? items : [...items, ...(await read(itemsForSale(parts, now)))]
}
