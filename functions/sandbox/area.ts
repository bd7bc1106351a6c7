import type { Declaration } from '../../src/http/declaration.ts'
import { errors } from './errors.ts'

export const area: Declaration = {
  neighbours: ['disputes', 'notifications', 'payments', 'payouts', 'refunds', 'transfers', 'webhooks'],
  tags: [
    {
      at: 13,
      name: 'Sandbox',
      description:
        'Levers of the simulated outside world: vouchers that are paid, transfers that arrive, disputes that open, time that passes. In live these addresses do not exist.',
    },
  ],
  errors,
  constraints: {
    sandbox_clocks_one: 'stale',
  },
}
