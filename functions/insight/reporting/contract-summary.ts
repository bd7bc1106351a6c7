import * as z from 'zod'
import { contract, reads } from '../../../src/http/contract.ts'
import { currency, minorString, timestamp } from '../../../src/http/schemas.ts'
import { daysMax, tag, timeZone } from './contract.ts'

/** How many days a summary has at most, and how many without dates. */
export const summaryDays = { daysMax, daysUsual: 30 }

export const parts = ['day', 'method', 'location'] as const

const count = z.int().describe('How many.')

const figures = {
  amount_gross: minorString.describe('Minor units: what was captured.'),
  amount_refunds: minorString.describe('Minor units: what left for refunds, less what came back of them.'),
  amount_disputes: minorString.describe(
    'Minor units: what disputes hold or took, less what they released, without their fees.',
  ),
  amount_fees: minorString.describe('Minor units: the fees of payments and disputes, before IVA.'),
  amount_iva: minorString.describe('Minor units: the IVA on these fees.'),
  amount_net: minorString.describe(
    'Minor units: gross less refunds, disputes, fees and IVA; below zero where more was taken than came in.',
  ),
  payments_count: count.describe('The payments that were captured.'),
  refunds_count: count.describe(
    'The refunds that left, less those that came back; below zero where more came back.',
  ),
  disputes_count: count.describe('The disputes for which money was held the first time.'),
}
const exampleFigures = {
  amount_gross: '1200000',
  amount_refunds: '90000',
  amount_disputes: '0',
  amount_fees: '43200',
  amount_iva: '6912',
  amount_net: '1059888',
  payments_count: 14,
  refunds_count: 1,
  disputes_count: 0,
}

const Summary = z
  .strictObject({
    object: z.literal('reporting_summary'),
    begins_on: z.iso.date().describe('The first day.'),
    ends_on: z.iso.date().describe('The last day.'),
    time_zone: timeZone,
    currency,
    by: z.enum(parts).nullable().describe('What the groups differ in; null: there are none.'),
    as_of: timestamp.describe(
      'Everything that was booked before this time is in it, and some of what was booked after it may be.',
    ),
    ...figures,
    groups: z
      .array(
        z.strictObject({
          group: z
            .string()
            .nullable()
            .describe('The day, the method, or the id of the location; null: at no location.'),
          ...figures,
        }),
      )
      .describe('The groups in their order. Each figure above is the sum of theirs.'),
  })
  .meta({ id: 'ReportingSummary' })

export const summary = contract({
  ...reads,
  tag,
  access: { api_key: { scopes: ['reporting:read'] } },
  id: 'reporting_summary.get',
  path: '/v1/reporting/summary',
  summary: 'Get what payments brought in',
  description:
    'What was booked on these days for payments, their refunds and their disputes: the movements of the balance that have these sources. It is kept ready by the hour, and is behind by one or two minutes while money moves, at most some ten while none does. `Accept: image/svg+xml` has it as a picture.',
  query: z.strictObject({
    begins_on: z.iso.date().optional().describe('The first day; left out: 30 days with the last.'),
    ends_on: z.iso.date().optional().describe('The last day, not before the first; left out: today.'),
    time_zone: timeZone.default('America/Mexico_City'),
    currency: currency.default('mxn').describe('The currency of the payments.'),
    by: z.enum(parts).optional().describe('What to group by; left out: no groups.'),
  }),
  reply: { status: 200, schema: Summary },
  isDrawn: true,
  errors: [],
  example: {
    reply: {
      object: 'reporting_summary',
      begins_on: '2026-05-01',
      ends_on: '2026-05-31',
      time_zone: 'America/Mexico_City',
      currency: 'mxn',
      by: 'method',
      as_of: '2026-06-13T12:00:00.000Z',
      ...exampleFigures,
      groups: [{ group: 'card', ...exampleFigures }],
    },
  },
})
