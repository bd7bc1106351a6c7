import { expect, test } from 'vitest'
import { asked, type Catalog, type Item, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

const answerOf = ({ status, body }: { status: number; body: Pick<Catalog, 'status' | 'error'> }) =>
  body.error ? `${status} ${body.error.code} ${body.error.param}` : `${status} ${body.status}`

const listed = async (merchant: Merchant, at: string) =>
  (await asked<{ data: Item[] }>(merchant, 'GET', at)).body.data.map(({ name }) => name)

/** Moves in turn, each with what it answers. */
async function moves(merchant: Merchant, at: string, steps: readonly (readonly [string, string])[]) {
  for (const [move, answer] of steps)
    expect([move, answerOf(await asked(merchant, 'POST', `${at}/${move}`))]).toEqual([move, answer])
}

const eventsOf = async (merchant: Merchant, id: string) =>
  (
    await adminSql('sandbox')<{ type: string }>(
      'select type from events where tenant_id = $1 and resource_id = $2 order by sequence',
      [merchant.tenantId, id],
    )
  ).map(({ type }) => type.split('.')[1])

test('a catalog is found by both of its ids and moves between draft, published and archived', async () => {
  const merchant = await newMerchant()
  const made = await newCatalog(merchant, { metadata: { season: 'spring' } })
  expect(made).toMatchObject({ object: 'digital_catalog', status: 'draft', currency: 'mxn', version: 1 })
  for (const ref of [made.id, made.public_id])
    expect((await asked(merchant, 'GET', `/${ref}`)).body).toEqual(made)
  await moves(merchant, `/${made.public_id}`, [
    ['unpublish', '409 digital_catalog_not_published null'],
    ['publish', '200 published'],
    ['publish', '409 digital_catalog_published null'],
    ['unpublish', '200 draft'],
    ['restore', '409 digital_catalog_not_archived null'],
    ['archive', '200 archived'],
    ['archive', '409 digital_catalog_archived null'],
    ['publish', '409 digital_catalog_archived null'],
  ])
  const item = { kind: 'file', name: 'Recetario' }
  for (const [at, method, body] of [
    ['', 'PATCH', { name: 'x' }],
    ['/items', 'POST', item],
  ] as const)
    expect(answerOf(await asked(merchant, method, `/${made.id}${at}`, body))).toBe(
      '409 digital_catalog_archived null',
    )
  await moves(merchant, `/${made.id}`, [['restore', '200 draft']])
  expect(await eventsOf(merchant, made.id)).toEqual([
    'created',
    'published',
    'unpublished',
    'archived',
    'restored',
  ])
  expect(await listed(merchant, '?metadata[season]=spring&status=draft')).toEqual(['Tienda'])
  expect(await listed(merchant, '?status=published')).toEqual([])
})

test('an item is created with its price, changed, and moves between active, inactive and archived', async () => {
  const merchant = await newMerchant()
  const { public_id: catalog } = await newCatalog(merchant)
  const made = await newItem(merchant, catalog, {
    sku: 'A-1',
    price: { amount: '19900', compare_at_amount: '25000' },
  })
  expect(made).toMatchObject({
    status: 'active',
    iva_rate: '16',
    tracks_stock: false,
    revocation_policy: 'full_refund',
    price: { amount: '19900', compare_at_amount: '25000', currency: 'mxn', ends_at: null },
  })
  const at = `/items/${made.id}`
  expect((await asked(merchant, 'GET', at)).body).toEqual(made)
  expect(await listed(merchant, `/${catalog}/items`)).toEqual(['Recetario'])
  const changed = await asked(merchant, 'PATCH', at, { name: 'Recetario 2', sku: null, access_days: 30 })
  expect(changed.body).toMatchObject({ name: 'Recetario 2', sku: null, price: made.price, version: 2 })
  await moves(merchant, at, [
    ['activate', '409 catalog_item_active null'],
    ['deactivate', '200 inactive'],
    ['deactivate', '409 catalog_item_inactive null'],
    ['activate', '200 active'],
    ['restore', '409 catalog_item_not_archived null'],
    ['archive', '200 archived'],
    ['activate', '409 catalog_item_archived null'],
  ])
  expect(answerOf(await asked(merchant, 'PATCH', at, { name: 'x' }))).toBe('409 catalog_item_archived null')
  await moves(merchant, at, [['restore', '200 inactive']])
  expect(await eventsOf(merchant, made.id)).toEqual([
    'created',
    'updated',
    'deactivated',
    'activated',
    'archived',
    'restored',
  ])
})

test('no two items share a sku, of fifty that take it at once one succeeds, and an archived one frees it', async () => {
  const merchant = await newMerchant()
  const catalogs = [await newCatalog(merchant), await newCatalog(merchant)]
  const item = { kind: 'file', name: 'Recetario', sku: 'A-1' }
  const create = (at: number) => asked(merchant, 'POST', `/${catalogs[at % 2]!.id}/items`, item)
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => create(at)))
  expect(answers.map(answerOf).sort()).toEqual([
    '201 active',
    ...Array(49).fill('409 catalog_item_sku_taken sku'),
  ])
  const { id } = answers.find(({ status }) => status === 201)!.body
  await asked(merchant, 'POST', `/items/${id}/archive`)
  expect(answerOf(await create(0))).toBe('201 active')
  expect(answerOf(await asked(merchant, 'POST', `/items/${id}/restore`))).toBe(
    '409 catalog_item_sku_taken sku',
  )
})

const sizes = { name: 'Talla', values: ['S', 'M'] }

test('a variant fits its parent, whose options keep what its variants have', async () => {
  const merchant = await newMerchant()
  const [catalog, other] = [await newCatalog(merchant), await newCatalog(merchant)]
  const kind = 'physical_count'
  const parent = await newItem(merchant, catalog.id, { kind, name: 'Camiseta', options: [sizes] })
  const plain = await newItem(merchant, catalog.id)
  const variant = (fields: object, within = catalog) =>
    asked(merchant, 'POST', `/${within.id}/items`, {
      kind,
      name: 'Camiseta S',
      variant_of: parent.id,
      option_values: { Talla: 'S' },
      ...fields,
    })
  const made = await variant({})
  expect([made.status, made.body]).toMatchObject([201, { tracks_stock: true, option_values: { Talla: 'S' } }])
  const invalid = '422 catalog_item_parent_invalid variant_of'
  for (const [what, answer, within] of [
    [{}, '409 catalog_item_variant_exists option_values'],
    [{ option_values: { Talla: 'XL' } }, '422 catalog_item_option_values_invalid option_values'],
    [
      { option_values: { Talla: 'M', Color: 'Rojo' } },
      '422 catalog_item_option_values_invalid option_values',
    ],
    [{ option_values: {} }, '422 catalog_item_option_values_invalid option_values'],
    [{ kind: 'service', option_values: { Talla: 'M' } }, invalid],
    [{ variant_of: plain.id, kind: 'file' }, invalid],
    [{ variant_of: made.body.id }, invalid],
    [{}, invalid, other],
  ] as const)
    expect([what, answerOf(await variant(what, within))]).toEqual([what, answer])

  const change = (options: object[]) => asked(merchant, 'PATCH', `/items/${parent.id}`, { options })
  const inUse = '409 catalog_item_options_in_use options'
  expect(answerOf(await change([{ name: 'Talla', values: ['M', 'L'] }]))).toBe(inUse)
  expect(answerOf(await change([sizes, { name: 'Color', values: ['Rojo'] }]))).toBe(inUse)
  expect(answerOf(await change([{ name: 'Talla', values: ['L', 'S'] }]))).toBe('200 active')
  expect(await listed(merchant, `/${catalog.id}/items?variant_of=${parent.id}`)).toEqual(['Camiseta S'])

  await asked(merchant, 'POST', `/items/${parent.id}/archive`)
  expect(answerOf(await variant({ option_values: { Talla: 'L' } }))).toBe(invalid)
})

test('an item has at most 100 variants, also where two are made at once', async () => {
  const merchant = await newMerchant()
  const catalog = await newCatalog(merchant)
  const values = (letter: string) => Array.from({ length: 50 }, (_, at) => `${letter}${at}`)
  const options = ['A', 'B', 'C'].map((name) => ({ name, values: values(name) }))
  const parent = await newItem(merchant, catalog.id, { options })
  await adminSql('sandbox')(
    `insert into catalog_items select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'options', '[]'::jsonb,
       'variant_of', i.id, 'option_values', jsonb_build_object('A', 'A' || n / 50, 'B', 'B' || n % 50, 'C', 'C0')))).*
     from catalog_items i, generate_series(0, 98) n where i.tenant_id = $1 and i.id = $2`,
    [merchant.tenantId, parent.id],
  )
  const make = (C: string) =>
    asked(merchant, 'POST', `/${catalog.id}/items`, {
      kind: 'file',
      name: 'Una',
      variant_of: parent.id,
      option_values: { A: 'A9', B: 'B9', C },
    })
  expect((await Promise.all([make('C1'), make('C2')])).map(answerOf).sort()).toEqual([
    '201 active',
    '409 catalog_item_variants_too_many variant_of',
  ])
})

test('a bundle consists of items of its catalog that are sold by themselves', async () => {
  const merchant = await newMerchant()
  const [catalog, other] = [await newCatalog(merchant), await newCatalog(merchant)]
  const [file, course] = [
    await newItem(merchant, catalog.id),
    await newItem(merchant, catalog.id, { kind: 'access' }),
  ]
  const parent = await newItem(merchant, catalog.id, { options: [sizes] })
  const elsewhere = await newItem(merchant, other.id)
  const archived = await newItem(merchant, catalog.id)
  await asked(merchant, 'POST', `/items/${archived.id}/archive`)
  const bundle = (...items: Item[]) =>
    asked(merchant, 'POST', `/${catalog.id}/items`, {
      kind: 'bundle',
      name: 'Paquete',
      components: items.map(({ id }) => ({ item_id: id, quantity: 2 })),
    })
  const made = await bundle(file, course)
  expect([made.status, made.body]).toMatchObject([201, { tracks_stock: false }])
  for (const part of [parent, elsewhere, archived, made.body])
    expect(answerOf(await bundle(file, part))).toBe('422 catalog_item_components_invalid components')
})

test('what an item is does not change, whatever writes it', async () => {
  const merchant = await newMerchant()
  const { id } = await newItem(merchant, (await newCatalog(merchant)).id)
  for (const set of [`kind = 'access'`, 'tracks_stock = true', `options = '[{"name":"a","values":["b"]}]'`])
    await expect(adminSql('sandbox')(`update catalog_items set ${set} where id = $1`, [id])).rejects.toThrow(
      'append-only',
    )
})
