import { paidByCard, paidInCash, refund } from '../../support/refunds.ts'
import { once, withKey } from '../listing.ts'
import { askedRefund, contradictedRefund, waitingRefund } from '../resources.ts'
import type { AreaSamples, World } from '../samples.ts'

const cash = (world: World) => once(world, 'cash', () => paidInCash(world.merchant, 100_000))

export const samples: AreaSamples = {
  makers: {
    '/v1/refunds/:id/approve': askedRefund,
    '/v1/refunds/:id/reject': askedRefund,
    '/v1/refunds/:id/resolve': contradictedRefund,
    '/v1/refunds/': waitingRefund,
  },
  prepare: {
    'refunds.create': async ({ merchant }, ready) => {
      ready.body = { ...ready.body, payment_id: await paidByCard(merchant, { amount: 120_000 }) }
    },
  },
  lists: {
    'refunds.list': withKey('/v1/refunds', async (world) =>
      refund(world.merchant, {
        payment_id: await cash(world),
        amount: '1',
        method: 'recorded_offline',
        reason: 'requested_by_customer',
      }),
    ),
  },
}
