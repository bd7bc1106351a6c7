import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { uuid } from '../../../src/http/schemas.ts'
import { testControl } from './contract-control.ts'

const BankOrder = z
  .strictObject({
    object: z.literal('sandbox_bank_order'),
    id: uuid.describe('Id of the transfer or payout.'),
    status: z.enum(['failed', 'returned']).describe('What the simulated bank says of it now'),
  })
  .meta({ id: 'SandboxBankOrder' })

export const bankControl = {
  ...testControl('transfers:write'),
  params: z.strictObject({ id: uuid }),
  reply: { status: 200, schema: BankOrder },
} as const

const example = {
  object: 'sandbox_bank_order',
  id: '0190a6d2-7c3e-7b1a-9f00-000000000020',
  status: 'returned',
} as const

export const returnTransfer = contract({
  ...bankControl,
  id: 'sandbox.transfers.return',
  path: '/v1/sandbox/transfers/:id/return',
  summary: 'Let the receiving bank send a transfer back',
  description: 'Only what was paid to a CLABE comes back; it arrives as a transfer of its own.',
  notFound: 'transfer_not_found',
  errors: ['transfer_not_found', 'bank_order_not_returnable'],
  example: { reply: example },
})

export const returnPayout = contract({
  ...bankControl,
  id: 'sandbox.payouts.return',
  path: '/v1/sandbox/payouts/:id/return',
  summary: 'Let your bank send a payout back',
  description: 'Only what was paid comes back; it arrives as a transfer of its own.',
  notFound: 'payout_not_found',
  errors: ['payout_not_found', 'bank_order_not_returnable'],
  example: { reply: { ...example, id: '0190a6d2-7c3e-7b1a-9f00-000000000040' } },
})

export const failPayout = contract({
  ...bankControl,
  id: 'sandbox.payouts.fail',
  path: '/v1/sandbox/payouts/:id/fail',
  summary: 'Let the bank refuse a payout that is on its way',
  notFound: 'payout_not_found',
  errors: ['payout_not_found', 'bank_order_over'],
  example: { reply: { ...example, id: '0190a6d2-7c3e-7b1a-9f00-000000000040', status: 'failed' } },
})

export const failTransfer = contract({
  ...bankControl,
  id: 'sandbox.transfers.fail',
  path: '/v1/sandbox/transfers/:id/fail',
  summary: 'Let the bank refuse a transfer that is on its way',
  notFound: 'transfer_not_found',
  errors: ['transfer_not_found', 'bank_order_over'],
  example: { reply: { ...example, status: 'failed' } },
})
