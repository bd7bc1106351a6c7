import { newCustomer } from '../../support/customers.ts'
import { adminSql } from '../../support/stack.ts'
import { once, withKey } from '../listing.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  prepare: {
    'segments.pin': async ({ merchant }, ready) => {
      ready.body = { ...ready.body, customer_id: (await newCustomer(merchant)).id }
    },
  },
  lists: {
    'segments.list_members': withKey(
      ({ link }) => `/v1/customer-hub/segments/${link.id}/members`,
      async (world) => {
        const { merchant, link } = world
        // With the link's id, so that its path is known.
        await once(world, 'segment', () =>
          adminSql('sandbox')(
            `insert into segments (tenant_id, id, name, rule, status, created_at, updated_at)
             values ($1, $2, 'All', '{"type":"status","is":"active"}', 'active', now(), now())`,
            [merchant.tenantId, link.id],
          ),
        )
        return newCustomer(merchant)
      },
    ),
  },
}
