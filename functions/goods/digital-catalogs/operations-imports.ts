import { type Call, operation } from '../../../src/http/operation.ts'
import { entryOf } from '../../../src/http/problems.ts'
import { bytesOf } from '../../../src/kernel/base64.ts'
import { formatPlain } from '../../../src/kernel/format.ts'
import { csvHeader, csvLine } from '../../../src/platform/csv-lines.ts'
import * as contracts from './contract-imports.ts'
import { readItems } from './import-rows.ts'
import { type ImportFault, imported, planImport } from './plan-imports.ts'
import { catalogAt, categoriesOf, itemsByCode, itemsPage, ofCatalogAt, type PricedItem } from './store.ts'

type Asking = Pick<
  Call<{ catalog_id: string }, unknown, { content: string }, unknown>,
  'params' | 'body' | 'readAll' | 'read' | 'fail' | 'now' | 'newId' | 'settings'
>

const unreadable = {
  empty: 'The file has no rows below its header.',
  not_text: 'The file is no text: save it as CSV.',
  header_missing: 'The first row has no names of columns.',
  too_many_columns: 'The file has more than 200 columns.',
  too_many_rows: `The file has more than ${contracts.importRowsMax} rows.`,
  without_sku: 'No column is a sku.',
} as const

/** What a file would do to a catalog now: two round trips. */
async function importOf(call: Asking) {
  const { catalog_id: ref } = call.params
  const [[catalog], categories] = await call.readAll(catalogAt(ref), categoriesOf(ref))
  if (!catalog) return call.fail('digital_catalog_not_found')
  if (catalog.status === 'archived') return call.fail('digital_catalog_archived')
  const bytes = bytesOf(call.body.content)
  const active = categories.filter(({ status }) => status === 'active')
  const file =
    bytes.length > contracts.importBytesMax ? 'too_many_rows' : readItems(bytes, catalog.currency, active)
  if (typeof file === 'string')
    return call.fail('catalog_import_unreadable', { param: 'content', message: unreadable[file] })
  const skus = file.rows.map(({ asked }) => asked.sku)
  const barcodes = file.rows.flatMap(({ asked }) => asked.barcode ?? [])
  const items = skus.length === 0 ? [] : await call.read(itemsByCode(skus, barcodes, call.now))
  const effect = imported(catalog, file.rows, items, call)
  const faults = [...file.faults, ...effect.faults].sort((one, other) => one.row - other.row)
  const { created, updated, unchanged } = effect
  return { catalog, effect, faults, shown: { columns: [...file.columns], created, updated, unchanged } }
}

const shownFault = async ({ row, column, code, message }: ImportFault) => ({
  row,
  column,
  code,
  message: message ?? (await entryOf(code))[1],
})

const previewImport = operation(contracts.preview, async (call) => {
  const { shown, faults } = await importOf(call)
  return {
    object: 'catalog_import_preview' as const,
    ...shown,
    errors: await Promise.all(faults.map(shownFault)),
  }
})

const detailsMax = 20

const runImport = operation(contracts.run, async (call) => {
  const { catalog, effect, faults, shown } = await importOf(call)
  if (faults.length > 0) {
    const errors = await Promise.all(faults.slice(0, detailsMax).map(shownFault))
    const [{ row, message }] = errors as [Awaited<ReturnType<typeof shownFault>>]
    return call.fail('catalog_import_rows_refused', {
      message: `Row ${row}: ${message} ${faults.length} of its rows are wrong; nothing was imported.`,
      details: errors.map((error) => ({
        param: `rows.${error.row}${error.column === null ? '' : `.${error.column}`}`,
        code: error.code,
        message: error.message,
      })),
    })
  }
  return call.publish(planImport(catalog, effect, { object: 'catalog_import' as const, ...shown }))
})

const exportPage = 200

const columns = [
  'id',
  'sku',
  'name',
  'description',
  'kind',
  'status',
  'category',
  'position',
  'price',
  'compare_at_amount',
  'iva_rate',
  'price_includes_tax',
  'tracks_stock',
  'sat_product_code',
  'sat_unit_code',
  'barcode',
  'measure_unit',
]

function cellsOf(item: PricedItem, categories: ReadonlyMap<string, string>): string[] {
  const { price } = item
  const money = (minor: bigint | null | undefined) =>
    minor === null || minor === undefined ? '' : formatPlain(minor, price!.currency)
  return [
    item.id,
    item.sku ?? '',
    item.name,
    item.description ?? '',
    item.kind,
    item.status,
    categories.get(item.categoryId ?? '') ?? '',
    String(item.position),
    money(price?.amountMinor),
    money(price?.compareAtMinor),
    item.ivaRate,
    item.priceIncludesTax ? 'yes' : 'no',
    item.tracksStock ? 'yes' : 'no',
    item.satProductCode ?? '',
    item.satUnitCode ?? '',
    item.barcode ?? '',
    item.measureUnit ?? '',
  ]
}

/** Page by page while it is read: what is in memory does not grow with the catalog. */
const exportItems = operation(contracts.itemsFile, async ({ params, readAll, read, fail, now }) => {
  const ref = params.catalog_id
  const page = (after: object) => itemsPage({ ...ofCatalogAt(ref), at: now, rows: exportPage, ...after })
  const [[catalog], categories, first] = await readAll(catalogAt(ref), categoriesOf(ref), page({}))
  if (!catalog) return fail('digital_catalog_not_found')
  const names = new Map(categories.map(({ id, name }) => [id, name]))
  const lines = (items: readonly PricedItem[]) =>
    new TextEncoder().encode(
      items
        .filter(({ status }) => status !== 'archived')
        .map((item) => csvLine(cellsOf(item, names)))
        .join(''),
    )
  const encode = new TextEncoder()
  let items: readonly PricedItem[] | null = null
  return new ReadableStream<Uint8Array>({
    start(to) {
      to.enqueue(encode.encode(csvHeader(columns)))
    },
    async pull(to) {
      const last = items?.at(-1)
      items = last ? await read(page({ afterCreatedAt: last.createdAt, afterId: last.id })) : first
      to.enqueue(lines(items))
      if (items.length < exportPage) to.close()
    },
  })
})

export const importOperations = [previewImport, runImport, exportItems]
