import * as z from 'zod'
import { apiKey, contract } from '../../src/http/contract.ts'
import { clabe, currency, freeText, minorString } from '../../src/http/schemas.ts'

const claveRastreo = freeText(30).regex(/^[A-Za-z0-9]{1,30}$/, 'must be 1 to 30 letters and digits')
const operationDate = z.iso.date().refine((day) => day >= '1900', 'must not lie before 1900')
const bank = z.string().regex(/^\d{5}$/, 'must be the five digits of a bank in SPEI, such as 40012')

const Deposit = z
  .strictObject({
    object: z.literal('sandbox_spei_deposit'),
    clabe: z.string(),
    amount: minorString,
    currency,
    clave_rastreo: claveRastreo,
    sender_bank: bank,
    sender_clabe: z.string().nullable(),
    sender_name: z.string().nullable(),
    operation_date: operationDate,
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
  operation_date: '2026-06-13',
} as const

export const deposit = contract({
  id: 'sandbox.spei.deposit',
  method: 'POST',
  path: '/v1/sandbox/spei/deposits',
  tag: 'Sandbox',
  only: 'sandbox',
  summary: 'Send a SPEI transfer to a CLABE',
  description:
    'The simulated processor receives the transfer and notifies us, as it would in live: exact, short, over, late, twice, or to a CLABE that nobody was lent. One with the same clave_rastreo, sender_bank, operation_date, clabe and amount as another is that other one, told again.',
  access: apiKey('payment_links:write'),
  tables: [],
  idempotency: 'required',
  rate: 'write',
  body: z.strictObject({
    clabe,
    amount: minorString.refine((text) => BigInt(text) > 0n, 'must be more than zero'),
    clave_rastreo: claveRastreo.optional().describe('Made from the Idempotency-Key when absent'),
    sender_bank: bank.default('40012'),
    sender_clabe: clabe.optional(),
    sender_name: freeText(120).optional(),
    operation_date: operationDate.optional().describe('Today in Mexico City when absent'),
  }),
  reply: { status: 201, schema: Deposit },
  errors: ['clabe_invalid'],
  example: {
    body: { clabe: example.clabe, amount: example.amount, clave_rastreo: example.clave_rastreo },
    reply: example,
  },
})
