import { addFile, dispute, reportFraud } from '../../support/disputes.ts'
import { paidByCard } from '../../support/refunds.ts'
import { once, withKey } from '../listing.ts'
import { opened } from '../resources.ts'
import type { AreaSamples, World } from '../samples.ts'

const payment = (world: World) =>
  once(world, 'payment', () => paidByCard(world.merchant, { amount: 100_000 }))

export const samples: AreaSamples = {
  makers: {
    '/v1/payment-operations/dispute-files/': async (world) =>
      (await addFile(world.merchant, await opened(world))).body.id,
    '/v1/payment-operations/disputes/': opened,
    '/v1/payment-operations/fraud-warnings/': async ({ merchant }) =>
      (await reportFraud(merchant, await paidByCard(merchant))).body.id,
  },
  prepare: {
    'dispute_files.add': async (world, ready) => {
      ready.body = { ...ready.body, dispute_id: await opened(world) }
    },
  },
  lists: {
    'dispute_files.list': withKey('/v1/payment-operations/dispute-files', async (world) =>
      addFile(world.merchant, await once(world, 'disputed', () => opened(world))),
    ),
    'disputes.list': withKey('/v1/payment-operations/disputes', async (world) =>
      dispute(world.merchant, await payment(world), { amount: '1' }),
    ),
    'fraud_warnings.list': withKey('/v1/payment-operations/fraud-warnings', async (world) =>
      reportFraud(world.merchant, await payment(world)),
    ),
  },
}
