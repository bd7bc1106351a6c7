import { endow, toClabe, transfer } from '../../support/transfers.ts'
import { withKey } from '../listing.ts'
import { rich, sent, waitingTransfer } from '../resources.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: {
    '/v1/payment-operations/transfers/:id/approve': waitingTransfer,
    '/v1/payment-operations/transfers/:id/reject': waitingTransfer,
    '/v1/payment-operations/transfers/': sent,
  },
  prepare: {
    'transfers.create': rich,
  },
  lists: {
    'transfers.list': withKey('/v1/payment-operations/transfers', async ({ merchant }) => {
      await endow(merchant, 1_000n)
      await transfer(merchant, { amount: '1000', destination: toClabe() })
    }),
    'transfers.list_incoming': withKey('/v1/payment-operations/incoming-transfers', ({ merchant }) =>
      endow(merchant, 1_000n),
    ),
  },
}
