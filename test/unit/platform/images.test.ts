import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { imageTag } from '../../../functions/selling/storefront/pages/rows.ts'
import type { Images } from '../../../src/env/settings.ts'
import { Hono } from '../../../src/http/hono.ts'
import { publicFiles } from '../../../src/http/public-files.ts'
import type { Env } from '../../../src/http/router.ts'
import { memoryBucket } from '../../support/bucket.ts'

/** What the image service does with the next image. */
type Does = 'resizes' | 'refuses' | 'fails' | 'is not bound'

const address = '9f86d081884c7d659a2feaa0c55ad015'
const kept = new Map<string, Response>()
const asked: number[] = []

beforeEach(() => {
  vi.stubGlobal('caches', {
    default: {
      match: async (at: string) => kept.get(at)?.clone(),
      put: async (at: string, response: Response) => void kept.set(at, response),
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  kept.clear()
  asked.length = 0
})

const service = (does: Does): Images | undefined => {
  if (does === 'is not bound') return undefined
  const transformer = {
    transform: ({ width }: { width: number }) => {
      asked.push(width)
      return transformer
    },
    output: async () => {
      if (does === 'fails') throw new Error('IMAGES_TRANSFORM_ERROR 9412')
      return { response: () => new Response('small', { status: does === 'refuses' ? 415 : 200 }) }
    },
  }
  return { input: () => transformer }
}

async function reader(does: Does, contentType = 'image/png') {
  const bucket = memoryBucket()
  const content = new TextEncoder().encode('as it was uploaded')
  await bucket.put(`catalog-images/${address}`, content, { httpMetadata: { contentType } })
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    c.set('services', { bucket, images: service(does), settings: { linkBaseUrl: 'localhost' } } as never)
    await next()
  })
  app.route('/', publicFiles('catalog-images'))
  app.onError((error, c) => c.text(error.message, 404))
  return async (path: string, headers: Record<string, string> = {}) => {
    const later: Promise<unknown>[] = []
    const execution = { waitUntil: (work: Promise<unknown>) => void later.push(work) }
    const reply = await app.request(path, { headers }, {}, execution as never)
    await Promise.all(later)
    const { status } = reply
    const of = (name: string) => reply.headers.get(name)
    return {
      status,
      text: await reply.text(),
      type: of('content-type'),
      etag: of('etag'),
      cache: of('cache-control'),
    }
  }
}

const path = `/catalog-images/${address}`
const forEver = 'public, max-age=31536000, immutable'
const uploaded = {
  status: 200,
  text: 'as it was uploaded',
  type: 'image/png',
  etag: `"${address}"`,
  cache: forEver,
}

test('an image comes in a smaller width as WebP, made once in a data center, and is known again', async () => {
  const get = await reader('resizes')
  const small = { status: 200, text: 'small', type: 'image/webp', etag: `"${address}-640"`, cache: forEver }
  expect([await get(`${path}?w=640`), await get(`${path}?w=640`)]).toEqual([small, small])
  expect(asked).toEqual([640])
  expect(await get(`${path}?w=640`, { 'if-none-match': small.etag })).toMatchObject({ status: 304, text: '' })
  expect(await get(path)).toEqual(uploaded)
})

const asUploaded: [does: Does, query: string, reply: object][] = [
  ['is not bound', '?w=640', uploaded],
  ['resizes', '', uploaded],
  ['resizes', '?w=641', uploaded],
  ['resizes', '?w=640x', uploaded],
  ['refuses', '?w=320', { ...uploaded, cache: 'public, max-age=60' }],
  ['fails', '?w=1280', { ...uploaded, cache: 'public, max-age=60' }],
]
test.each(asUploaded)('where the service %s, %j comes as it was uploaded', async (does, query, reply) => {
  const get = await reader(does)
  expect(await get(path + query)).toEqual(reply)
  expect(kept.size).toBe(0)
})

test('an SVG is never resized; an unknown address is not found and not kept', async () => {
  expect(await (await reader('resizes', 'image/svg+xml'))(`${path}?w=320`)).toMatchObject({
    text: 'as it was uploaded',
  })
  const get = await reader('resizes')
  const missing = await get(`/catalog-images/${'0'.repeat(32)}?w=320`)
  expect(missing).toMatchObject({ status: 404, cache: null, etag: null })
  expect(asked).toEqual([])
})

test('a page offers widths smaller than the image, where the platform resizes', async () => {
  const image = {
    id: 'a',
    address,
    content_type: 'image/png',
    width: 800,
    height: 600,
    bytes: 9,
    alt: null,
  } as const
  const tag = async (resizes: boolean, width = 800) =>
    String(await imageTag({ ...image, width }, true, { resizes }))
  expect(await tag(true)).toContain(`srcset="${path}?w=320 320w, ${path}?w=640 640w, ${path} 800w" sizes=`)
  expect(await tag(true, 320)).not.toContain('srcset')
  expect(await tag(false)).not.toContain('srcset')
})
