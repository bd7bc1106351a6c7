import * as z from 'zod'
import { minorAsked } from '../../../src/http/schemas.ts'
import { methods, pushMethods } from '../../../src/kernel/payment-methods.ts'

/** One spelling of an amount: `0100` is `100`. */
const amount = minorAsked
  .refine((text) => !text.startsWith('-'), 'must not be negative')
  .overwrite((text) => (/^\d{1,18}$/.test(text) ? BigInt(text).toString() : text))
const currencyCode = z.string().regex(/^[a-z]{3}$/, 'must be three lowercase letters')
const byCurrency = z.record(currencyCode, amount)

const months = z.string().regex(/^([2-9]|[1-5]\d|60)$/, 'must be a number of months, from 2 to 60')

/** Without repetition and in order: one spelling of a set. */
const setOf = <T extends string | number>(item: z.ZodType<T, T>, most: number) =>
  z
    .array(item)
    .max(most)
    .refine((list) => new Set(list).size === list.length, 'must not name one twice')
    .overwrite((list) => list.toSorted((a, b) => (a < b ? -1 : 1)))

const ofMethod = {
  enabled: z.boolean().optional().describe('Whether buyers may pay this way.'),
  amount_min: byCurrency.optional().describe('The least amount, by currency; minor units.'),
  amount_max: byCurrency.optional().describe('The largest amount, by currency; minor units.'),
}
const expiresDays = z.int().min(1).max(7).optional().describe('The calendar days in which the buyer may pay.')

const describeMethod = (name: string) => `Payments by ${name}.`

/** What one level may say. A field that is absent narrows nothing. */
export const Settings = z.strictObject({
  methods: z
    .strictObject({
      card: z.strictObject(ofMethod).optional().describe(describeMethod('card')),
      card_present: z
        .strictObject(ofMethod)
        .optional()
        .describe('Payments by a card that is presented to a device.'),
      ...(Object.fromEntries(
        pushMethods.map((method) => [
          method,
          z
            .strictObject({ ...ofMethod, expires_days: expiresDays })
            .optional()
            .describe(describeMethod(method)),
        ]),
      ) as Record<
        (typeof pushMethods)[number],
        z.ZodOptional<z.ZodObject<typeof ofMethod & { expires_days: typeof expiresDays }, z.core.$strict>>
      >),
    })
    .optional()
    .describe('How buyers may pay, and between which amounts.'),
  msi: z
    .strictObject({
      terms: setOf(z.int().min(2).max(60), 12)
        .optional()
        .describe('The terms that may be offered, in months; none: no installments.'),
      amount_min: z
        .record(months, amount)
        .optional()
        .describe('The least price of a term, by its months; minor units of mxn.'),
      fee_allocations: setOf(z.enum(['absorb', 'pass_to_buyer']), 2)
        .optional()
        .describe('Who may bear the cost of installments.'),
      markup_cap_bps: z
        .int()
        .min(0)
        .max(10_000)
        .optional()
        .describe('The largest markup on a buyer who pays in installments, in basis points.'),
    })
    .optional()
    .describe('Meses sin intereses: installments of cards, in mxn.'),
  capture: z
    .strictObject({
      manual_allowed: z
        .boolean()
        .optional()
        .describe('Whether cards may be authorized first and captured later.'),
    })
    .optional()
    .describe('How cards are captured.'),
  three_ds: z
    .strictObject({
      required_from: byCurrency
        .optional()
        .describe(
          'From this amount on the bank must confirm the buyer with 3-D Secure, by currency; minor units. Below it the processor decides; `0`: always.',
        ),
    })
    .optional()
    .describe('When a buyer must confirm a card payment at the bank.'),
  unpaid_holds: z
    .strictObject({
      share_bps: z
        .int()
        .min(0)
        .max(10_000)
        .optional()
        .describe(
          'The part of what is left of a link’s uses, of stock and of a discount’s uses that OXXO and SPEI may hold unpaid, in basis points; at least one, and of one network or e-mail address at most a fifth. `0`: none.',
        ),
    })
    .optional()
    .describe('What buyers may hold without paying.'),
  refunds: z
    .strictObject({
      window_days: z
        .int()
        .min(0)
        .max(3_650)
        .optional()
        .describe(
          'How many calendar days of Mexico City after the day of its success a payment can be refunded; `0`: on that day alone.',
        ),
    })
    .optional()
    .describe('You may refund until this time.'),
})

/** The variable PAYMENT_POLICY: the platform's own level, and methods that it has stopped. */
export const PlatformSettings = z.strictObject({
  ...Settings.shape,
  stopped: z.array(z.enum(methods)).default([]),
})
