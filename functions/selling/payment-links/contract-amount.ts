import * as z from 'zod'
import { minorAsked } from '../../../src/http/schemas.ts'

export const presetsMax = 6
const quantityMost = 10_000

/** The bounds within which the buyer chooses the amount. */
export const BuyerAmount = z.strictObject({
  amount_min: minorAsked.describe('The least amount in minor units.'),
  amount_max: minorAsked.describe('The greatest amount in minor units.'),
  presets: z
    .array(minorAsked)
    .max(presetsMax)
    .refine((list) => new Set(list).size === list.length, 'must not name an amount twice')
    .default([])
    .describe('Amounts in minor units that the page suggests, in this order.'),
})

/** The bounds within which the buyer chooses how many. */
export const QuantityBounds = z.strictObject({
  min: z.int().min(1).max(quantityMost).default(1).describe('The least that a buyer may take.'),
  max: z.int().min(1).max(quantityMost).describe('The most that a buyer may take.'),
})

const buyerAmountSays = 'The buyer chooses the amount, between these bounds'
const quantitySays = 'The buyer chooses how many'

/** In a request. */
export const amountAsked = {
  buyer_amount: BuyerAmount.nullable().describe(
    `${buyerAmountSays}; it stands in place of \`manual_amount\`. null: the amount is fixed.`,
  ),
  adjustable_quantity: QuantityBounds.nullable().describe(
    `${quantitySays}: \`manual_amount\`, or the line item’s \`unit_amount\`, is the price of one. null: the amount is fixed.`,
  ),
}

/** How often its page was opened, in a reply. */
export const viewsShown = {
  views_count: z
    .int()
    .min(0)
    .describe(
      'About how often its page was opened while it could be paid, without link previews and bots that say so. A person who opens it twice counts twice.',
    ),
  conversion_bps: z
    .int()
    .min(0)
    .nullable()
    .describe(
      '`uses_count` for each view, in basis points, rounded half up: 2500 is one payment in four views. null before the first view.',
    ),
}

/** In a reply. */
export const amountShown = {
  buyer_amount: BuyerAmount.nullable().describe(`${buyerAmountSays}; null where it is fixed.`),
  adjustable_quantity: QuantityBounds.nullable().describe(
    `${quantitySays}, and pays the price of one that often; null where it is fixed.`,
  ),
}
