import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { catalogs, exampleCatalog } from './contract.ts'
import { fields, made, price } from './contract-items.ts'

export const importRowsMax = 500
export const importBytesMax = 256 * 1024

/** A row of a file. Of an existing item, what it leaves out stays; a new item gets the defaults of `create`. */
export const ImportedItem = z.strictObject({
  sku: fields.sku.unwrap(),
  barcode: fields.barcode.optional(),
  name: fields.name.optional(),
  description: fields.description.optional(),
  kind: made.kind.optional(),
  status: z.enum(['active', 'inactive']).optional(),
  category_id: fields.category_id.optional(),
  position: fields.position.optional(),
  iva_rate: fields.iva_rate.optional(),
  price_includes_tax: fields.price_includes_tax.optional(),
  measure_unit: made.measure_unit.optional(),
  tracks_stock: made.tracks_stock.optional(),
  sat_product_code: fields.sat_product_code.optional(),
  sat_unit_code: fields.sat_unit_code.optional(),
  price: z.strictObject({ amount: price, compare_at_amount: price.optional() }).optional(),
})

const body = z.strictObject({
  content: z
    .base64('must be base64')
    .describe('The file’s bytes in base64: a header, then one item a row, as `items.csv` has them.'),
})

const columns = z
  .array(
    z.strictObject({
      header: z.string().describe('The column’s name in the first row.'),
      field: z.string().nullable().describe('What the column is of an item; null: it is left out.'),
    }),
  )
  .describe('Its columns, in their order.')
const counts = {
  created: z.int().min(0).describe('How many rows are new items.'),
  updated: z.int().min(0).describe('How many change an item or set it another price.'),
  unchanged: z.int().min(0).describe('How many are as their items are.'),
}

const RowError = z
  .strictObject({
    row: z.int().describe('The row of the spreadsheet; the header is row 1.'),
    column: z.string().nullable().describe('The field at fault; null for the row as a whole.'),
    code: z.string().describe('The error code.'),
    message: z.string().describe('What is wrong with it.'),
  })
  .meta({ id: 'CatalogImportError' })

const exampleText = 'Clave,Nombre,Precio,IVA\nTAZA-1,Taza azul,"1,250.00",16\n'
const exampleColumns = [
  { header: 'Clave', field: 'sku' },
  { header: 'Nombre', field: 'name' },
  { header: 'Precio', field: 'price' },
  { header: 'IVA', field: 'iva_rate' },
]
const exampleBody = { content: btoa(exampleText) }

const errors = ['digital_catalog_not_found', 'digital_catalog_archived', 'catalog_import_unreadable'] as const

export const preview = contract({
  ...catalogs.reading,
  ...catalogs.one,
  id: 'catalog_imports.preview',
  method: 'POST',
  path: '/v1/digital-catalogs/:catalog_id/import-previews',
  summary: 'Preview an import of items',
  description:
    'What an import of this file would do, and everything that is wrong with its rows. Nothing is stored.',
  bodyKiBMax: 400,
  body,
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('catalog_import_preview'),
        columns,
        ...counts,
        errors: z.array(RowError).describe('What is wrong with its rows, in their order.'),
      })
      .meta({ id: 'CatalogImportPreview' }),
  },
  errors: [...errors],
  example: {
    body: exampleBody,
    reply: {
      object: 'catalog_import_preview',
      columns: exampleColumns,
      created: 1,
      updated: 0,
      unchanged: 0,
      errors: [],
    },
  },
})

export const run = contract({
  ...catalogs.writing,
  ...catalogs.one,
  id: 'catalog_imports.create',
  tables: ['catalog_items', 'catalog_prices'],
  path: '/v1/digital-catalogs/:catalog_id/imports',
  summary: 'Import items from a file',
  description: `A CSV file of at most ${importRowsMax} items and 256 KiB, in UTF-8 or Windows-1252, with commas, semicolons, tabs or bars. Its columns are recognized by their names in Spanish or English: \`sku\`, \`barcode\`, \`name\`, \`description\`, \`kind\`, \`status\`, \`category\` (by its name), \`position\`, \`price\` and \`compare_at_amount\` (decimals, in the currency of the catalog), \`iva_rate\`, \`price_includes_tax\`, \`measure_unit\`, \`tracks_stock\`, \`sat_product_code\`, \`sat_unit_code\`. A row whose \`sku\` an item has changes that item; another one is a new item, a \`physical_count\` unless it says otherwise. An empty cell says nothing. A price is set where it differs. All rows have their effect or none: one that is wrong refuses the file, and the preview names all that are.`,
  bodyKiBMax: 400,
  body,
  reply: {
    status: 200,
    schema: z
      .strictObject({ object: z.literal('catalog_import'), columns, ...counts })
      .meta({ id: 'CatalogImport' }),
  },
  errors: [
    ...errors,
    'catalog_import_rows_refused',
    'catalog_item_sku_taken',
    'catalog_item_barcode_taken',
    'catalog_category_not_found',
    'catalog_prices_too_many',
  ],
  example: {
    body: exampleBody,
    reply: { object: 'catalog_import', columns: exampleColumns, created: 1, updated: 0, unchanged: 0 },
  },
})

export const itemsFile = contract({
  ...catalogs.reading,
  ...catalogs.one,
  id: 'catalog_items.export',
  path: '/v1/digital-catalogs/:catalog_id/items.csv',
  summary: 'Get the items of a catalog as a file',
  description:
    'A CSV file in UTF-8, newest first, without archived items, with the columns that an import reads and the id before them. A cell that a spreadsheet would compute has a quote before it, which an import takes away.',
  reply: { status: 200, schema: z.custom<ReadableStream<Uint8Array>>() },
  download: { type: 'text/csv; charset=utf-8', name: 'items.csv' },
  errors: ['digital_catalog_not_found'],
  example: {
    reply: `id,sku,name\r\n${exampleCatalog.id},TAZA-1,Taza azul\r\n`,
  },
})
