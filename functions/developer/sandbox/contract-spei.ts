import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { day } from '../../../src/http/days.ts'
import { clabe, currency, freeText, minorString, positiveMinor, textOf } from '../../../src/http/schemas.ts'
import { testControl } from './contract-control.ts'

const claveRastreo = freeText(30).regex(/^[A-Za-z0-9]{1,30}$/, 'must be 1 to 30 letters and digits')
const bank = textOf(/^\d{5}$/, 'must be the five digits of a bank in SPEI, such as 40012')

const Deposit = z
  .strictObject({
    object: z.literal('sandbox_spei_deposit'),
    clabe: z.string().describe('The account that it was sent to.'),
    amount: minorString.describe('How much arrived, in minor units.'),
    currency,
    clave_rastreo: claveRastreo.describe('The tracking key of the transfer.'),
    sender_bank: bank.describe('The bank that sent it, by its number in SPEI.'),
    sender_clabe: z.string().nullable().describe('The account that it came from; null where none was given.'),
    sender_name: z.string().nullable().describe('The holder of that account; null where none was given.'),
    operated_on: day.describe('The banks’ day of the transfer.'),
  })
  .meta({ id: 'SandboxSpeiDeposit' })

const example = {
  object: 'sandbox_spei_deposit',
  clabe: '646180000000000012',
  amount: '120000',
  currency: 'mxn',
  clave_rastreo: 'SBX20260613000000001',
  sender_bank: '40012',
  sender_clabe: '012914002014112176',
  sender_name: 'Ana Torres',
  operated_on: '2026-06-13',
} as const

export const deposit = contract({
  ...testControl('payment_links:write'),
  id: 'sandbox.spei.deposit',
  path: '/v1/sandbox/spei/deposits',
  summary: 'Send a SPEI transfer to a CLABE',
  description:
    'The simulated processor receives the transfer and notifies us, as it would in live: exact, short, over, late, twice, or to a CLABE that was not lent. A transfer with the same clave_rastreo, sender_bank, operated_on, clabe and amount as an earlier one is that transfer, reported again.',
  body: z.strictObject({
    clabe,
    amount: positiveMinor.describe('How much arrives, in minor units.'),
    clave_rastreo: claveRastreo.optional().describe('Made from the Idempotency-Key when absent'),
    sender_bank: bank.default('40012').describe('The bank that sends it, by its number in SPEI.'),
    sender_clabe: clabe.optional().describe('The account that it comes from.'),
    sender_name: freeText(120).optional().describe('Name of the holder of that account.'),
    operated_on: day.optional().describe('Today in Mexico City when absent'),
  }),
  reply: { status: 201, schema: Deposit },
  errors: ['amount_above_maximum'],
  example: {
    body: { clabe: example.clabe, amount: example.amount, clave_rastreo: example.clave_rastreo },
    reply: example,
  },
})
