import { call } from '../../support/merchant.ts'
import { adjust, levelsPath, reserve, stock, stocked } from '../../support/stock.ts'
import { once, withKey } from '../listing.ts'
import type { AreaSamples, Request, World } from '../samples.ts'

const item = (world: World) => once(world, 'stocked', async () => (await stocked(world.merchant, 50))[0]!)

const ofItem = async (world: World, ready: Request) => {
  ready.body = { ...ready.body, item_id: await item(world) }
}

export const samples: AreaSamples = {
  makers: {
    '/v1/inventory/levels/': async ({ merchant }) => {
      const [fresh] = await stocked(merchant, 0)
      await stock(merchant, 'POST', '/counts', { item_id: fresh, counted: 0 })
      return (await stock(merchant, 'GET', `/levels?item_id=${fresh}`)).body.data[0]!.id
    },
    '/v1/inventory/movements/': async (world) => (await adjust(world.merchant, await item(world), 1)).body.id,
    '/v1/inventory/reservations/': async (world) =>
      (await reserve(world.merchant, [await item(world), 1])).body.id,
  },
  prepare: {
    'inventory.adjust': ofItem,
    'inventory.count': ofItem,
    'inventory.transfer': async (world, ready) => {
      const { merchant } = world
      const location = await once(world, 'location', async () => {
        const made = await call<{ id: string }>('POST', '/v1/workspace/locations', {
          bearer: merchant.apiKey,
          body: { name: 'Bodega' },
        })
        return made.body.id
      })
      ready.body = { ...ready.body, item_id: await item(world), to_location_id: location }
    },
    'inventory.reserve': async (world, ready) => {
      ready.body = { lines: [{ item_id: await item(world), quantity: 1 }] }
    },
  },
  arrange: {
    'inventory.extend_reservation': async (_world, ready) => {
      ready.body = { expires_at: new Date(Date.now() + 3_600_000).toISOString() }
    },
  },
  lists: {
    'inventory.list_levels': withKey(levelsPath, ({ merchant }) => stocked(merchant, 5)),
    'inventory.list_movements': withKey('/v1/inventory/movements', async (world) =>
      adjust(world.merchant, await item(world), 1),
    ),
    'inventory.list_reservations': withKey('/v1/inventory/reservations', async (world) =>
      reserve(world.merchant, [await item(world), 1]),
    ),
  },
}
