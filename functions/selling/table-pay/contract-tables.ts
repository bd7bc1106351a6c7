import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { freeText, metadata, uuid } from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { tableLifecycle } from './lifecycle.ts'

export const tag = 'Table pay'
export const path = '/v1/table-pay'
export const scopes = {
  reads: { api_key: { scopes: ['table_pay:read'] } },
  writes: { api_key: { scopes: ['table_pay:write'] } },
} as const

const status = z.enum(statusesOf(tableLifecycle)).describe('`archived` ones are kept; their names are free.')

const fields = {
  name: freeText(60)
    .trim()
    .min(1)
    .describe('What guests read, like `Mesa 4`: unique among the active tables of its location.'),
  seats_count: z.int().min(1).max(500).nullable().describe('How many guests it seats; null: not said.'),
  location_id: uuid.nullable().describe('The location that it stands in; null for none.'),
  metadata,
}

const Table = shown('dining_table', {
  public_id: z.string().describe('What its address ends in.'),
  url: z
    .string()
    .describe('What its printed QR code leads to: the bill that is open at the table. It stays the same.'),
  status,
  ...fields,
}).meta({ id: 'DiningTable' })

const body = { name: 'Mesa 4', seats_count: 4, location_id: null, metadata: { area: 'terraza' } }

export const exampleTable = exampleOf('dining_table', '0190a6d2-7c3e-7b1a-9f00-000000000201', {
  public_id: 'stable_q4m8x2c7v1b9n3k6j5h0g8f4d2s7a1p9',
  url: 'https://pay.example.com/m/stable_q4m8x2c7v1b9n3k6j5h0g8f4d2s7a1p9',
  status: 'active',
  ...body,
})

const tables = resource({
  tag,
  path: `${path}/tables`,
  ...scopes,
  tables: ['dining_tables'],
  notFound: 'dining_table_not_found',
  versioned: true,
  schema: Table,
  example: exampleTable,
})

export const create = tables.create({
  id: 'dining_tables.create',
  summary: 'Create a table',
  body: z.strictObject({
    name: fields.name,
    seats_count: fields.seats_count.default(null),
    location_id: fields.location_id.default(null),
    metadata: metadata.default({}),
  }),
  errors: ['dining_table_name_taken', 'location_not_found'],
  example: body,
})

export const list = tables.list({
  id: 'dining_tables.list',
  summary: 'List tables',
  filters: {
    status: status.optional().describe('Only what has this status.'),
    location_id: uuid.optional().describe('Only those of this location.'),
  },
})

export const get = tables.get({ id: 'dining_tables.get', summary: 'Get a table' })

export const update = tables.update({
  id: 'dining_tables.update',
  summary: 'Change a table',
  description: 'Fields that are left out stay. An open bill keeps the name that it was opened under.',
  fields,
  errors: ['dining_table_archived', 'dining_table_name_taken', 'location_not_found'],
  example: { seats_count: 6 },
})

export const archive = tables.move('archive', {
  id: 'dining_tables.archive',
  summary: 'Archive a table',
  description: 'Its code leads to nothing until it is restored. A table with an open bill is not archived.',
  errors: ['dining_table_archived', 'dining_table_occupied'],
  example: { status: 'archived', version: 2 },
})

export const restore = tables.move('restore', {
  id: 'dining_tables.restore',
  summary: 'Restore an archived table',
  errors: ['dining_table_not_archived', 'dining_table_name_taken'],
  example: { version: 3 },
})

export const qrSvg = contract({
  ...tables.reading,
  params: z.strictObject({ id: uuid }),
  notFound: 'dining_table_not_found',
  id: 'dining_tables.qr_svg',
  method: 'GET',
  path: `${path}/tables/:id/qr.svg`,
  summary: 'Get the QR code of a table as SVG',
  description:
    'For print: it scales to any size, and stays the same for the table’s life. Black on white with the border that scanners need.',
  reply: { status: 200, schema: z.custom<ReadableStream<Uint8Array>>() },
  download: { type: 'image/svg+xml', name: 'table.svg' },
  errors: ['dining_table_not_found'],
  example: { reply: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45"></svg>' },
})

/** What any holder of a table's address may read. */
export const view = { id: 'dining_tables.view', access: { public_id: {} }, tables: [] } as const
