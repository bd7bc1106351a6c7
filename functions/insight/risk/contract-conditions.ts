import * as z from 'zod'
import { type RiskCondition, type RiskText, riskFigures } from '../../../drizzle/schema/risk.ts'
import { ofType, oneOf, ruleOf } from '../../../src/http/rule-schema.ts'
import { boundedMinor, currency, freeText, normalized, uuid } from '../../../src/http/schemas.ts'
import { readValue } from './values.ts'

const conditionsMax = 20

const figures: { readonly [F in (typeof riskFigures)[number]]: string } = {
  installments: 'In how many months it is paid; 1: at once.',
  hour: 'The hour of the day in Mexico City, 0 to 23.',
  score: 'The sum of the points of the try, 0 to 100.',
  customer_payments:
    'How many payments of the same customer were paid and neither refunded nor disputed; 100 stands for more. Whose address it is, is what the buyer typed.',
  card_tries_hour:
    'How often the card was tried within an hour, this time included. Of each count the last 100 tries are looked at.',
  card_tries_day: 'How often the card was tried within a day, this time included.',
  card_failures_day: 'How often the card failed within a day.',
  email_cards_hour:
    'How many cards were tried with the address within an hour, this one included; 0 without one.',
  email_cards_day:
    'How many cards were tried with the address within a day, this one included; 0 without one.',
  email_failures_day: 'How many cards of the address failed within a day.',
  network_cards_hour:
    'How many cards were tried from the network within an hour, of the last 100 tries there.',
  network_failures_hour: 'How many cards failed there within an hour.',
}

const texts: { readonly [T in RiskText]: string } = {
  card_brand: 'The brand of the card: `visa`.',
  card_funding: 'What kind of card it is.',
  card_bin: 'The first six digits of the card.',
  email_domain: 'What follows the @ of the address: `gmail.com`.',
  origin_type: 'What is paid: `payment_link`, `checkout_session`, `table_session`, `register_order`.',
}

const digits = (text: string) => readValue('bin', text)
const domain = (text: string) => readValue('email_domain', text)
export const forms: { readonly [T in RiskText]: z.ZodType<string> } = {
  card_brand: freeText(40).min(1).describe('The brand, in any case.'),
  card_funding: z.enum(['credit', 'debit', 'prepaid', 'unknown']).describe('What kind of card it is.'),
  card_bin: normalized(digits, 6, 'must be six digits').describe('The six digits.'),
  email_domain: normalized(domain, 253, 'must be a domain: example.com').describe('The domain.'),
  origin_type: z
    .enum(['payment_link', 'checkout_session', 'table_session', 'register_order'])
    .describe('What is paid.'),
}

const asked = 'What is asked of the try.'
const bounded = oneOf(['gte', 'lte'])

/** The least and the greatest value that a figure has. Of a count the last hundred tries are looked at. */
const range: { readonly [F in (typeof riskFigures)[number]]: readonly [number, number] } = {
  installments: [1, 48],
  hour: [0, 23],
  score: [0, 100],
  customer_payments: [0, 100],
  card_tries_hour: [1, 101],
  card_tries_day: [1, 101],
  card_failures_day: [0, 100],
  email_cards_hour: [0, 101],
  email_cards_day: [0, 101],
  email_failures_day: [0, 100],
  network_cards_hour: [1, 101],
  network_failures_hour: [0, 100],
}

/** No value is at least `gte` and at most `lte`. */
const ordered = [
  // Amounts have at most twelve digits, and an absent bound is above and below nothing.
  ({ gte, lte }: { gte?: number | string | undefined; lte?: number | string | undefined }) =>
    !(Number(gte) > Number(lte)),
  { path: ['lte'] as PropertyKey[], message: 'must not be below gte' },
] as const

export const condition = ruleOf<RiskCondition>(
  [
    ofType('amount', asked, {
      currency,
      gte: boundedMinor.optional().describe('At least so much, in minor units.'),
      lte: boundedMinor.optional().describe('At most so much, in minor units.'),
    })
      .refine(...bounded)
      .refine(...ordered),
    ...riskFigures.map((figure) => {
      const [least, greatest] = range[figure]
      const number = z.int().min(least).max(greatest).optional()
      return ofType(figure, figures[figure], {
        gte: number.describe('At least so many.'),
        lte: number.describe('At most so many.'),
      })
        .refine(...bounded)
        .refine(...ordered)
    }),
    ...Object.entries(texts).map(([name, says]) => ofType(name, says, { is: forms[name as RiskText] })),
    ofType('in_list', asked, {
      list_id: uuid.describe('A list that names the card, the address or the customer.'),
    }),
  ],
  'Risk',
  conditionsMax,
).describe(
  `When it holds: a condition, or \`all\`, \`any\` or \`none\` of several, which may be groups of conditions themselves. What is not known of a try holds nothing. There are at most ${conditionsMax} conditions.`,
)
