import { expect, test } from 'vitest'
import { checkImage, imageBytesMax } from '../../../functions/goods/digital-catalogs/image.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import { jpeg, png, webp, webpChunk, webpOf } from '../../support/images.ts'

const check = (bytes: Buffer) => checkImage(new Uint8Array(bytes))
const told = (bytes: Buffer) => {
  const checked = check(bytes)
  if (isRefusal(checked)) return checked.refused
  return `${checked.content_type} ${checked.width}x${checked.height}`
}
const cleaned = (bytes: Buffer) => {
  const checked = check(bytes)
  if (isRefusal(checked)) throw new Error(checked.refused)
  return Buffer.from(checked.bytes)
}

const { lossy, lossless, canvas } = webp
const exif = webpChunk('EXIF', Buffer.from('GPS 19.4326'))
const plain = webpOf(lossy(300, 100))
const [malformed, dimensions, type] = ['malformed', 'dimensions_refused', 'type_unsupported'].map(
  (code) => `catalog_image_${code}`,
)

test.each<[what: string, bytes: Buffer, told: string]>([
  ['a lossy WebP', plain, 'image/webp 300x100'],
  ['a lossless WebP', webpOf(lossless(301, 299)), 'image/webp 301x299'],
  ['a lossless WebP of one pixel too many', webpOf(lossless(4_097, 500)), dimensions!],
  ['a lossless WebP of the most pixels', webpOf(lossless(4_096, 4_096)), 'image/webp 4096x4096'],
  ['a WebP with a canvas', webpOf(canvas(64, 32, 0), lossy(64, 32)), 'image/webp 64x32'],
  ['a canvas that hides pixels', webpOf(canvas(64, 32, 0), lossy(16_383, 16_383)), malformed!],
  ['a WebP of 16,384 × 16,384', webpOf(lossless(16_384, 16_384)), dimensions!],
  ['a lossy WebP of 16,383 × 16,383', webpOf(lossy(16_383, 16_383)), dimensions!],
  ['a strip', webpOf(lossy(330, 32)), dimensions!],
  ['a WebP of no height', webpOf(lossy(64, 0)), dimensions!],
  ['an animation', webpOf(canvas(64, 32, 0x02), webpChunk('ANIM', Buffer.alloc(6))), type!],
  ['a WebP that is cut off', plain.subarray(0, -1), malformed!],
  ['a WebP of nothing but its signature', plain.subarray(0, 12), malformed!],
  ['a WebP without pixels', webpOf(canvas(64, 32, 0), exif), malformed!],
  ['a WebP whose chunk is longer than the file', webpOf(lossy(64, 32).fill(0xff, 4, 8)), malformed!],
  ['a WebP whose first part is cut off', webpOf(lossy(64, 32, 400)), malformed!],
  ['a WebP that begins between two frames', webpOf(lossy(64, 32, 1, 1)), malformed!],
  ['a WebP without its start code', webpOf(webpChunk('VP8 ', Buffer.alloc(20))), malformed!],
  [
    'a lossless WebP of another version',
    webpOf(webpChunk('VP8L', Buffer.from('2f000000e000', 'hex'))),
    malformed!,
  ],
  ['a simple WebP with metadata first', webpOf(exif, lossy(64, 32)), malformed!],
  ['two canvases', webpOf(canvas(64, 32, 0), canvas(64, 32, 0), lossy(64, 32)), malformed!],
  ['another RIFF', Buffer.from('RIFF\x24\0\0\0WAVEfmt '), type!],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0'), type!],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), type!],
  ['nothing', Buffer.alloc(0), 'catalog_image_empty'],
  ['a byte too many', Buffer.alloc(imageBytesMax + 1), 'catalog_image_too_large'],
  ['a PNG', png(640, 480), 'image/png 640x480'],
  ['a PNG that is cut off', png(640, 480).subarray(0, -14), malformed!],
  ['a PNG of 60,000 × 60,000', png(60_000, 60_000), dimensions!],
  ['a JPEG', jpeg(3_000, 4_000), 'image/jpeg 3000x4000'],
])('%s', (_what, bytes, expected) => {
  expect(told(bytes)).toBe(expected)
})

test('of a WebP only what draws is kept, under a header that says so', () => {
  const profile = webpChunk('ICCP', Buffer.from('profile'))
  const alpha = webpChunk('ALPH', Buffer.alloc(3))
  const unknown = webpChunk('SHOP', Buffer.from('Laguna'))
  const metadata = [exif, webpChunk('XMP ', Buffer.from('<x/>'))]
  const whole = Buffer.concat([
    webpOf(canvas(64, 32, 0x3c), profile, unknown, alpha, lossy(64, 32), ...metadata),
    Buffer.from('PK\x03\x04'),
  ])
  const expected = webpOf(canvas(64, 32, 0x30), profile, alpha, lossy(64, 32))
  expect(cleaned(whole).equals(expected)).toBe(true)
  expect(cleaned(expected).equals(expected)).toBe(true)
  expect(cleaned(webpOf(lossy(64, 32), exif)).equals(webpOf(lossy(64, 32)))).toBe(true)
})

test.each(['II', 'MM'] as const)('a photo that a phone took on its side stays upright: %s', (order) => {
  const photo = jpeg(4_000, 3_000, 0xc0, order)
  expect(told(photo)).toBe('image/jpeg 3000x4000')
  const kept = cleaned(photo)
  expect(kept.toString('latin1')).toContain('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06')
  expect(kept.toString('latin1')).not.toContain('19.4326')
  expect(cleaned(kept).equals(kept)).toBe(true)
})
