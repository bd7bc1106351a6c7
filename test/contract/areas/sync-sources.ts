import { adminSql } from '../../support/stack.ts'
import { connectedSource, newKey } from '../../support/stripe-sync.ts'
import { newFileSource, newSource, push, startRun } from '../../support/sync.ts'
import { once, withKey } from '../listing.ts'
import type { AreaSamples } from '../samples.ts'

const records = [{ external_id: 'shop-1024', customer: { name: 'Ana' } }]

export const samples: AreaSamples = {
  makers: {
    '/v1/customer-hub/sync-sources/:id/stripe-connection': ({ merchant }) =>
      connectedSource(merchant, newKey()),
    '/v1/customer-hub/sync-sources/:id/runs': ({ merchant }) => newFileSource(merchant),
    '/v1/customer-hub/sync-sources/:id/file': ({ merchant }) => newFileSource(merchant),
    '/v1/customer-hub/sync-runs/:id/errors': async ({ merchant }) =>
      (await startRun(merchant, await newFileSource(merchant))).id,
    '/v1/customer-hub/sync-runs/:id/cancel': async ({ merchant }) =>
      (await startRun(merchant, await newFileSource(merchant))).id,
    '/v1/customer-hub/sync-runs/': async ({ merchant }) =>
      (await push(merchant, await newSource(merchant), records)).run.id,
  },
  lists: {
    'sync_runs.list': withKey(
      ({ link }) => `/v1/customer-hub/sync-sources/${link.id}/runs`,
      async (world) => {
        const { merchant, link } = world
        // With the link's id, so that its path is known.
        await once(world, 'sync source', () =>
          adminSql('sandbox')(
            `insert into sync_sources (tenant_id, id, kind, name, status, created_at, updated_at)
             values ($1, $2, 'push', 'Webshop', 'active', now(), now())`,
            [merchant.tenantId, link.id],
          ),
        )
        return push(merchant, link.id, records)
      },
    ),
  },
}
