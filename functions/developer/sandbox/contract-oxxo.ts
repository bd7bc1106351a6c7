import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { currency, minorString, uuid } from '../../../src/http/schemas.ts'
import { testControl } from './contract-control.ts'

const Voucher = z
  .strictObject({
    object: z.literal('sandbox_voucher'),
    reference: z.string().describe('What the till scans'),
    status: z.enum(['paid', 'expired']).describe('What the simulated processor says of it now'),
    amount: minorString.describe('What the till asks for, in minor units.'),
    currency,
    payment_id: uuid.describe('The payment that it is a voucher of.'),
  })
  .meta({ id: 'SandboxVoucher' })

const example = {
  object: 'sandbox_voucher',
  reference: '98012345678901',
  status: 'paid',
  amount: '120000',
  currency: 'mxn',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
} as const

const oxxo = {
  ...testControl('payment_links:write'),
  params: z.strictObject({ reference: z.string().regex(/^\d{14,20}$/) }),
  notFound: 'voucher_not_found',
  reply: { status: 200, schema: Voucher },
  errors: ['voucher_not_found', 'voucher_over'],
} as const

export const pay = contract({
  ...oxxo,
  id: 'sandbox.oxxo.pay',
  path: '/v1/sandbox/oxxo/:reference/pay',
  summary: 'Pay an OXXO voucher at a simulated till',
  description:
    'The processor takes the cash and notifies us, as it would in live. `late` is a till that takes it although the voucher is over: the money becomes unapplied funds. Paying it again changes nothing.',
  body: z.strictObject({
    late: z.boolean().default(false).describe('Whether the till takes it after its time.'),
  }),
  example: { body: { late: false }, reply: example },
})

export const expire = contract({
  ...oxxo,
  id: 'sandbox.oxxo.expire',
  path: '/v1/sandbox/oxxo/:reference/expire',
  summary: 'Let an OXXO voucher expire',
  description:
    'The processor gives the voucher up, as it does some days after its expiry, and notifies us: the payment expires at once and the link is free again. To see the days before that, move the sandbox clock instead.',
  example: { reply: { ...example, status: 'expired' } },
})
