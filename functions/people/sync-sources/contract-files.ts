import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { timestamp, uuid } from '../../../src/http/schemas.ts'
import { exampleSource, ofSource, path, RecordError, reading, writing } from './contract.ts'
import { columnFields, repeatable } from './csv/fields.ts'

export const previewRows = 20

const of = `${path}/:id/file`

const field = z
  .union([
    z.enum(columnFields),
    z.string().regex(/^metadata\.[\w-]{1,40}$/, 'must be a field of a customer, or metadata. and a key'),
  ])
  .nullable()

const File = z
  .strictObject({
    id: uuid,
    object: z.literal('sync_file'),
    source_id: uuid.describe('The sync source that reads it.'),
    bytes: z.int().describe('How large it is, in bytes.'),
    delimiter: z.enum([',', ';', '\t', '|']).describe('What stands between its cells.'),
    columns: z
      .array(
        z.strictObject({
          header: z.string().describe('The column’s name in the first row.'),
          field: z.string().nullable().describe('What the column is of a customer; null: it is left out.'),
        }),
      )
      .describe('Its columns, in their order.'),
    removes_at: timestamp.describe('When it is removed, with the error files of its runs.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SyncFile' })

const exampleFile = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000063',
  object: 'sync_file',
  source_id: exampleSource.id,
  bytes: 63,
  delimiter: ',',
  columns: [
    { header: 'Id cliente', field: 'external_id' },
    { header: 'Nombre', field: 'name' },
    { header: 'Correo', field: 'email' },
  ],
  removes_at: '2026-06-20T12:00:00.000Z',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const
const exampleText = 'Id cliente,Nombre,Correo\nshop-1024,Ana Torres,ana@example.com\n'

export const uploadFile = contract({
  ...writing,
  ...ofSource,
  id: 'sync_files.upload',
  tables: ['sync_files'],
  method: 'PUT',
  idempotency: 'none',
  path: of,
  summary: 'Upload a file of customers',
  description:
    'A CSV file as the body, at most 50 MiB: a header, then one customer a row. Commas, semicolons, tabs or bars between cells, in UTF-8 or Windows-1252. What its columns are is suggested by their names in Spanish or English. It takes the place of the file that was uploaded before, and is removed after seven days. A file with card numbers is refused. The files of a workspace have at most 500 MiB together.',
  upload: { type: 'text/csv', example: exampleText },
  reply: { status: 200, schema: File },
  errors: [
    'sync_source_not_found',
    'sync_source_disconnected',
    'sync_source_takes_no_file',
    'sync_run_open',
    'sync_file_length_missing',
    'sync_file_empty',
    'sync_file_too_large',
    'sync_file_card_number',
    'sync_file_quota_reached',
    'sync_file_not_text',
    'sync_file_header_missing',
    'sync_file_too_many_columns',
    'sync_file_gone',
  ],
  example: { reply: exampleFile },
})

export const getFile = contract({
  ...reading,
  ...ofSource,
  id: 'sync_files.get',
  path: of,
  summary: 'Get the uploaded file',
  description: 'What is known of it, not its content.',
  reply: { status: 200, schema: File },
  errors: ['sync_source_not_found', 'sync_file_missing'],
  example: { reply: exampleFile },
})

export const mapFile = contract({
  ...writing,
  ...ofSource,
  id: 'sync_files.map',
  tables: ['sync_files'],
  method: 'PATCH',
  idempotency: 'optional',
  path: of,
  summary: 'Say what the columns of a file are',
  body: z.strictObject({
    fields: z
      .array(field)
      .min(1)
      .max(200)
      .refine((fields) => {
        const once = fields.filter((one) => one !== null && !repeatable.includes(one))
        return new Set(once).size === once.length
      }, 'must name each field once, except name and tags: their columns are joined')
      .describe(
        'A field for each column, in their order; null leaves a column out. Without `external_id` the e-mail address, or else the phone number, says which customer a row is about.',
      ),
  }),
  reply: { status: 200, schema: File },
  errors: ['sync_source_not_found', 'sync_file_missing', 'sync_file_columns_count'],
  example: { body: { fields: ['external_id', 'name', 'email'] }, reply: exampleFile },
})

const exampleRecord = {
  external_id: 'shop-1024',
  updated_at: '2026-06-13T12:00:00.002Z',
  customer: { name: 'Ana Torres', email: 'ana@example.com' },
} as const

export const previewFile = contract({
  ...reading,
  ...ofSource,
  id: 'sync_files.preview',
  path: `${of}/preview`,
  summary: 'Preview a file',
  description: `What its first ${previewRows} rows would be, with their errors. Nothing changes.`,
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('sync_preview'),
        rows: z
          .array(
            z.strictObject({
              row: z.int().describe('The row of the spreadsheet; the header is row 1.'),
              record: z
                .strictObject({
                  external_id: z.string().describe('What says which customer the row is about.'),
                  updated_at: z
                    .string()
                    .describe('The time of the row’s data: that of a column, otherwise that of the upload.'),
                  customer: z.record(z.string(), z.unknown()).describe('The fields of the customer.'),
                })
                .nullable()
                .describe('The record that it is; null where it is refused.'),
              error: RecordError.nullable().describe('Why the row is refused.'),
            }),
          )
          .describe('The rows that are not empty, in their order.'),
      })
      .meta({ id: 'SyncPreview' }),
  },
  errors: ['sync_source_not_found', 'sync_file_missing', 'sync_file_gone', 'sync_file_row_too_long'],
  example: { reply: { object: 'sync_preview', rows: [{ row: 2, record: exampleRecord, error: null }] } },
})

export const getErrors = contract({
  ...reading,
  params: z.strictObject({ id: uuid }),
  notFound: 'sync_run_not_found',
  id: 'sync_runs.get_errors',
  path: '/v1/customer-hub/sync-runs/:id/errors',
  summary: 'Get the records of a run that were refused',
  description:
    'A CSV file. Of a `csv` source: the number of each row, the field, the error code and text, and the row as it was, until the file is removed. Of a `stripe` source: the number of each record in the run, the field, the error code and text, and the id of the customer at Stripe, for 30 days. A cell that a spreadsheet would compute has a quote before it.',
  reply: { status: 200, schema: z.custom<ReadableStream<Uint8Array>>() },
  download: { type: 'text/csv; charset=utf-8', name: 'errors.csv' },
  errors: ['sync_run_not_found', 'sync_run_without_file', 'sync_file_gone'],
  example: {
    reply:
      'row,field,code,text,Id cliente,Nombre,Correo\r\n3,email,parameter_invalid,This field must be an e-mail address.,shop-1025,Berta,berta\r\n',
  },
})

/** Removes files whose time is over. */
export const removal = {
  id: 'sync_files.remove',
  access: { system: {} },
  tables: ['sync_files', 'sync_runs'],
} as const
