import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { atLeastOne } from '../../../src/http/contract-resource.ts'
import { freeText, uuid } from '../../../src/http/schemas.ts'
import { CatalogItem, exampleItem, items } from './contract-items.ts'

const alt = freeText(250)
  .trim()
  .min(1)
  .nullable()
  .describe('What it shows, for buyers who hear the page or whose image does not load; null for none.')

const image = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000085',
  url: 'https://pay.spindle.example/catalog-images/9f86d081884c7d659a2feaa0c55ad015',
  content_type: 'image/png',
  width: 16,
  height: 16,
  bytes: 71,
  alt: 'La portada del recetario',
}

const changing = {
  ...items.writing,
  ...items.one,
  versioned: true,
  reply: { status: 200, schema: CatalogItem },
} as const

const ofImage = {
  ...changing,
  tables: ['catalog_items', 'catalog_images'],
  params: z.strictObject({ image_id: uuid.describe('Id of the catalog image.') }),
  notFound: 'catalog_image_not_found',
} as const

export const add = contract({
  ...changing,
  id: 'catalog_images.add',
  tables: ['catalog_items', 'catalog_images'],
  path: '/v1/catalog-items/:id/images',
  summary: 'Add an image to a catalog item',
  description:
    'PNG, JPEG or WebP, at most 2 MiB and 4,096 pixels a side; the content decides the type. Metadata is left out, but for how a camera was held. It is shown behind the others; an item has up to 8. Its address takes `?w=320`, `640` or `1280`: where the platform resizes images, it then comes as WebP of at most that width, elsewhere as you sent it.',
  bodyKiBMax: 2_800,
  body: z.strictObject({
    content: z.base64('must be base64').describe('The file’s bytes in base64.'),
    alt: alt.default(null),
  }),
  errors: [
    'catalog_item_not_found',
    'catalog_item_archived',
    'catalog_images_too_many',
    'catalog_image_empty',
    'catalog_image_too_large',
    'catalog_image_type_unsupported',
    'catalog_image_malformed',
    'catalog_image_dimensions_refused',
  ],
  example: {
    body: {
      content:
        'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADklEQVR42mMIXcVACgIAfBcP8SuThowAAAAASUVORK5CYII=',
      alt: 'La portada del recetario',
    },
    reply: { ...exampleItem, images: [image], version: 2 },
  },
})

export const update = contract({
  ...ofImage,
  id: 'catalog_images.update',
  tables: ['catalog_items'],
  method: 'PATCH',
  path: '/v1/catalog-images/:image_id',
  summary: 'Change an image of a catalog item',
  description: 'Fields that are left out stay. The file does not change: add another and remove this one.',
  idempotency: 'optional',
  body: atLeastOne(
    z
      .strictObject({
        alt,
        position: z
          .int()
          .min(0)
          .max(7)
          .describe(
            'The place among the images of the item: 0 is the first; a number behind the last image is the last place.',
          ),
      })
      .partial(),
  ),
  errors: ['catalog_image_not_found', 'catalog_item_archived'],
  example: {
    body: { alt: 'Portada', position: 0 },
    reply: { ...exampleItem, images: [{ ...image, alt: 'Portada' }], version: 3 },
  },
})

export const remove = contract({
  ...ofImage,
  id: 'catalog_images.remove',
  method: 'DELETE',
  path: '/v1/catalog-images/:image_id',
  summary: 'Remove an image of a catalog item',
  description: 'The image stays at its address for 30 days.',
  idempotency: 'optional',
  errors: ['catalog_image_not_found', 'catalog_item_archived'],
  example: { reply: { ...exampleItem, version: 4 } },
})

/** Removes the files that no item shows. */
export const removal = {
  id: 'catalog_images.clear',
  access: { system: {} },
  tables: ['catalog_images'],
} as const
