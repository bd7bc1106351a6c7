import * as z from 'zod'
import { timestamp } from '../../src/http/schemas.ts'

const Card = z.strictObject({ brand: z.string(), last4: z.string(), bin6: z.string(), funding: z.string() })

const Voucher = z.strictObject({
  reference: z.string().describe('What the till scans or types'),
  expires_at: timestamp.describe('End of the day in Mexico City'),
})

const Clabe = z.strictObject({
  clabe: z.string().regex(/^\d{18}$/),
  bank_name: z.string(),
  beneficiary: z.string(),
  expires_at: timestamp,
  clave_rastreo: z.string().nullable().describe('The tracking key of the last transfer that arrived'),
})

export const MethodDetails = z
  .union([Card, Voucher, Clabe])
  .describe('By method: the card, the OXXO voucher or the CLABE')
