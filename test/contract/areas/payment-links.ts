import { newLink } from '../../support/merchant.ts'
import { payOnce, withKey } from '../listing.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: {
    '/v1/payment-links/': async ({ merchant }) => (await newLink(merchant)).id,
  },
  lists: {
    'payment_links.list_payments': withKey(({ link }) => `/v1/payment-links/${link.id}/payments`, payOnce),
  },
}
