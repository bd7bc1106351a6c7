import * as z from 'zod'
import { reportRuns, reportTypeNames } from '../../../drizzle/schema/reporting.ts'
import { contract, reads, type Saved } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import {
  currency,
  listed,
  minorString,
  queryInt,
  textOf,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { timeZones } from './time-zones.ts'

export const tag = 'Reporting'
export const access = { api_key: { scopes: ['reporting:read'] } } as const
const reading = { ...reads, tag, access } as const

export const daysMax = 366
/** The rows of a page. */
const rowsMax = 1_000

export const type = z.enum(reportTypeNames).describe('The report.')

const inWords = z.strictObject({
  en: z.string().describe('In English.'),
  es: z.string().describe('In Spanish.'),
})

const ReportType = z
  .strictObject({
    object: z.literal('report_type'),
    type,
    version: z.int().min(1).describe('Grows when the columns change.'),
    description: inWords.describe('What it shows.'),
    columns: z
      .array(
        z.strictObject({
          name: z.string().describe('The name of the column, in rows and in files.'),
          kind: z.enum(['minor', 'text', 'time', 'count']).describe('`minor`: an amount.'),
          optional: z
            .boolean()
            .describe(
              'An address of a person: only a run that names it in `columns` shows it, and the key needs `customer_hub:read` too.',
            ),
          description: inWords.describe('The meaning of its cells.'),
        }),
      )
      .describe('Its columns in their order.'),
    accounts: z
      .array(z.string())
      .describe(
        'The accounts of the ledger whose movement its rows are; empty where there is none, so that nothing is compared.',
      ),
  })
  .meta({ id: 'ReportType' })

const exampleType = {
  object: 'report_type',
  type: 'balance.activity',
  version: 1,
  description: {
    en: 'Every movement of the available balance, payouts too.',
    es: 'Cada movimiento del saldo disponible, también los retiros.',
  },
  columns: [
    {
      name: 'amount',
      kind: 'minor',
      optional: false,
      description: { en: 'What it added or took.', es: 'Lo que sumó o restó.' },
    },
  ],
  accounts: ['merchant_available'],
}

export const listTypes = contract({
  ...reading,
  id: 'report_types.list',
  path: '/v1/reporting/report-types',
  summary: 'List the reports',
  ...listed(ReportType, exampleType),
  errors: [],
})

const day = z.iso
  .date({ error: 'must be a day, like 2026-06-13', abort: true })
  .refine((text) => text >= '2023-01-01' && text < '2100-01-01', 'must lie in the years 2023 to 2099')
const daysIn = ({ from, to }: { readonly from: string; readonly to: string }) =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

const period = z
  .strictObject({
    from: day.describe('The first day.'),
    to: day.describe('The last day, which belongs to it.'),
  })
  .refine((asked) => daysIn(asked) >= 1, 'must not end before it begins')
  .refine((asked) => daysIn(asked) <= daysMax, `must have at most ${daysMax} days`)
  .describe(`The days, at most ${daysMax}.`)
export const timeZone = z.enum(timeZones).describe('Where the days begin.')
export const amounts = z
  .enum(reportRuns.amounts.enumValues)
  .describe('How the file shows amounts: `minor` units, or `decimal`. Rows have minor units.')
export const format = z
  .enum(reportRuns.format.enumValues)
  .describe('The form of the file: `csv`, or `jsonl` with a JSON object on each line.')
const sums = z.record(z.string(), minorString).nullable()
const columns = z
  .array(textOf(/^[a-z_]{1,60}$/, 'must be the name of a column'))
  .min(1)
  .max(60)

const Run = shown('report_run', {
  type,
  type_version: z.int().min(1).describe('The version of the report.'),
  status: z.enum(reportRuns.status.enumValues).describe('`expired`: its file is removed.'),
  period: z
    .strictObject({
      from: z.iso.date().describe('The first day.'),
      to: z.iso.date().describe('The last day.'),
    })
    .describe('The days, the last one included.'),
  time_zone: timeZone,
  amounts,
  format,
  columns: columns
    .nullable()
    .describe('The columns that it shows, in this order; null: all that are not optional.'),
  schedule_id: uuid.nullable().describe('The schedule that made it; null where it was started.'),
  payout_id: uuid.nullable().describe('The payout that it is of alone; null where it is of all.'),
  rows_count: z.int().min(0).describe('The rows until now.'),
  opening: sums.describe('What its accounts held before the period, by currency; null until it is over.'),
  closing: sums.describe('What they held after it: the opening and all rows.'),
  sha256: z.string().nullable().describe('Of the whole file, in hexadecimal.'),
  failure: z
    .enum(reportRuns.failure.enumValues)
    .nullable()
    .describe(
      '`report_unbalanced`: the rows are not what the accounts moved by. `report_abandoned`: it did not end within 7 days. We are alerted.',
    ),
  as_of: timestamp
    .nullable()
    .describe(
      'Everything booked in the period before it is in the run: of a period that was not over, a later run has more. Null until it is over.',
    ),
  removes_at: timestamp.nullable().describe('When its file is removed; null where there is none.'),
  finished_at: timestamp.nullable().describe('When it was over.'),
}).meta({ id: 'ReportRun' })

const asked = {
  type: 'balance.activity' as const,
  period: { from: '2026-05-01', to: '2026-05-31' },
  time_zone: 'America/Mexico_City' as const,
  amounts: 'minor' as const,
  format: 'csv' as const,
}

const example = exampleOf('report_run', '0190a6d2-7c3e-7b1a-9f00-0000000000a1', {
  ...asked,
  type_version: 1,
  status: 'queued' as const,
  columns: null,
  schedule_id: null,
  payout_id: null,
  rows_count: 0,
  opening: null,
  closing: null,
  sha256: null,
  failure: null,
  as_of: null,
  removes_at: null,
  finished_at: null,
})

const runs = resource({
  tag,
  path: '/v1/reporting/runs',
  reads: access,
  writes: access,
  tables: ['report_runs'],
  notFound: 'report_run_not_found',
  versioned: true,
  schema: Run,
  example,
})

export const create = runs.create({
  id: 'report_runs.create',
  summary: 'Run a report',
  description:
    'Its rows are what was booked in the period. Days that are over never change: every run of them has the same rows. A run whose opening and rows are not its closing fails. To name a column that shows an address of a person, and to read such a run, a key needs the scope `customer_hub:read` too; who asked is an entry of the audit trail, `report_runs.ask_addresses`, and so is each reading of its file or of a page of its rows, `report_runs.read_addresses`.',
  body: z.strictObject({
    type,
    period,
    time_zone: timeZone.default('America/Mexico_City'),
    amounts: amounts.default('minor'),
    format: format.default('csv'),
    columns: columns
      .refine((names) => new Set(names).size === names.length, 'must name each column once')
      .optional()
      .describe('The columns to show, in this order; left out: all that are not optional.'),
  }),
  errors: ['report_time_ahead', 'report_column_unknown'],
  example: asked,
})

export const list = runs.list({
  id: 'report_runs.list',
  summary: 'List the runs of reports',
  filters: {
    type: type.optional().describe('Only runs of this report.'),
    schedule_id: uuid.optional().describe('Only runs that this schedule made.'),
    status: z.enum(reportRuns.status.enumValues).optional().describe('Only what has this status.'),
  },
})

export const get = runs.get({ id: 'report_runs.get', summary: 'Get a run of a report' })

export const cancel = runs.move('cancel', {
  id: 'report_runs.cancel',
  summary: 'Cancel a run of a report',
  errors: ['report_run_over'],
  example: { status: 'canceled', version: 2, finished_at: '2026-06-13T12:00:00.000Z' },
})

const figures = ['opening', 'sum', 'closing', 'rows_count', 'file'] as const
export const fileStates = ['equal', 'different', 'missing', 'removed'] as const

const Verification = z
  .strictObject({
    object: z.literal('report_verification'),
    run_id: uuid.describe('The run that was verified.'),
    equal: z.boolean().describe('Whether all of these figures are as the run says.'),
    file: z
      .enum(fileStates)
      .describe(
        'The stored file: `equal` to the digest of the run, `different` from it, `missing` where a part is gone before its time, or `removed` after it.',
      ),
    differences: z
      .array(
        z.strictObject({
          figure: z.enum(figures).describe('`sum`: of all rows. `file`: its SHA-256.'),
          currency: currency.nullable().describe('Of an amount; null for what has none.'),
          stored: z.string().nullable().describe('What the run says; amounts in minor units.'),
          found: z.string().nullable().describe('What the ledger, or the stored file, has now.'),
        }),
      )
      .describe('The figures that are not as the run says; empty where all are.'),
    verified_at: timestamp.describe('When it was compared.'),
  })
  .meta({ id: 'ReportVerification' })

export const verify = contract({
  ...runs.writing,
  ...runs.one,
  id: 'report_runs.verify',
  path: '/v1/reporting/runs/:id/verify',
  summary: 'Verify a run of a report',
  description:
    'Computes the opening, the closing, and the count and the sums of its rows from the ledger again, and the SHA-256 of the file as it is stored, and compares them with what the run says. Nothing is written.',
  tables: [],
  idempotency: 'none',
  rate: 'write',
  reply: { status: 200, schema: Verification },
  errors: ['report_run_not_found', 'report_run_unfinished'],
  example: {
    reply: {
      object: 'report_verification',
      run_id: example.id,
      equal: false,
      file: 'equal',
      differences: [{ figure: 'closing', currency: 'mxn', stored: '9500000', found: '9500100' }],
      verified_at: '2026-06-13T12:00:00.000Z',
    },
  },
})

const Row = z
  .strictObject({
    id: uuid,
    object: z.literal('report_row'),
    cells: z
      .record(z.string(), z.string().nullable())
      .describe('By column, as text; amounts in minor units.'),
  })
  .meta({ id: 'ReportRow' })

const nextMessage = 'must be the `next` of the page before'

export const listRows = contract({
  ...runs.reading,
  ...runs.one,
  id: 'report_runs.list_rows',
  path: '/v1/reporting/runs/:id/rows',
  summary: 'List the rows of a run',
  description: 'In the order in which they were booked. They can be read also when the file is removed.',
  query: z.strictObject({
    limit: queryInt(1, rowsMax).default(100).describe(`How many rows, at most ${rowsMax}.`),
    after: textOf(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      nextMessage,
    )
      .refine((text) => timestamp.safeParse(text.split('_')[0]).success, nextMessage)
      .optional()
      .describe('The `next` of the page before.'),
  }),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('report_rows'),
        data: z.array(Row).describe('The rows of this page.'),
        next: z.string().nullable().describe('Send it as `after` for the next page; null on the last one.'),
      })
      .meta({ id: 'ReportRows' }),
  },
  errors: ['report_run_not_found', 'report_run_unfinished'],
  example: {
    reply: {
      object: 'report_rows',
      data: [
        { id: '0190a6d2-7c3e-7b1a-9f00-0000000000a2', object: 'report_row', cells: { amount: '-120000' } },
      ],
      next: null,
    },
  },
})

export const getFile = contract({
  ...runs.reading,
  ...runs.one,
  id: 'report_runs.get_file',
  path: '/v1/reporting/runs/:id/file',
  summary: 'Get the file of a run',
  description:
    'CSV in UTF-8 with a header, or a JSON object on each line (`application/x-ndjson`), as the run asked; its name has the report and the days. A text that a spreadsheet would compute has a quote before it.',
  reply: { status: 200, schema: z.custom<Saved>() },
  download: { type: 'text/csv; charset=utf-8', name: 'report.csv' },
  errors: ['report_run_not_found', 'report_run_unfinished', 'report_file_expired'],
  example: { reply: 'booked_at,amount\r\n2026-05-31T17:00:00.000Z,-120000\r\n' },
})

export const balance = contract({
  ...reading,
  id: 'reporting_balance.get',
  path: '/v1/reporting/balance',
  summary: 'Get the balance at a time',
  description:
    'What each account of the ledger held before this time: the sum of all that was booked until then.',
  query: z.strictObject({
    at: timestamp.optional().describe('A time that has passed; now where it is left out.'),
  }),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('balance_at'),
        at: timestamp.describe('Everything booked before it counts.'),
        accounts: z
          .array(
            z.strictObject({
              account: z.string().describe('The account of the ledger.'),
              currency,
              amount: minorString.describe('What it held, in minor units.'),
            }),
          )
          .describe('The accounts that had been used.'),
      })
      .meta({ id: 'BalanceAt' }),
  },
  errors: ['report_time_ahead'],
  example: {
    reply: {
      object: 'balance_at',
      at: '2026-06-01T06:00:00.000Z',
      accounts: [{ account: 'merchant_available', currency: 'mxn', amount: '9500000' }],
    },
  },
})

/** The steps of all runs, the end of one for its schedule, and the removal of files. */
export const running = {
  id: 'report_runs.step',
  access: { system: {} },
  tables: ['mail_notices', 'report_deliveries', 'report_runs', 'report_schedules'],
} as const
