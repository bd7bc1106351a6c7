import { catalogImages, type ItemImage } from '../../../drizzle/schema/digital-catalogs.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { refuse, type Write } from '../../../src/kernel/plan.ts'
import { retired, type StoredFileRow, stored } from '../../../src/kernel/stored-files.ts'
import type * as contracts from './contract-images.ts'
import { imagesMax } from './image.ts'
import { changed } from './plan-items.ts'
import type { Place } from './present.ts'
import type { ImageRow, PricedItem } from './store.ts'

/** Why an item takes no further image: known before a file is put. */
export function refusalOfImage({ status, images }: PricedItem) {
  if (status === 'archived') return refuse('catalog_item_archived')
  return images.length < imagesMax ? null : refuse('catalog_images_too_many')
}

/** Shows the uploaded image behind the others. */
export const planAddImage = (
  item: PricedItem,
  file: StoredFileRow,
  image: Omit<ItemImage, 'id' | 'address'>,
  place: Place,
) =>
  planImages(item, [...item.images, { ...image, id: file.id, address: file.address }], place, [
    stored(catalogImages, file, place.now),
  ])

export function planUpdateImage(
  item: PricedItem,
  id: string,
  { alt, position }: BodyOf<typeof contracts.update>,
  place: Place,
) {
  const [at, others] = [item.images.findIndex((image) => image.id === id), without(item, id)]
  const image = item.images[at]
  if (item.status === 'archived') return refuse('catalog_item_archived')
  if (!image) return refuse('catalog_image_not_found')
  const described = alt === undefined ? image : { ...image, alt }
  return planImages(item, others.toSpliced(position ?? at, 0, described), place)
}

/** The item no longer shows it; its file stays at its address for a while. */
export function planRemoveImage(item: PricedItem, file: ImageRow, place: Place) {
  const left = without(item, file.id)
  if (item.status === 'archived') return refuse('catalog_item_archived')
  if (left.length === item.images.length) return refuse('catalog_image_not_found')
  return planImages(item, left, place, [retired(catalogImages, file, place.now)])
}

const without = ({ images }: PricedItem, id: string) => images.filter((image) => image.id !== id)

function planImages(
  item: PricedItem,
  images: readonly ItemImage[],
  place: Place,
  files: readonly Write[] = [],
) {
  // Its subject is the item: If-Match names the item's version, whatever the path names.
  const plan = changed(item, { images }, 'catalog_item.updated', place)
  return { ...plan, writes: [...files, ...plan.writes] }
}
