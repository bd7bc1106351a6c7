import { uuidv7 } from '../../../src/kernel/ids.ts'
import { call } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'
import { withKey } from '../listing.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: {
    '/v1/payment-policy/versions/': async ({ merchant }) => {
      const path = '/v1/payment-policy/versions'
      const { body } = await call<{ data: { id: string }[] }>('GET', path, { bearer: merchant.apiKey })
      return body.data[0]!.id
    },
  },
  lists: {
    'payment_policies.list_versions': withKey('/v1/payment-policy/versions', ({ merchant }) =>
      adminSql('sandbox')(
        `with moved as (update payment_policies set version = version + 1, last_version = last_version + 1
           where tenant_id = $1 returning last_version)
         insert into payment_policy_versions
           (tenant_id, id, version, settings, changes, starts_at, created_by_user_id, created_by_email, created_at)
         select $1, $2, last_version, '{}', '[]', now(), 'usr', 'ana@example.com', clock_timestamp() from moved`,
        [merchant.tenantId, uuidv7(Date.now())],
      ),
    ),
  },
}
