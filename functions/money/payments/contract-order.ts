import * as z from 'zod'
import { minorString, uuid } from '../../../src/http/schemas.ts'
import { ivaRates } from '../../../src/kernel/iva.ts'

/** What one payment paid for, of its origin's order: `Order` of src/kernel/order.ts. */
export const PaidOrder = z
  .strictObject({
    line_items: z
      .array(
        z.strictObject({
          id: uuid.nullable().describe('The line of a bill that several buyers share; null elsewhere.'),
          item_id: uuid.nullable().describe('The item of a catalog; null for a line that you wrote.'),
          name: z.string().describe('What was bought.'),
          quantity: z.int().min(1).describe('How many of it were bought.'),
          amount_total: minorString.describe('The price for all of them, with IVA; minor units.'),
          iva_rate: z.enum(ivaRates).describe('The rate of IVA.'),
        }),
      )
      .describe('What was bought, in the order of the page.'),
    discounts: z
      .array(
        z.strictObject({
          code: z.string().nullable().describe('The code; null for a discount without one.'),
          amount: minorString.describe('What it took off; minor units.'),
        }),
      )
      .describe('Discounts, already taken off `amount`.'),
    shipping: z
      .strictObject({
        name: z.string().describe('The way to send it.'),
        amount: minorString.describe('Its price, with IVA; minor units.'),
      })
      .nullable()
      .describe('The shipping that the buyer chose; null for none.'),
  })
  .nullable()
  .describe(
    'What this payment paid for: lines less discounts, with shipping, `amount_tip` and `amount_markup`, come to `amount`. Null where what was sold has no lines: `description` and `quantity` say it.',
  )
