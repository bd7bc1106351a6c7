import { problemIn } from '../../../src/http/stages/issues.ts'
import { recognizing } from '../../../src/kernel/csv-columns.ts'
import { foldedWords } from '../../../src/kernel/fold.ts'
import { parseAmount } from '../../../src/kernel/format.ts'
import { isBlank, rowsIn } from '../../../src/platform/csv.ts'
import { unwritten } from '../../../src/platform/csv-lines.ts'
import { shapeOf, type Unreadable } from '../../../src/platform/csv-shape.ts'
import { ImportedItem, importRowsMax } from './contract-imports.ts'
import { columnOf, type ImportFault, type ImportRow } from './plan-imports.ts'
import type { CategoryRow } from './store.ts'

/** What a column can be, with the names by which it is recognized in a header. */
const names = {
  sku: 'sku|clave|codigo|codigo interno|clave interna|referencia|item code|product code|code',
  barcode: 'barcode|codigo de barras|codigo barras|gtin|ean|upc',
  name: 'name|nombre|articulo|producto|item|product|nombre del producto|nombre del articulo|product name|title|titulo',
  description: 'description|descripcion|detalle|detalles',
  kind: 'kind|type|tipo|clase',
  status: 'status|estado|estatus',
  category: 'category|categoria|departamento|linea',
  position: 'position|posicion|orden|order|sort order',
  price: 'price|precio|precio de venta|importe|unit price|precio unitario',
  compare_at_amount:
    'compare at amount|compare at|compare at price|precio anterior|precio de lista|former price|list price',
  iva_rate: 'iva rate|iva|tasa de iva|impuesto|tax|tax rate',
  price_includes_tax: 'price includes tax|iva incluido|precio con iva|incluye iva',
  measure_unit: 'measure unit|unidad de medida|se mide en',
  tracks_stock: 'tracks stock|existencias contadas|controla existencias|inventario',
  sat_product_code: 'sat product code|clave sat|clave producto sat|claveprodserv|clave prod serv',
  sat_unit_code: 'sat unit code|unidad sat|clave unidad|claveunidad|clave unidad sat',
} as const

export type ImportField = keyof typeof names
const fieldsIn = recognizing(names)

/** A file of items as it was read. */
export interface ImportFile {
  readonly columns: readonly { readonly header: string; readonly field: ImportField | null }[]
  readonly rows: readonly ImportRow[]
  readonly faults: readonly ImportFault[]
}

/** Reads a file's rows; a row that cannot be read is a fault, and the others are read all the same. */
export function readItems(
  bytes: Uint8Array,
  currency: string,
  categories: readonly CategoryRow[],
): ImportFile | Unreadable | 'too_many_rows' | 'without_sku' {
  const shape = shapeOf(bytes, bytes.length)
  if (typeof shape === 'string') return shape
  const fields = fieldsIn(shape.header) as (ImportField | null)[]
  if (!fields.includes('sku')) return 'without_sku'
  const body = bytes.subarray(shape.start)
  const read = rowsIn(body, { delimiter: shape.delimiter, isEnd: true, rowsMax: importRowsMax * 2 })
  const filled = read.flatMap((row, at) => (isBlank(row) ? [] : [{ row: at + 2, cells: row.cells }]))
  if (filled.length > importRowsMax || read.length === importRowsMax * 2) return 'too_many_rows'
  const rows: ImportRow[] = []
  const faults: ImportFault[] = []
  const seen = new Map<string, number>()
  for (const { row, cells } of filled) {
    const found = cells ? rowOf({ row, cells, fields, currency, categories }) : misfit(row, null, openQuote)
    if ('code' in found) {
      faults.push(found)
      continue
    }
    const { sku } = found.asked
    const first = seen.get(sku)
    if (first !== undefined) faults.push(misfit(row, 'sku', `Row ${first} has this sku too.`))
    else rows.push(found)
    seen.set(sku, first ?? row)
  }
  const columns = shape.header.map((header, at) => ({ header, field: fields[at] ?? null }))
  return { columns, rows, faults }
}

const openQuote = 'A quote in this row is never closed.'

const misfit = (row: number, column: string | null, message: string): ImportFault => ({
  row,
  column,
  code: 'parameter_invalid',
  message,
})

interface Read {
  readonly row: number
  readonly cells: readonly string[]
  readonly fields: readonly (ImportField | null)[]
  readonly currency: string
  readonly categories: readonly CategoryRow[]
}

/** A row as the bodies of the operations that it stands for. An empty cell says nothing. */
function rowOf({ row, cells, fields, currency, categories }: Read): ImportRow | ImportFault {
  if (cells.length < fields.length || cells.slice(fields.length).some((cell) => cell.trim() !== ''))
    return misfit(row, null, 'This row has another number of cells than the header.')
  const of = (field: ImportField): string | undefined => {
    const at = fields.indexOf(field)
    return at < 0 ? undefined : unwritten(cells[at]!.trim()).trim() || undefined
  }
  const category = of('category')
  const categoryId = category && categories.find(({ name }) => isSame(name, category))?.id
  if (category && !categoryId)
    return { row, column: 'category', code: 'catalog_category_not_found', message: undefined }
  const amounts = { amount: of('price'), compare_at_amount: of('compare_at_amount') }
  const price: Record<string, string> = {}
  for (const [name, typed] of Object.entries(amounts)) {
    if (typed === undefined) continue
    const minor = parseAmount(typed, currency)
    const column = name === 'amount' ? 'price' : name
    if (minor === null)
      return misfit(row, column, `This field must be an amount in ${currency}, like 1234.50.`)
    price[name] = minor.toString()
  }
  if (price.compare_at_amount !== undefined && price.amount === undefined)
    return misfit(row, 'compare_at_amount', 'A former price stands beside a price.')
  const asked = defined({
    sku: of('sku'),
    barcode: of('barcode'),
    name: of('name'),
    description: of('description'),
    kind: of('kind'),
    status: of('status'),
    category_id: categoryId,
    position: wholeOf(of('position')),
    iva_rate: rateOf(of('iva_rate')),
    price_includes_tax: flagOf(of('price_includes_tax')),
    measure_unit: of('measure_unit')?.toLowerCase(),
    tracks_stock: flagOf(of('tracks_stock')),
    sat_product_code: of('sat_product_code'),
    sat_unit_code: of('sat_unit_code')?.toUpperCase(),
    price: price.amount === undefined ? undefined : price,
  })
  const checked = ImportedItem.safeParse(asked)
  if (checked.success) return { row, asked: checked.data }
  const { code, more } = problemIn(checked.error, asked, { schema: ImportedItem })
  return { row, column: columnOf(more.param), code, message: more.message }
}

const defined = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const folded = (text: string) => foldedWords(text).join(' ')
const isSame = (one: string, other: string) => folded(one) === folded(other)

const yes = ['si', 'yes', 'true', '1', 'x']
const no = ['no', 'false', '0']

/** `sí` or `no`; any other word as it came, for the schema to refuse. */
function flagOf(typed: string | undefined): boolean | string | undefined {
  if (typed === undefined) return undefined
  const word = folded(typed)
  return yes.includes(word) ? true : no.includes(word) ? false : typed
}

/** A whole number; any other word as it came, for the schema to refuse. */
const wholeOf = (typed: string | undefined) => (typed && /^\d{1,9}$/.test(typed) ? Number(typed) : typed)

const rateOf = (typed: string | undefined) =>
  typed && folded(typed) === 'exento' ? 'exempt' : typed?.toLowerCase().replace(/\s*%$/, '')
