import * as z from 'zod'
import { contract, reads } from '../../../src/http/contract.ts'
import { currency, minorString } from '../../../src/http/schemas.ts'

const Balance = z
  .strictObject({
    object: z.literal('balance'),
    currencies: z
      .array(
        z.strictObject({
          currency,
          available: minorString.describe(
            'Below zero when refunds or disputes took more; later income recovers it',
          ),
          pending: minorString.describe('Captured; becomes available on its bank day.'),
          reserve: minorString.describe('Held back from the available net'),
          in_flight: z
            .strictObject({
              refunds: minorString.describe('On its way to buyers.'),
              transfers: minorString.describe('On its way to accounts and workspaces.'),
              payouts: minorString.describe('On its way to your bank.'),
            })
            .describe('Taken from the balance and not yet arrived'),
          held: minorString.describe('Held for open disputes'),
          unapplied: minorString.describe('Arrived and belongs to no payment (yet)'),
          overdrawn: minorString.describe(
            'Below zero: what banks took back of transfers that had paid. The processor takes it from you later.',
          ),
        }),
      )
      .describe('What you have in each currency, in minor units.'),
  })
  .meta({ id: 'Balance' })

export const balance = contract({
  ...reads,
  tag: 'Payments',
  access: { api_key: { scopes: ['reporting:read'] } },
  id: 'payments.balance',
  path: '/v1/payment-operations/balance',
  summary: 'Get the balance',
  description: 'By currency, as the ledger has it at this moment.',
  reply: { status: 200, schema: Balance },
  errors: [],
  example: {
    reply: {
      object: 'balance',
      currencies: [
        {
          currency: 'mxn',
          available: '0',
          pending: '98354',
          reserve: '0',
          in_flight: { refunds: '0', transfers: '0', payouts: '0' },
          held: '0',
          unapplied: '0',
          overdrawn: '0',
        },
      ],
    },
  },
})
