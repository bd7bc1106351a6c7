import * as z from 'zod'
import { timestamp } from '../../src/http/schemas.ts'

const Card = z.strictObject({
  brand: z.string().describe('The card network: visa, mastercard …'),
  last4: z.string().describe('The last four digits.'),
  bin6: z.string().describe('The first six digits: they name the bank.'),
  funding: z.string().describe('credit, debit or prepaid.'),
})

const Voucher = z.strictObject({
  reference: z.string().describe('What the till scans or types'),
  expires_at: timestamp.describe('End of the day in Mexico City'),
})

const Clabe = z.strictObject({
  clabe: z
    .string()
    .regex(/^\d{18}$/)
    .describe('The account number to send the money to.'),
  bank_name: z.string().describe('The bank that keeps it.'),
  beneficiary: z.string().describe('The payee of the transfer.'),
  expires_at: timestamp.describe('Until when a transfer counts towards the payment.'),
  clave_rastreo: z.string().nullable().describe('The tracking key of the last transfer that arrived'),
})

export const MethodDetails = z
  .union([Card, Voucher, Clabe])
  .describe('By method: the card, the OXXO voucher or the CLABE')
