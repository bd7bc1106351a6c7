import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { asked, type Item, newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { jpeg, png, svg, webp, webpOf } from '../../support/images.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

interface Shown extends Item {
  images: {
    id: string
    url: string
    content_type: string
    bytes: number
    width: number
    alt: string | null
  }[]
}

const add = (merchant: Merchant, item: Item, image: Buffer, alt?: string) =>
  asked<Shown>(merchant, 'POST', `/items/${item.id}/images`, {
    content: image.toString('base64'),
    ...(alt ? { alt } : {}),
  })
const served = (url: string, init: RequestInit = {}) =>
  fetch(stack.sandbox.directUrl + new URL(url).pathname, init)
const sql = adminSql('sandbox')
const filesOf = async ({ tenantId }: Merchant) =>
  (await sql<{ status: string }>('select status from catalog_images where tenant_id = $1', [tenantId]))
    .map(({ status }) => status)
    .sort()
const newShop = async () => {
  const merchant = await newMerchant()
  const catalog = await newCatalog(merchant)
  return { merchant, catalog, item: await newItem(merchant, catalog.id) }
}
const alts = ({ images }: Shown) => images.map(({ alt }) => alt)
const answerOf = ({ status, body }: { status: number; body: Shown }) => [
  status,
  body.error?.code ?? '',
  body.error?.param ?? null,
]

test('an item shows its images in their order, wherever it is shown, and in its events', async () => {
  const { merchant, catalog, item } = await newShop()
  await add(merchant, item, png(64, 32), 'primera')
  await add(merchant, item, jpeg(300, 100))
  const { status, body } = await add(merchant, item, webpOf(webp.lossy(120, 80)), 'tercera')
  expect([status, body.version]).toEqual([200, 4])
  expect(body.images).toMatchObject([
    { content_type: 'image/png', width: 64, height: 32, alt: 'primera' },
    { content_type: 'image/jpeg', width: 300, height: 100, alt: null },
    { content_type: 'image/webp', width: 120, height: 80, bytes: 36, alt: 'tercera' },
  ])

  const [first, second, third] = body.images.map(({ id }) => id)
  const change = (id: string, fields: object) => asked<Shown>(merchant, 'PATCH', `/images/${id}`, fields)
  expect(alts((await change(third!, { position: 0 })).body)).toEqual(['tercera', 'primera', null])
  const moved = (await change(third!, { position: 7, alt: 'última' })).body
  expect(alts(moved)).toEqual(['primera', null, 'última'])
  expect(alts((await change(first!, { alt: null })).body)).toEqual([null, null, 'última'])
  expect(answerOf(await change(item.id, { alt: 'x' }))).toEqual([404, 'catalog_image_not_found', null])

  const removed = await asked<Shown>(merchant, 'DELETE', `/images/${second}`)
  expect(removed.body.images.map(({ id }) => id)).toEqual([first, third])
  for (const again of [
    await asked<Shown>(merchant, 'DELETE', `/images/${second}`),
    await change(second!, { alt: 'x' }),
  ])
    expect(answerOf(again)).toEqual([404, 'catalog_image_not_found', null])

  const read = await asked<Shown>(merchant, 'GET', `/items/${item.id}`)
  const list = await asked<{ data: Shown[] }>(merchant, 'GET', `/${catalog.id}/items`)
  expect([read.body.images, list.body.data[0]!.images]).toEqual([removed.body.images, removed.body.images])
  const events = await sql<{ object: Shown; previous_attributes: object }>(
    `select object, previous_attributes from events where tenant_id = $1 and type = 'catalog_item.updated' order by sequence`,
    [merchant.tenantId],
  )
  expect(events).toHaveLength(7)
  expect(events.at(-1)!.object.images).toEqual(removed.body.images)
  expect(events.at(-1)!.previous_attributes).toHaveProperty('images')
})

test('an image has an address for everybody and for ever; no other workspace changes it', async () => {
  const { merchant, item } = await newShop()
  const { images } = (await add(merchant, item, png(64, 32, [['tEXt', Buffer.from('Comment\0Laguna')]]))).body
  const { url, id, bytes } = images[0]!
  expect(url).toMatch(/^https:\/\/[^/]+\/catalog-images\/[0-9a-f]{32}$/)
  const file = await served(url)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(bytes),
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(Buffer.from(await file.arrayBuffer()).equals(png(64, 32))).toBe(true)
  const known = await served(url, { headers: { 'if-none-match': file.headers.get('etag')! } })
  expect(known.status).toBe(304)
  expect((await served(url.replace('/catalog-images/', '/logos/'))).status).toBe(404)

  const other = await newShop()
  const foreign = [
    await add(other.merchant, item, png(64, 32)),
    await asked<Shown>(other.merchant, 'PATCH', `/images/${id}`, { alt: 'mía' }),
    await asked<Shown>(other.merchant, 'DELETE', `/images/${id}`),
  ]
  expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404])
  const same = (await add(other.merchant, other.item, png(64, 32))).body.images[0]!
  expect(same.url).not.toBe(url)
})

test('what is no image is refused with its own error, and nothing is kept of it', async () => {
  const { merchant, item } = await newShop()
  const cases: [image: Buffer, code: string][] = [
    [Buffer.alloc(0), 'catalog_image_empty'],
    [Buffer.alloc(2 * 1024 * 1024 + 1, 1), 'catalog_image_too_large'],
    [svg('<path d="M0 0"/>'), 'catalog_image_type_unsupported'],
    [png(60_000, 60_000), 'catalog_image_dimensions_refused'],
    [png(64, 64).subarray(0, 40), 'catalog_image_malformed'],
  ]
  for (const [image, code] of cases)
    expect(answerOf(await add(merchant, item, image))).toEqual([422, code, 'content'])
  expect(await filesOf(merchant)).toEqual([])

  // The largest that is taken.
  const empty = png(64, 64, [['pHYs', Buffer.alloc(0)]]).length
  const largest = png(64, 64, [['pHYs', Buffer.alloc(2 * 1024 * 1024 - empty, 1)]])
  expect((await add(merchant, item, largest)).body.images).toMatchObject([{ bytes: 2 * 1024 * 1024 }])

  await asked(merchant, 'POST', `/items/${item.id}/archive`)
  const archived = await add(merchant, item, png(64, 64))
  expect(answerOf(archived)).toEqual([409, 'catalog_item_archived', null])
})

test('ten at once: eight are shown, no other file stays, and ten changes at once all happen', async () => {
  const { merchant, item } = await newShop()
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, at) => add(merchant, item, png(64 + at, 64), `foto ${at}`)),
  )
  const refused = replies.filter(({ status }) => status !== 200)
  expect(refused.map(answerOf)).toEqual(refused.map(() => [409, 'catalog_images_too_many', null]))
  expect(refused).toHaveLength(2)
  const { body } = await asked<Shown>(merchant, 'GET', `/items/${item.id}`)
  expect(new Set(alts(body)).size).toBe(8)
  expect((await Promise.all(body.images.map(({ url }) => served(url)))).map(({ status }) => status)).toEqual(
    Array(8).fill(200),
  )
  expect((await filesOf(merchant)).filter((status) => status === 'stored')).toHaveLength(8)

  const [{ id }] = body.images as [Shown['images'][number]]
  const changes = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      asked<Shown>(merchant, 'PATCH', `/images/${id}`, { alt: `texto ${at}`, position: at % 8 }),
    ),
  )
  const shown = changes.map((change) => change.body).sort((a, b) => a.version - b.version)
  expect(shown.map(({ version }) => version)).toEqual(
    Array.from({ length: 10 }, (_, at) => body.version + 1 + at),
  )
  expect((await asked<Shown>(merchant, 'GET', `/items/${item.id}`)).body).toEqual(shown.at(-1))
})

test('a file goes a month after its image, and one that no item showed after an hour', async () => {
  const { merchant, item } = await newShop()
  const [kept, gone] = [await add(merchant, item, png(64, 64)), await add(merchant, item, png(65, 64))].map(
    ({ body }) => body.images.at(-1)!,
  )
  await asked(merchant, 'DELETE', `/images/${gone!.id}`)
  // A Worker that died after the first step, or after the second.
  await sql(
    `insert into catalog_images (tenant_id, id, item_id, address, status, remove_at, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, $3, 'uploading', now() - interval '1 second', now(), now())`,
    [merchant.tenantId, item.id, randomUUID().replaceAll('-', '')],
  )
  await trigger('sandbox')
  await expect.poll(() => filesOf(merchant)).toEqual(['removed', 'retired', 'stored'])
  expect((await served(gone!.url)).status).toBe(200)
  await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'P31D' } })
  await trigger('sandbox')
  await expect.poll(() => filesOf(merchant)).toEqual(['removed', 'removed', 'stored'])
  expect([(await served(gone!.url)).status, (await served(kept!.url)).status]).toEqual([404, 200])
})
