import { bodyOf, operationOf } from '../../../local/samples.ts'
import { call } from '../../support/merchant.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  prepare: {
    'branding.delete_logo': async ({ merchant }) => {
      const body = bodyOf(operationOf('branding.put_logo').contract)
      await call('PUT', '/v1/workspace/branding/logo', { bearer: merchant.apiKey, body })
    },
  },
}
