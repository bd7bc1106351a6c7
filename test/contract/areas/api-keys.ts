import { newApiKey } from '../../support/merchant.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: {
    '/v1/api-keys/': async ({ merchant }) => (await newApiKey(merchant)).keyId,
  },
  lists: {
    'api_keys.list': {
      bearer: ({ customer }) => customer.token,
      path: ({ merchant }) => `/v1/api-keys?tenant_id=${merchant.tenantId}`,
      add: ({ merchant }) => newApiKey(merchant),
    },
  },
}
