import * as z from 'zod'
import { measureUnits } from '../../../drizzle/schema/digital-catalogs.ts'
import { boundedMinor, freeText, minorString, positiveMinor, uuid } from '../../../src/http/schemas.ts'
import { ivaRates } from '../../../src/kernel/iva.ts'
import { barcode, measure } from '../../goods/digital-catalogs/api-pure.ts'
import { discountsMax } from './discounts.ts'
import { shippingOptionsMax } from './shipping.ts'
import { tipBpsMax, tipPresetsMax } from './tips.ts'

export const linesMax = 100

/** A code as a buyer or a merchant types it; it is kept in capitals. */
export const discountCode = freeText(40)
  .trim()
  .toUpperCase()
  .regex(
    /^[A-Z0-9][A-Z0-9_-]{2,39}$/,
    'must be 3 to 40 letters, digits, hyphens or underscores, and begin with a letter or digit',
  )

/** A code as it is kept; null for a text that no code is. */
export const codeIn = (typed: string): string | null => discountCode.safeParse(typed).data ?? null

const shownLine = {
  item_id: uuid.nullable().describe('Its item; null for a line that you wrote.'),
  name: z.string().describe('The name of the item, as the buyer reads it.'),
  unit_amount: minorString.describe('The price of one, in minor units.'),
  quantity: z.int().min(1).describe('How many of the item.'),
  iva_rate: z.enum(ivaRates).describe('Its rate of IVA.'),
  price_includes_tax: z.boolean().describe('Whether `unit_amount` has the IVA in it.'),
  amount_subtotal: minorString.describe('Before IVA.'),
  amount_tax: minorString.describe('The IVA before discounts: rounded half up once.'),
  amount_total: minorString.describe('What the line costs, before discounts.'),
  amount_discount: minorString.describe(
    'Its share of the discounts, IVA included: in proportion to `amount_total`, by largest remainder.',
  ),
  tax: z
    .strictObject({
      discount: minorString.describe('Its share before IVA: `amount_subtotal` less `base`.'),
      base: minorString.describe('What is paid for the line, less the IVA in it.'),
      iva: minorString.describe('The IVA in what is paid: rounded half up once.'),
    })
    .describe(
      'The line after its discounts, as a concept of a CFDI 4.0 has it beside `amount_subtotal` (Importe). Bases and IVA of all lines sum to what is paid.',
    ),
  quantity_min: z.int().min(1).nullable().describe('The least that the buyer may choose; null: no choice.'),
  quantity_max: z.int().min(1).nullable().describe('The most that the buyer may choose; null: no choice.'),
}

/** What a line shows of an item that was measured or chosen from, of a seller that sells such. */
const madeUp = {
  measured: z
    .strictObject({
      measure: z.string().describe('How much one is: `0.350`.'),
      unit: z.enum(measureUnits).describe('The unit of `measure`.'),
      unit_amount: minorString.describe(
        'The price of a unit, in minor units. Times `measure` it is rounded half up, once.',
      ),
    })
    .nullable()
    .describe('What one of the line is; null: sold by the piece.'),
  modifiers: z
    .array(
      z.strictObject({
        group: z.string().describe('The name of the group.'),
        choice: z.string().describe('The name of the choice.'),
        amount: minorString.describe('What it adds to the price of one, in minor units.'),
      }),
    )
    .describe('What was chosen of the item’s groups; `unit_amount` has it.'),
}

const quantity = z.int().min(1).max(10_000).describe('How many of the item.')

const bounds = {
  quantity_min: quantity
    .optional()
    .describe('With `quantity_max`: the buyer may change the quantity on the page, to this or more.'),
  quantity_max: quantity
    .optional()
    .describe('With `quantity_min`: the buyer may change the quantity on the page, to this or less.'),
}

const tips = z
  .strictObject({
    presets_bps: z
      .array(z.int().min(1).max(tipBpsMax))
      .max(tipPresetsMax)
      .refine((list) => new Set(list).size === list.length, 'must not name a part twice')
      .describe(
        'Parts of what the lines cost after their discounts, in basis points: 1000 is 10 %. Rounded half up.',
      ),
    allows_own_amount: z
      .boolean()
      .default(true)
      .describe('Whether the buyer may write an amount: at most what the lines cost after their discounts.'),
  })
  .refine(
    ({ presets_bps, allows_own_amount }) => presets_bps.length > 0 || allows_own_amount,
    'must name a part or allow an amount of the buyer’s own',
  )
  .nullable()

const item_id = uuid.describe(
  'An item of a published catalog: its name, price and IVA now are those of the line.',
)
const scanned = barcode.describe('What a scanner read of an item of a published catalog.')

/** What is bought of an item, beside its quantity. */
const wish = {
  measure: measure.optional().describe('How much one is, in the item’s `measure_unit`: `0.350`.'),
  modifiers: z
    .array(
      z.strictObject({
        group: freeText(60).describe('The name of a group of the item.'),
        choice: freeText(60).describe('The name of one of its choices.'),
      }),
    )
    .max(20)
    .optional()
    .describe('What is chosen of the item’s groups.'),
}

/** Lines of items of catalogs, by an id or a barcode, with what their seller asks beside. */
export const itemLinesWith = <Shape extends z.ZodRawShape>(more: Shape) =>
  [
    z.strictObject({ item_id, ...wish, ...more }),
    z.strictObject({ barcode: scanned, ...wish, ...more }),
  ] as const

const many = { quantity: quantity.default(1), ...bounds }

/** Lines in a request, of a seller that sells items of catalogs alone. */
export const itemLinesAsked = z
  .array(z.strictObject({ item_id, ...many }))
  .min(1)
  .max(linesMax)

const written = {
  name: freeText(200).trim().min(1).describe('The name of the item, as the buyer reads it.'),
  unit_amount: positiveMinor.describe('The price of one, in minor units.'),
  iva_rate: z.enum(ivaRates).default('16').describe('Its IVA: 16 %, 8 %, 0 % or exempt.'),
  price_includes_tax: z.boolean().default(true).describe('Whether `unit_amount` has the IVA in it.'),
}

const ofLine = 'A line: an item of a catalog, or what you write.'
const lineAsked = z.union([...itemLinesWith(many), z.strictObject({ ...written, ...many })]).describe(ofLine)

const one = { quantity: many.quantity }

/** Lines in a request, of a seller whose buyers choose no quantities. */
export const fixedLinesAsked = z
  .array(
    z.union([z.strictObject({ item_id, ...one }), z.strictObject({ ...written, ...one })]).describe(ofLine),
  )
  .min(1)
  .max(linesMax)

/** Lines in a request, of a seller who counts them itself: by an id, a barcode, or written. */
export const countedLinesAsked = z
  .array(z.union([...itemLinesWith(one), z.strictObject({ ...written, ...one })]).describe(ofLine))
  .min(1)
  .max(linesMax)

const discountsAsked = z
  .array(
    z
      .union([
        z.strictObject({ discount_id: uuid.describe('A discount of yours.') }),
        z.strictObject({ code: discountCode.describe('The code of a discount of yours.') }),
      ])
      .describe('A discount by its id or its code.'),
  )
  .max(discountsMax)

const shippingOptions = z.array(
  z.strictObject({
    name: freeText(100).trim().min(1).describe('The name of the way to send it, as the buyer reads it.'),
    amount: boundedMinor.describe('Minor units: its flat rate, with its IVA in it.'),
    iva_rate: z.enum(ivaRates).default('16').describe('The IVA in `amount`: 16 %, 8 %, 0 % or exempt.'),
  }),
)

/** What is bought, in a request that sets it. */
export const orderAsked = {
  shipping_options: shippingOptions
    .max(shippingOptionsMax)
    .describe('The ways to send it: the first one is chosen until the buyer chooses another.'),
  discounts: discountsAsked.describe(
    'What is taken off, in this order: each on what the former leave, rounded half up.',
  ),
  allows_discount_codes: z
    .boolean()
    .describe('Whether the buyer may type a code on the page before the first payment is tried.'),
  tips: tips.describe('The tips that the buyer may add on the page; null: none. None is chosen beforehand.'),
  line_items: z
    .array(lineAsked)
    .min(1)
    .max(linesMax)
    .describe('What is sold; give either lines or `amount`.'),
  amount: positiveMinor.describe('Minor units: what is paid, without lines.'),
}

/** Lines in a reply of a seller of items as they are. */
export const plainLinesShown = z.array(z.strictObject(shownLine))

/** In a reply. */
export const orderShown = {
  line_items: z
    .array(z.strictObject({ ...shownLine, ...madeUp }))
    .describe('What is sold, as it was when it was set.'),
  discounts: z
    .array(
      z.strictObject({
        discount_id: uuid.describe('The discount.'),
        code: z.string().describe('The code of the discount.'),
        amount: minorString.describe('What it takes off.'),
        typed_by_buyer: z.boolean().describe('Whether the buyer typed it on the page.'),
      }),
    )
    .describe('What is taken off, in the order in which it was.'),
  allows_discount_codes: z.boolean().describe('Whether the buyer may type a code on the page.'),
  tips: tips.describe('The tips that the buyer may add on the page; null: none.'),
  shipping_options: shippingOptions.describe('The ways to send it.'),
  shipping_option: z.string().nullable().describe('The name of the chosen one; null where none is offered.'),
  amount_subtotal: minorString.describe('Minor units: the sum of the lines, or the amount that you gave.'),
  amount_discount: minorString.describe('Minor units: what the discounts take off it.'),
  amount_shipping: minorString.describe('Minor units: the chosen way to send it.'),
  shipping_tax: z
    .strictObject({
      iva_rate: z.enum(ivaRates).describe('The rate of IVA.'),
      base: minorString.describe('`amount_shipping` less `iva`.'),
      iva: minorString.describe('The IVA in `amount_shipping`: rounded half up.'),
    })
    .nullable()
    .describe('The chosen way to send it, as a concept of a CFDI 4.0 has it; null where none is offered.'),
  amount_tip: minorString.describe('Minor units: the tip that the buyer added.'),
  amount: minorString.describe(
    'Minor units: what the buyer pays, before any markup for installments; 0 where the discounts take off all.',
  ),
  amount_tax: minorString.nullable().describe('The IVA of the lines, before discounts; null without lines.'),
  taxes: z
    .array(
      z.strictObject({
        iva_rate: z.enum(ivaRates).describe('The rate of IVA.'),
        base: minorString.describe(
          'The amount before IVA that this rate applies to, after discounts; minor units.',
        ),
        iva: minorString.describe('The IVA, after discounts; minor units.'),
      }),
    )
    .describe(
      'What is paid by rate of IVA, after discounts: bases and IVA sum to `amount` less `amount_tip`, which has no IVA. Empty without lines.',
    ),
}

/** As an example shows it. */
export const orderExample = {
  line_items: [
    {
      item_id: null,
      name: 'Taza azul',
      unit_amount: '58000',
      measured: null,
      modifiers: [],
      quantity: 2,
      iva_rate: '16',
      price_includes_tax: true,
      amount_subtotal: '100000',
      amount_tax: '16000',
      amount_total: '116000',
      amount_discount: '0',
      tax: { discount: '0', base: '100000', iva: '16000' },
      quantity_min: null,
      quantity_max: null,
    },
  ],
  discounts: [],
  allows_discount_codes: false,
  tips: null,
  shipping_options: [],
  shipping_option: null,
  amount_subtotal: '116000',
  amount_discount: '0',
  amount_shipping: '0',
  shipping_tax: null,
  amount_tip: '0',
  amount: '116000',
  amount_tax: '16000',
  taxes: [{ iva_rate: '16', base: '100000', iva: '16000' }],
} as const
