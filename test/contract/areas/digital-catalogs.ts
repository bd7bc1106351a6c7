import { asked, catalogAs, itemAs, newItem } from '../../support/digital-catalogs.ts'
import { once, withKey } from '../listing.ts'
import type { AreaSamples, ListWorld } from '../samples.ts'

/** A catalogue with the link's id, so that its path is known. */
const listed = (world: ListWorld) => once(world, 'catalog', () => catalogAs(world.merchant, world.link.id))

export const samples: AreaSamples = {
  lists: {
    'catalog_items.list': withKey(
      ({ link }) => `/v1/digital-catalogs/${link.id}/items`,
      async (world) => {
        await listed(world)
        return newItem(world.merchant, world.link.id)
      },
    ),
    'catalog_prices.list': withKey(
      ({ link }) => `/v1/digital-catalogs/items/${link.id}/prices`,
      async (world) => {
        const { merchant, link } = world
        await listed(world)
        await once(world, 'item', () => itemAs(merchant, link.id, link.id))
        return asked(merchant, 'POST', `/items/${link.id}/prices`, { amount: '100' })
      },
    ),
  },
}
