import type { Call } from '../../../src/http/operation.ts'
import { itemsForSale } from '../../goods/digital-catalogs/api.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import { type AskedItem, partsOf } from './lines.ts'

type Reads = Call<unknown, unknown, unknown, unknown>['read']

/** Where and when something is sold. */
export interface Selling {
  readonly now: Date
  /** Null: at no location. */
  readonly locationId: string | null
}

/** The items that lines name and the parts of bundles among them; no trip where none is named, one more for bundles. */
export async function itemsOf(
  read: Reads,
  asked: readonly (AskedItem | { readonly name: string })[],
  { now, locationId }: Selling,
): Promise<ItemForSale[]> {
  const ids = asked.flatMap((line) => ('item_id' in line ? [line.item_id] : []))
  const barcodes = asked.flatMap((line) => ('barcode' in line ? [line.barcode] : []))
  const soldAt = locationId === null ? {} : { location: locationId }
  const items =
    ids.length + barcodes.length === 0 ? [] : await read(itemsForSale(ids, now, { ...soldAt, barcodes }))
  const parts = partsOf(items)
  return parts.length === 0 ? items : [...items, ...(await read(itemsForSale(parts, now, soldAt)))]
}
