import { addFile, addKeys, buy, digital, entitled, grantedTo, pool } from '../../support/entitlements.ts'
import { pageOf } from '../../support/pages.ts'
import { once, withKey } from '../listing.ts'
import type { AreaSamples, Request, World } from '../samples.ts'

const pooled = (world: World) => once(world, 'pooled', () => digital(world.merchant, pool))
const downloadable = (world: World) =>
  once(world, 'downloadable', () => digital(world.merchant, { kind: 'file' }))
const sold = (world: World) => once(world, 'voucher', () => digital(world.merchant, { kind: 'voucher' }))

let keys = 0
const freshKey = () => `SAMPLE-KEY-${++keys}x`

const of = (item: (world: World) => Promise<string>) => async (world: World, ready: Request) => {
  ready.body = { ...ready.body, item_id: await item(world) }
}

/** A voucher that is paid and has its code: nothing changes it in the background any more. */
const voucher = async (world: World) => {
  const bought = await buy(world.merchant, [await sold(world)])
  const [granted] = await grantedTo(world.merchant, bought)
  return { id: granted!.id, receipt: bought.receipt }
}

export const samples: AreaSamples = {
  makers: {
    '/v1/entitlements/': async (world) => (await voucher(world)).id,
    '/v1/license-keys/': async (world) => {
      const item = await digital(world.merchant, pool)
      await addKeys(world.merchant, item, freshKey())
      const { body } = await entitled<{ data: { id: string }[] }>(
        world.merchant,
        'GET',
        `/license-keys?item_id=${item}`,
      )
      return body.data[0]!.id
    },
    '/v1/delivered-files/': async (world) => addFile(world.merchant, await downloadable(world)),
  },
  prepare: {
    'license_keys.add': of(pooled),
    'delivered_files.add': async ({ merchant }, ready) => {
      ready.body = { ...ready.body, item_id: await digital(merchant, { kind: 'file' }) }
    },
    'entitlements.redeem': async (world, ready) => {
      const { html } = await pageOf((await voucher(world)).receipt)
      ready.body = { code: /<code translate="no">([^<]+)/.exec(html)![1]! }
    },
  },
  lists: {
    'entitlements.list': withKey('/v1/entitlements', async (world) =>
      buy(world.merchant, [await sold(world)]),
    ),
    'license_keys.list': withKey('/v1/license-keys', async (world) =>
      addKeys(world.merchant, await pooled(world), freshKey()),
    ),
    'delivered_files.list': withKey('/v1/delivered-files', async (world) =>
      addFile(world.merchant, await downloadable(world)),
    ),
  },
}
