import { dispute, reportFraud } from '../../support/disputes.ts'
import { paidByCard } from '../../support/refunds.ts'
import { once, withKey } from '../listing.ts'
import { opened } from '../resources.ts'
import type { AreaSamples, World } from '../samples.ts'

const payment = (world: World) =>
  once(world, 'payment', () => paidByCard(world.merchant, { amount: 100_000 }))

export const samples: AreaSamples = {
  makers: {
    '/v1/payment-operations/disputes/': opened,
    '/v1/payment-operations/fraud-warnings/': async ({ merchant }) =>
      (await reportFraud(merchant, await paidByCard(merchant))).body.id,
  },
  lists: {
    'disputes.list': withKey('/v1/payment-operations/disputes', async (world) =>
      dispute(world.merchant, await payment(world), { amount: '1' }),
    ),
    'fraud_warnings.list': withKey('/v1/payment-operations/fraud-warnings', async (world) =>
      reportFraud(world.merchant, await payment(world)),
    ),
  },
}
