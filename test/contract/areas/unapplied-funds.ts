import { lent } from '../../support/spei.ts'
import { withKey } from '../listing.ts'
import { unapplied, unmatchedDeposit } from '../resources.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: {
    '/v1/payment-operations/unapplied-funds/': unapplied,
  },
  arrange: {
    'unapplied_funds.apply': async ({ merchant }, ready) => {
      ready.body = { payment_id: (await lent(merchant)).paymentId }
    },
  },
  lists: {
    'unapplied_funds.list': withKey('/v1/payment-operations/unapplied-funds', unmatchedDeposit),
  },
}
