import * as z from 'zod'
import { measureUnits } from '../../../drizzle/schema/digital-catalogs.ts'
import { boundedMinor, freeText } from '../../../src/http/schemas.ts'

const gtinLengths = [8, 12, 13, 14]

/** Whether the last digit of a GTIN is its check digit (GS1 General Specifications, 7.9); what is no GTIN has none. */
export function isChecked(barcode: string): boolean {
  if (!/^\d+$/.test(barcode) || !gtinLengths.includes(barcode.length)) return true
  const sum = [...barcode]
    .toReversed()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

export const barcode = freeText(48)
  .trim()
  .regex(/^[0-9A-Za-z._-]{4,48}$/, 'must be 4 to 48 letters, digits, dots, hyphens or underscores')
  .refine((code) => /[^0]/.test(code), 'must not be all zeros')
  .refine(isChecked, 'must end in its check digit: of 8, 12, 13 or 14 digits the last one checks the others')

/** How much of what is measured, as text: up to three decimals. */
export const measure = z
  .string()
  .regex(/^(?=.*[1-9])(0|[1-9]\d{0,5})(\.\d{1,3})?$/, 'must be a number above 0 with up to three decimals')

const choiceName = freeText(60).trim().min(1)
const isEachOnce = (list: readonly { readonly name: string }[]) =>
  new Set(list.map(({ name }) => name)).size === list.length

const modifierGroup = z
  .strictObject({
    name: choiceName.describe('What is chosen: `Leche`.'),
    choices_min: z.int().min(0).max(20).default(0).describe('The fewest that an order names; `1`: it must.'),
    choices_max: z.int().min(1).max(20).default(1).describe('The most that an order names.'),
    choices: z
      .array(
        z.strictObject({
          name: choiceName.describe('One choice: `Almendra`.'),
          amount: boundedMinor
            .default('0')
            .describe('Minor units, on top of the price of one, with or without IVA as the price is.'),
        }),
      )
      .min(1)
      .max(30)
      .refine(isEachOnce, 'must not name a choice twice')
      .describe('What there is to choose from: up to 30.'),
  })
  .refine(
    ({ choices_min: least, choices_max: most, choices }) => least <= most && most <= choices.length,
    'must have choices_min at most choices_max, and as many choices',
  )

/** What an item has for sales at a counter or a table, that a change may name. */
export const counterFields = {
  barcode: barcode
    .nullable()
    .describe(
      'What a scanner reads: a GTIN with its check digit (a UPC-E as the UPC-A that it stands for), or a code of your own. No two items of the workspace share one, but for archived ones; leading zeros do not tell two apart.',
    ),
  modifiers: z
    .array(modifierGroup)
    .max(10)
    .refine(isEachOnce, 'must not name a group twice')
    .describe(
      'What a buyer may have changed or added: up to 10 groups. Lines of orders name what was chosen. An item with a group that must be chosen from is not sold on the page of its catalog.',
    ),
}

/** And what stays as it was created. */
export const measureUnit = z
  .enum(measureUnits)
  .nullable()
  .describe(
    'Its prices are of one of these, and lines of orders say how much; null: it is sold by the piece. Only of a `physical_count` without counted stock, or a `service`; it is not sold on the page of its catalog.',
  )
