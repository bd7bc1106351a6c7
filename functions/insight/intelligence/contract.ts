import * as z from 'zod'
import { declineCategories, declineCodes } from '../../../drizzle/schema/declines.ts'
import { contract, reads } from '../../../src/http/contract.ts'
import { currency, minorString, queryInt } from '../../../src/http/schemas.ts'
import { pushMethods } from '../../../src/kernel/payment-methods.ts'
import { horizonDaysMax } from './forecast.ts'
import { rateCountMin } from './rates.ts'

/** How many days a report has at most, and how many without dates. */
export const reportDaysMax = 92
export const reportDaysUsual = 30
export const reportDays = { daysMax: reportDaysMax, daysUsual: reportDaysUsual }

export const dimensions = [
  'method',
  'brand',
  'funding',
  'bin',
  'installments',
  'three_ds',
  'hour',
  'weekday',
  'day',
  'location',
  'origin',
] as const

const day = z.iso.date()
const count = z.int().min(0)

const reading = {
  ...reads,
  tag: 'Intelligence',
  access: { api_key: { scopes: ['intelligence:read'] } },
} as const

const period = {
  begins_on: day
    .optional()
    .describe(`The first day, in Mexico City; left out: ${reportDaysUsual} days with the last.`),
  ends_on: day.optional().describe('The last day, not before the first; left out: today.'),
  currency: currency.default('mxn').describe('The currency of the payments.'),
}
const ofPeriod = {
  begins_on: day.describe('The first day, in Mexico City.'),
  ends_on: day.describe('The last day.'),
  currency,
}
const examplePeriod = { begins_on: '2026-10-01', ends_on: '2026-10-31', currency: 'mxn' }

const rate = (of: string) => ({
  rate_bps: count
    .nullable()
    .describe(
      `Basis points: ${of}. Null where fewer than ${rateCountMin} were decided: the interval says what is known.`,
    ),
  rate_low_bps: count
    .nullable()
    .describe('Basis points: with 95 % confidence the rate is not below it. Null where none was decided.'),
  rate_high_bps: count
    .nullable()
    .describe('Basis points: with 95 % confidence the rate is not above it. Null where none was decided.'),
})

const exampleRate = { rate_bps: 8_500, rate_low_bps: 8_114, rate_high_bps: 8_819 }

const accepted = {
  payments_count: count.describe(
    'The payments that were made in the period and at which a card was tried, also where the buyer paid otherwise.',
  ),
  accepted_count: count.describe('Those whose card was authorized, at the first attempt or later.'),
  declined_count: count.describe('Those that were declined and not paid by card later.'),
  blocked_count: count.describe('Those that your own lists or rules declined, and no bank did. In no rate.'),
  abandoned_count: count.describe(
    'Those whose buyer left, at the bank’s confirmation for instance. In no rate.',
  ),
  open_count: count.describe('Those that are under way. In no rate.'),
  unknown_count: count.describe('Those whose outcome the processor has not confirmed. In no rate.'),
  first_attempt_count: count.describe('Those that were accepted at the first attempt.'),
  retried_count: count.describe('Those with more than one attempt by card.'),
  recovered_count: count.describe('Those that were declined first and accepted later.'),
  amount_accepted: minorString.describe('Minor units: what was asked for in the accepted ones.'),
  ...rate('accepted of accepted and declined payments'),
}
const exampleAccepted = {
  payments_count: 412,
  accepted_count: 340,
  declined_count: 60,
  blocked_count: 0,
  abandoned_count: 9,
  open_count: 2,
  unknown_count: 1,
  first_attempt_count: 318,
  retried_count: 41,
  recovered_count: 22,
  amount_accepted: '48120000',
  ...exampleRate,
}

const Acceptance = z
  .strictObject({
    object: z.literal('acceptance_report'),
    ...ofPeriod,
    by: z.enum(dimensions).nullable().describe('What the groups differ in; null: there are none.'),
    ...accepted,
    groups: z
      .array(
        z.strictObject({
          group: z
            .string()
            .nullable()
            .describe(
              'What they have in common: `visa`, `12` months, hour `09` to `09:59`, weekday `1` (Monday), a location’s id. Null: it has none, or the processor does not say.',
            ),
          ...accepted,
        }),
      )
      .describe('The groups, the largest first; at most 200.'),
  })
  .meta({ id: 'AcceptanceReport' })

export const acceptance = contract({
  ...reading,
  id: 'intelligence.acceptance',
  path: '/v1/intelligence/acceptance',
  summary: 'See how many cards were accepted',
  description:
    'Counts payments, not attempts: a buyer who succeeds with the second card is one accepted payment. What is under way or unknown is counted beside the rate, never in it. At most 92 days.',
  query: z.strictObject({
    ...period,
    by: z.enum(dimensions).optional().describe('What to group by; left out: no groups.'),
  }),
  reply: { status: 200, schema: Acceptance },
  isDrawn: true,
  errors: [],
  example: {
    reply: {
      object: 'acceptance_report',
      ...examplePeriod,
      by: 'brand',
      ...exampleAccepted,
      groups: [{ group: 'visa', ...exampleAccepted }],
    },
  },
})

const Declines = z
  .strictObject({
    object: z.literal('decline_report'),
    ...ofPeriod,
    reasons: z
      .array(
        z.strictObject({
          decline_code: z.enum(declineCodes).describe('Why the card was declined.'),
          decline_category: z.enum(declineCategories).describe('Whether trying again may help.'),
          attempts_count: count.describe('How many attempts were declined for it.'),
          payments_count: count.describe('How many payments had such an attempt.'),
          amount_lost: minorString.describe(
            'Minor units: of those that were not paid later, also not otherwise, and of which nothing is under way or unknown.',
          ),
          retried_count: count.describe('Those that were tried again after it, by card or otherwise.'),
          recovered_count: count.describe('Those of them that were paid: whether trying again helped.'),
          advice: z.string().describe('What you can do.'),
          buyer_message: z
            .strictObject({
              es: z.string().describe('In Spanish, as the page says it.'),
              en: z.string().describe('In English.'),
            })
            .describe('What the buyer reads.'),
        }),
      )
      .describe('The reasons, the most frequent first.'),
  })
  .meta({ id: 'DeclineReport' })

export const declines = contract({
  ...reading,
  id: 'intelligence.declines',
  path: '/v1/intelligence/declines',
  summary: 'See why cards were declined',
  description:
    'The reasons of declined attempts at payments that were made in the period, and whether trying again helped. At most 92 days.',
  query: z.strictObject(period),
  reply: { status: 200, schema: Declines },
  errors: [],
  example: {
    reply: {
      object: 'decline_report',
      ...examplePeriod,
      reasons: [
        {
          decline_code: 'insufficient_funds',
          decline_category: 'soft',
          attempts_count: 31,
          payments_count: 27,
          amount_lost: '2430000',
          retried_count: 18,
          recovered_count: 11,
          advice: 'Offer another card or a voucher at once; the same card may pass on another day.',
          buyer_message: {
            es: 'La tarjeta no tiene fondos suficientes. Intenta con otra tarjeta.',
            en: 'The card does not have enough funds. Try another card.',
          },
        },
      ],
    },
  },
})

const Conversion = z
  .strictObject({
    object: z.literal('conversion_report'),
    ...ofPeriod,
    methods: z
      .array(
        z.strictObject({
          method: z.enum(pushMethods).describe('How the buyer was to pay.'),
          payments_count: count.describe('The payments that were made in the period.'),
          paid_count: count.describe('Those that were paid, late ones included.'),
          lapsed_count: count.describe('Those that ended unpaid. That is no decline.'),
          open_count: count.describe('Those that can still be paid. In no rate.'),
          amount_paid: minorString.describe('Minor units: of the paid ones.'),
          paid_within_seconds_median: count
            .nullable()
            .describe('Half of the paid ones took no longer; null: none was paid.'),
          paid_within_seconds_p90: count
            .nullable()
            .describe('Nine of ten paid ones took no longer; null: none was paid.'),
          ...rate('paid of paid and lapsed payments'),
        }),
      )
      .describe('The methods that the buyer pays elsewhere, of which there were payments.'),
  })
  .meta({ id: 'ConversionReport' })

export const conversion = contract({
  ...reading,
  id: 'intelligence.conversion',
  path: '/v1/intelligence/conversion',
  summary: 'See how many vouchers and transfers were paid',
  description:
    'Of OXXO vouchers and SPEI transfers that were asked for in the period, how many were paid, and how soon. At most 92 days.',
  query: z.strictObject(period),
  reply: { status: 200, schema: Conversion },
  errors: [],
  example: {
    reply: {
      object: 'conversion_report',
      ...examplePeriod,
      methods: [
        {
          method: 'oxxo',
          payments_count: 430,
          paid_count: 340,
          lapsed_count: 60,
          open_count: 30,
          amount_paid: '15300000',
          paid_within_seconds_median: 18_000,
          paid_within_seconds_p90: 86_400,
          ...exampleRate,
        },
      ],
    },
  },
})

const likely = z
  .strictObject({
    p10: minorString.describe(
      'Minor units: the 10th percentile of these weeks by nearest rank; of eight, the least.',
    ),
    p50: minorString.describe('Minor units: the 50th percentile by nearest rank.'),
    p90: minorString.describe('Minor units: the 90th percentile by nearest rank; of eight, the greatest.'),
    weeks_count: count.describe('From how many weeks it is taken, at most eight.'),
  })
  .nullable()

const amountCertain = minorString.describe('Minor units: what your captured payments bring.')

const Forecast = z
  .strictObject({
    object: z.literal('cash_flow_forecast'),
    currency,
    as_of: day.describe('Today, in Mexico City.'),
    available: minorString.describe(
      'Minor units: your available balance now, with what is due by today and is released within a minute.',
    ),
    days: z
      .array(
        z.strictObject({
          day: day.describe('A day in Mexico City.'),
          certain: z
            .strictObject({
              amount_released: amountCertain,
              amount_reserve_released: minorString.describe('Minor units: what leaves the reserve.'),
            })
            .describe('What becomes available by the ledger, as it is now.'),
          likely: likely.describe(
            'What comes beside it, of payments that are still to be made or paid, less refunds and disputes: on the same days of the last weeks, what was not known as many days ahead. Null: you have sold for too few weeks.',
          ),
        }),
      )
      .describe('The days, beginning with tomorrow.'),
    payouts: z
      .array(
        z.strictObject({
          day: day.describe('The day on which it leaves for your bank.'),
          amount_certain: minorString.describe(
            'Minor units: the balance and what is certain, since the payout before it.',
          ),
          amount_likely: minorString
            .nullable()
            .describe('Minor units: with the likely part (p50). Null: there is none.'),
        }),
      )
      .describe(
        'The payouts of your schedule within these days, none before its account is cool, and today’s where it is still due; empty where you pay out by hand, your processor pays out, the account is not verified or the workspace is suspended.',
      ),
    errors: z
      .array(
        z.strictObject({
          days_ahead: count.describe('How many days ahead the forecast was made.'),
          amount_mean: minorString
            .nullable()
            .describe(
              'Minor units: by how much it was wrong, up or down, in the mean. Null: you have sold for too few weeks.',
            ),
          days_count: count.describe('How many of the last 28 days it is taken from.'),
        }),
      )
      .describe('What this forecast would have said of each of the last 28 days, against what came.'),
  })
  .meta({ id: 'CashFlowForecast' })

export const cashFlow = contract({
  ...reading,
  id: 'intelligence.cash_flow',
  path: '/v1/intelligence/forecasts/cash-flow',
  summary: 'See what will be in your balance',
  description:
    'What is certain by the ledger, what is likely by your own last weeks, and by how much the same forecast was wrong last month.',
  query: z.strictObject({
    currency: currency.default('mxn').describe('The currency of the balance.'),
    days: queryInt(1, horizonDaysMax).optional().describe('How many days; left out: 14.'),
  }),
  reply: { status: 200, schema: Forecast },
  isDrawn: true,
  errors: [],
  example: {
    reply: {
      object: 'cash_flow_forecast',
      currency: 'mxn',
      as_of: '2026-11-26',
      available: '1250000',
      days: [
        {
          day: '2026-11-27',
          certain: { amount_released: '830000', amount_reserve_released: '0' },
          likely: { p10: '40000', p50: '120000', p90: '310000', weeks_count: 8 },
        },
      ],
      payouts: [{ day: '2026-11-27', amount_certain: '2080000', amount_likely: '2200000' }],
      errors: [
        { days_ahead: 7, amount_mean: '96000', days_count: 28 },
        { days_ahead: 30, amount_mean: null, days_count: 0 },
      ],
    },
  },
})
