import { payOnce, withKey } from '../listing.ts'
import { arrived, authorized, contradicted, paid, unmatchedDeposit } from '../resources.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: {
    '/v1/payment-operations/payments/:id/resolve': contradicted,
    '/v1/payment-operations/payments/': paid,
    '/v1/payment-operations/spei-deposits/': arrived,
    '/v1/payments/:id/send-receipt': paid,
    '/v1/payments/': authorized,
  },
  lists: {
    'payments.list': withKey('/v1/payment-operations/payments', payOnce),
    'spei_deposits.list': withKey('/v1/payment-operations/spei-deposits', unmatchedDeposit),
  },
}
