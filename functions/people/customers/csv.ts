import { csvHeader, csvLine } from '../../../src/platform/csv-lines.ts'
import type { CustomerRow } from './store.ts'

const pageMax = 200

const header = [
  'id',
  'updated at',
  'name',
  'email',
  'phone',
  'locale',
  'tags',
  'address line 1',
  'address line 2',
  'neighborhood',
  'city',
  'state',
  'postal code',
  'country',
  'rfc',
  'legal name',
  'tax regime',
  'tax postal code',
  'cfdi use',
]

function cellsOf({ id, updatedAt, name, email, phone, locale, tags, addresses, taxProfile }: CustomerRow) {
  const address = addresses[0]
  return [
    id,
    updatedAt.toISOString(),
    name,
    email,
    phone,
    locale,
    tags.join('|'),
    address?.line1,
    address?.line2,
    address?.neighborhood,
    address?.city,
    address?.state,
    address?.postal_code,
    address?.country,
    taxProfile?.rfc,
    taxProfile?.legal_name,
    taxProfile?.tax_regime,
    taxProfile?.postal_code,
    taxProfile?.cfdi_use,
  ].map((cell) => cell ?? '')
}

/** Where a page begins: behind a customer. */
type Position = { readonly rows: number; readonly afterCreatedAt?: Date; readonly afterId?: string }

/**
 * Customers as a file, page by page while it is read: what is in memory does not grow with their number. `page` reads the
 * next one.
 */
export async function csvOf(page: (at: Position) => Promise<readonly CustomerRow[]>) {
  const encode = (text: string) => new TextEncoder().encode(text)
  const lines = (rows: readonly CustomerRow[]) => encode(rows.map((row) => csvLine(cellsOf(row))).join(''))
  let rows = await page({ rows: pageMax })
  return new ReadableStream<Uint8Array>({
    start(to) {
      to.enqueue(encode(csvHeader(header)))
      to.enqueue(lines(rows))
    },
    async pull(to) {
      const last = rows.at(-1)
      rows =
        last && rows.length === pageMax
          ? await page({ rows: pageMax, afterCreatedAt: last.createdAt, afterId: last.id })
          : []
      if (rows.length === 0) to.close()
      else to.enqueue(lines(rows))
    },
  })
}
