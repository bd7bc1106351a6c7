import { settlesAs } from '../../support/payouts.ts'
import { paidByCard } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'
import {
  awaitsOne,
  inquired,
  opened,
  paidRefund,
  payout,
  sent,
  tookOne,
  voucher,
  wonDispute,
} from '../resources.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: {
    '/v1/sandbox/transfers/': sent,
    '/v1/sandbox/disputes/:id/reconsider': wonDispute,
    '/v1/sandbox/disputes/:id/inquiry': inquired,
    '/v1/sandbox/disputes/': opened,
    '/v1/sandbox/refunds/': paidRefund,
    '/v1/sandbox/payouts/': payout,
    '/v1/sandbox/oxxo/': voucher,
  },
  prepare: {
    'sandbox.refunds.make': async ({ merchant }, ready) => {
      ready.body = { payment_id: await paidByCard(merchant) }
    },
    'sandbox.disputes.open': async ({ merchant }, ready) => {
      ready.body = { payment_id: await paidByCard(merchant) }
    },
    'sandbox.fraud_warnings.open': async ({ merchant }, ready) => {
      ready.body = { payment_id: await paidByCard(merchant) }
    },
    'sandbox.webhooks.duplicate': async (world, ready) => {
      ready.body = { endpoint_id: await tookOne(world) }
    },
    'sandbox.webhooks.reorder': async (world, ready) => {
      ready.body = { endpoint_id: await tookOne(world) }
    },
    'sandbox.webhooks.delay': async (world, ready) => {
      ready.body = { endpoint_id: await awaitsOne(world), delay: 'PT5M' }
    },
  },
  arrange: {
    'sandbox.payouts.return': async ({ merchant }, _ready, id) => {
      await adminSql('sandbox')(`update simulator.bank_orders set ends = 'paid' where reference = $1`, [id])
      await settlesAs(merchant, id, 'paid')
    },
    'sandbox.transfers.return': async (_world, _ready, id) => {
      const paid = `update simulator.bank_orders set state = 'paid', ends = 'paid' where reference = $1`
      await adminSql('sandbox')(paid, [id])
    },
  },
}
