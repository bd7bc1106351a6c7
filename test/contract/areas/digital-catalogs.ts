import { asked, catalogAs, itemAs, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { png } from '../../support/images.ts'
import { once, withKey } from '../listing.ts'
import type { AreaSamples, ListWorld } from '../samples.ts'

/** A catalog with the link's id, so that its path is known. */
const listed = (world: ListWorld) => once(world, 'catalog', () => catalogAs(world.merchant, world.link.id))

export const samples: AreaSamples = {
  makers: {
    '/v1/catalog-images/': async ({ merchant }) => {
      const item = await newItem(merchant, (await newCatalog(merchant)).id)
      const body = { content: png(16, 16).toString('base64') }
      const made = await asked<{ images: { id: string }[] }>(
        merchant,
        'POST',
        `/items/${item.id}/images`,
        body,
      )
      // So that the item's version is not also that of the image's file.
      await asked(merchant, 'PATCH', `/items/${item.id}`, { name: 'Guía' })
      return made.body.images[0]!.id
    },
  },
  lists: {
    'catalog_items.list': withKey(
      ({ link }) => `/v1/digital-catalogs/${link.id}/items`,
      async (world) => {
        await listed(world)
        return newItem(world.merchant, world.link.id)
      },
    ),
    'catalog_prices.list': withKey(
      ({ link }) => `/v1/catalog-items/${link.id}/prices`,
      async (world) => {
        const { merchant, link } = world
        await listed(world)
        await once(world, 'item', () => itemAs(merchant, link.id, link.id))
        return asked(merchant, 'POST', `/items/${link.id}/prices`, { amount: '100' })
      },
    ),
  },
}
