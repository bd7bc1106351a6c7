import { expect, test } from 'vitest'
import { asked, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

interface Answer {
  columns: { header: string; field: string | null }[]
  created: number
  updated: number
  unchanged: number
  errors: { row: number; column: string | null; code: string; message: string }[]
  error?: { code: string; message: string; details: { param: string; code: string }[] }
}

const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64')
const imports = ({ apiKey }: Merchant, id: string, content: string, headers: Record<string, string> = {}) =>
  call<Answer>('POST', `/v1/digital-catalogs/${id}/imports`, { bearer: apiKey, body: { content }, headers })
const preview = async (merchant: Merchant, id: string, text: string) =>
  (await asked<Answer>(merchant, 'POST', `/${id}/import-previews`, { content: base64(text) })).body
const exported = async ({ apiKey }: Merchant, id: string) =>
  (await call('GET', `/v1/digital-catalogs/${id}/items.csv`, { bearer: apiKey })).text

const counts = ({ created, updated, unchanged }: Answer) => [created, updated, unchanged]
const rowsOf = (merchant: Merchant) =>
  adminSql('sandbox')<{ sku: string; prices: string }>(
    `select i.sku, string_agg(p.amount_minor::text, ' ' order by p.created_at, p.id) as prices from catalog_items i
     left join catalog_prices p on p.tenant_id = i.tenant_id and p.item_id = i.id
     where i.tenant_id = $1 group by i.sku order by i.sku`,
    [merchant.tenantId],
  )

const sheet = [
  'Clave;Nombre;Precio de venta;Precio anterior;IVA;IVA incluido;Categoría;Notas',
  'TAZA-1;Taza azul;$1,250.50;1500;16%;sí;mesa;frágil',
  'LIBRO-1;Recetario;99;;exento;no;;',
  ';;;;;;;',
].join('\r\n')

test('a spreadsheet creates items with prices, and a second time changes nothing', async () => {
  const merchant = await newMerchant()
  const { id } = await newCatalog(merchant)
  await asked(merchant, 'POST', `/${id}/categories`, { name: 'Mesa' })
  expect(counts(await preview(merchant, id, sheet))).toEqual([2, 0, 0])
  expect(await rowsOf(merchant)).toEqual([])
  const first = await imports(merchant, id, base64(sheet, 'latin1'))
  expect([first.status, counts(first.body), first.text]).toEqual([200, [2, 0, 0], first.text])
  expect(first.body.columns.map(({ field }) => field)).toEqual([
    'sku',
    'name',
    'price',
    'compare_at_amount',
    'iva_rate',
    'price_includes_tax',
    'category',
    null,
  ])
  const { body } = await asked<{ data: Record<string, unknown>[] }>(
    merchant,
    'GET',
    `/${id}/items?sku=TAZA-1`,
  )
  expect(body.data[0]).toMatchObject({
    name: 'Taza azul',
    kind: 'physical_count',
    iva_rate: '16',
    price: { amount: '125050', compare_at_amount: '150000', currency: 'mxn' },
  })
  expect(counts((await imports(merchant, id, base64(sheet))).body)).toEqual([0, 0, 2])
  const dearer = sheet.replace('99;', '101.00;').replace('Taza azul', 'Taza verde')
  expect(counts((await imports(merchant, id, base64(dearer))).body)).toEqual([0, 2, 0])
  expect(await rowsOf(merchant)).toEqual([
    { sku: 'LIBRO-1', prices: '9900 10100' },
    { sku: 'TAZA-1', prices: '125050' },
  ])
})

test('what is exported is imported without a change, formulas too', async () => {
  const merchant = await newMerchant()
  const { id } = await newCatalog(merchant)
  await newItem(merchant, id, {
    name: '=1+1',
    sku: '-7',
    description: '"dos"\nlíneas, y @más',
    price: { amount: '1' },
  })
  await newItem(merchant, id, { name: 'Sin clave' })
  const gone = await newItem(merchant, id, { name: 'Archivada', sku: 'OLD' })
  await asked(merchant, 'POST', `/items/${gone.id}/archive`)
  const file = await exported(merchant, id)
  expect(file.startsWith('id,sku,name,')).toBe(true)
  expect(file).toContain(`,'-7,'=1+1,"""dos""\nlíneas, y @más",file,active,,0,0.01,,16,yes,no,,`)
  expect(file).not.toContain('Archivada')
  const { errors } = await preview(merchant, id, file)
  expect(errors).toMatchObject([{ row: 2, column: 'sku', code: 'parameter_missing' }])
  const withSku = file
    .split('\r\n')
    .filter((line) => !line.includes('Sin clave'))
    .join('\r\n')
  expect(counts(await preview(merchant, id, withSku))).toEqual([0, 0, 1])
})

test('an export has every item once, page after page', async () => {
  const merchant = await newMerchant()
  const { id } = await newCatalog(merchant)
  await newItem(merchant, id, { sku: 'X-0' })
  await adminSql('sandbox')(
    `insert into catalog_items (tenant_id, id, catalog_id, status, kind, name, sku, options, components, iva_rate,
       price_includes_tax, tracks_stock, revocation_policy, metadata, terms, created_at, updated_at)
     select i.tenant_id, gen_random_uuid(), i.catalog_id, 'active', i.kind, 'Recetario', 'X-' || n, '[]', '[]', '16', true,
       false, 'never', '{}', '{}', now() - n % 7 * interval '1 minute', now()
     from catalog_items i, generate_series(1, 999) n where i.tenant_id = $1`,
    [merchant.tenantId],
  )
  const lines = (await exported(merchant, id)).trimEnd().split('\r\n').slice(1)
  expect(lines).toHaveLength(1_000)
  expect(new Set(lines.map((line) => line.split(',')[1])).size).toBe(1_000)
  const stranger = await newMerchant()
  expect(
    (await call('GET', `/v1/digital-catalogs/${id}/items.csv`, { bearer: stranger.apiKey })).status,
  ).toBe(404)
})

test('every wrong row is named with its column and reason, and none of the file has an effect', async () => {
  const merchant = await newMerchant()
  const { id } = await newCatalog(merchant)
  const other = await newCatalog(merchant, { name: 'Otra' })
  await newItem(merchant, other.id, { sku: 'OTRA' })
  await newItem(merchant, id, { sku: 'FILE', kind: 'file' })
  await newItem(merchant, id, { sku: 'PARENT', options: [{ name: 'Talla', values: ['S'] }] })
  const text = [
    'sku,name,price,compare_at_amount,kind,category,iva_rate,tracks_stock',
    'OK,Bien,10,,,,,',
    ',Sin clave,10,,,,,',
    'A,,10,,,,,',
    'B,B,1.234.5,,,,,',
    'C,C,10.005,,,,,',
    'D,D,-1,,,,,',
    'E,E,10,9,,,,',
    'F,F,,9,,,,',
    'G,G,10,,barco,,,',
    'H,H,10,,,Nada,,',
    'I,I,10,,,,17,',
    'J,J,10,,,,,quizá',
    'K,K,10,,bundle,,,',
    'OK,Otra vez,10,,,,,',
    'OTRA,X,10,,,,,',
    'FILE,X,10,,service,,,',
    'PARENT,X,10,,,,,',
    'L,L,10',
    'M,4111 1111 1111 1111,10,,,,,',
  ].join('\n')
  const { errors, created } = await preview(merchant, id, text)
  expect(created).toBe(1)
  expect(errors.map(({ row, column, code }) => `${row} ${column} ${code}`)).toEqual([
    '3 sku parameter_missing',
    '4 name parameter_missing',
    '5 price parameter_invalid',
    '6 price parameter_invalid',
    '7 price parameter_invalid',
    '8 compare_at_amount parameter_invalid',
    '9 compare_at_amount parameter_invalid',
    '10 kind parameter_invalid',
    '11 category catalog_category_not_found',
    '12 iva_rate parameter_invalid',
    '13 tracks_stock parameter_invalid',
    '14 components parameter_invalid',
    '15 sku parameter_invalid',
    '16 sku catalog_item_sku_taken',
    '17 kind parameter_invalid',
    '18 null catalog_item_not_sold',
    '19 null parameter_invalid',
    '20 name card_number_refused',
  ])
  const refused = await imports(merchant, id, base64(text))
  expect([refused.status, refused.body.error!.code]).toEqual([422, 'catalog_import_rows_refused'])
  expect(refused.body.error!.details[0]).toMatchObject({ param: 'rows.3.sku', code: 'parameter_missing' })
  expect((await rowsOf(merchant)).map(({ sku }) => sku)).toEqual(['FILE', 'OTRA', 'PARENT'])
})

test('files that are none of items', async () => {
  const merchant = await newMerchant()
  const { id } = await newCatalog(merchant)
  const line = (n: number) => `S-${n},Taza\n`
  for (const content of [
    base64(''),
    base64('sku,name\n'),
    base64('nombre,precio\nTaza,1\n'),
    base64('1,Taza\n2,Plato\n'),
    base64('PK\x03\x04\x00'),
    base64(`sku,name\n${Array.from({ length: 501 }, (_, n) => line(n)).join('')}`),
  ]) {
    const { status, body } = await imports(merchant, id, content)
    expect([status, body.error!.code]).toEqual([422, 'catalog_import_unreadable'])
  }
  await asked(merchant, 'POST', `/${id}/archive`)
  expect((await imports(merchant, id, base64('sku,name\nA,B\n'))).body.error!.code).toBe(
    'digital_catalog_archived',
  )
})

test('500 rows at once; the same key 20 times at once is one import', async () => {
  const merchant = await newMerchant()
  const { id } = await newCatalog(merchant)
  const content = base64(
    `sku,name,price\n${Array.from({ length: 500 }, (_, n) => `S-${n},Taza ${n},${n}.5\n`).join('')}`,
  )
  const key = { 'idempotency-key': crypto.randomUUID() }
  const replies = await Promise.all(Array.from({ length: 20 }, () => imports(merchant, id, content, key)))
  const done = replies.filter(({ status }) => status === 200)
  expect(done.length).toBeGreaterThan(0)
  for (const { body } of done) expect(counts(body)).toEqual([500, 0, 0])
  const again = await imports(merchant, id, content, key)
  expect([again.headers.get('idempotent-replayed'), counts(again.body)]).toEqual(['true', [500, 0, 0]])
  const rows = await rowsOf(merchant)
  expect(rows).toHaveLength(500)
  expect(rows.every(({ prices }) => !prices.includes(' '))).toBe(true)
})

test('a file has barcodes and what is measured; what an item is measured in does not change', async () => {
  const merchant = await newMerchant()
  const { id } = await newCatalog(merchant)
  const sheet = `Clave,Nombre,Precio,Código de barras,Unidad de medida
REFRESCO,Refresco,20.00,7501055300075,
QUESO,Queso Oaxaca,180.00,,KG
`
  expect(counts((await imports(merchant, id, base64(sheet))).body)).toEqual([2, 0, 0])
  const { body } = await asked<{ data: { sku: string }[] }>(merchant, 'GET', `/${id}/items`)
  expect(body.data.sort((a, b) => (a.sku < b.sku ? -1 : 1))).toMatchObject([
    { sku: 'QUESO', barcode: null, measure_unit: 'kg', tracks_stock: false },
    { sku: 'REFRESCO', barcode: '7501055300075', measure_unit: null, tracks_stock: true },
  ])
  expect(counts(await preview(merchant, id, await exported(merchant, id)))).toEqual([0, 0, 2])
  const wrong = sheet.replace('300075', '300076').replace('KG', 'g')
  expect((await preview(merchant, id, wrong)).errors).toMatchObject([
    { row: 2, column: 'barcode' },
    { row: 3, column: 'measure_unit' },
  ])
})

test('a price that is one too many for its item is a fault of the row', async () => {
  const merchant = await newMerchant()
  const { id } = await newCatalog(merchant)
  const item = await newItem(merchant, id, { sku: 'TAZA-1', price: { amount: '1000' } })
  await adminSql('sandbox')(
    `insert into catalog_prices (tenant_id, id, item_id, amount_minor, currency, starts_at, created_at, updated_at)
     select $1, gen_random_uuid(), $2, n, 'mxn', now() + n * interval '1 hour', now(), now() from generate_series(1, 99) n`,
    [merchant.tenantId, item.id],
  )
  const text = 'sku,price\nTAZA-1,11\n'
  const fault = { row: 2, column: 'price', code: 'catalog_prices_too_many' }
  expect((await preview(merchant, id, text)).errors).toMatchObject([fault])
  expect((await imports(merchant, id, base64(text))).body.error).toMatchObject({
    code: 'catalog_import_rows_refused',
    details: [{ param: 'rows.2.price', code: 'catalog_prices_too_many' }],
  })
  expect((await preview(merchant, id, 'sku,price\nTAZA-1,10\n')).errors).toEqual([])
})
