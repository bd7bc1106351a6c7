import type { Declaration } from '../../../src/http/declaration.ts'
import { errors } from './errors.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/sandbox'], by: 'index.ts#withOrigins', given: 'origins' }],
  tags: [
    {
      at: 130,
      name: 'Sandbox',
      description:
        'Test controls of the simulated outside world: vouchers that are paid, transfers that arrive, disputes that open, time that passes. In live these addresses do not exist.',
    },
  ],
  errors,
  constraints: {
    sandbox_clocks_one: 'stale',
  },
  samples: {
    'sandbox.clock.advance': { other: { advance: 'P4D' } },
    'sandbox.readers.present_card': { other: { card: 'tok_sbx_debit' } },
    'sandbox.refunds.make': { other: { amount: '1' } },
    'sandbox.disputes.end_inquiry': { other: { outcome: 'closed' } },
    'sandbox.disputes.open': { other: { reason: 'duplicate' } },
    'sandbox.disputes.reconsider': { other: { status: 'lost' } },
    'sandbox.fraud_warnings.open': { other: { fraud_type: 'misc' } },
    'sandbox.disputes.resolve': { other: { outcome: 'lost' } },
    'sandbox.oxxo.pay': { other: { late: true } },
    'sandbox.spei.deposit': { other: { clabe: '646180000000000012', amount: '1' } },
    'sandbox.webhooks.delay': { other: { delay: 'PT6M' } },
    'sandbox.webhooks.duplicate': { other: { count: 4 } },
    'sandbox.webhooks.reorder': { other: { count: 4 } },
  },
}
