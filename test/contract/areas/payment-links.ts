import { call, newLink } from '../../support/merchant.ts'
import { once, payOnce, withKey } from '../listing.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: {
    '/v1/payment-links/': async ({ merchant }) => (await newLink(merchant)).id,
  },
  lists: {
    'payment_links.list_collected': withKey(
      ({ link }) => `/v1/payment-links/${link.id}/collected`,
      async (world) => {
        const { merchant, link } = world
        const body = { collects: { phone: 'optional' } }
        await once(world, 'asks', () =>
          call('PATCH', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey, body }),
        )
        return payOnce(world)
      },
    ),
    'payment_links.list_payments': withKey(({ link }) => `/v1/payment-links/${link.id}/payments`, payOnce),
  },
}
