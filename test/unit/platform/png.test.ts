import { deflateSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { hasItsPixels, pngOf } from '../../../src/platform/png.ts'
import { png } from '../../support/images.ts'

/** The same with another byte at a place of the header: 8 depth, 9 color type, 12 interlacing. */
function header(at: number, value: number, of = png(40, 30)): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(of)
  bytes[16 + at] = value
  return bytes
}
const [half, bomb] = [deflateSync(Buffer.alloc(15 * 121)), deflateSync(Buffer.alloc(100 * 2 ** 20))]

test.each<[string, Uint8Array<ArrayBuffer>, boolean]>([
  ['whole', new Uint8Array(png(40, 30)), true],
  ['of one color type too narrow', header(9, 0), false],
  ['of one color type too wide', header(9, 6), false],
  ['of an unknown color type', header(9, 5), false],
  ['of an unknown depth', header(8, 3), false],
  ['interlaced', header(12, 1), false],
  ['higher than its pixels', header(7, 31), false],
  ['lower than its pixels', header(7, 29), false],
  ['with pixels that end early', new Uint8Array(png(40, 30, [['IDAT', half]])), false],
  ['with a bomb', new Uint8Array(png(40, 30, [['IDAT', bomb]])), false],
  ['with what is not packed', new Uint8Array(png(40, 30, [['IDAT', Buffer.from('00')]])), false],
])('a PNG %s: %#', async (_what, bytes, whole) => {
  expect(await hasItsPixels(bytes)).toBe(whole)
})

test('of one bit a pixel, and where it stands within other bytes', async () => {
  const made = new Uint8Array(await new Response(await pngOf([[true, false, true]], 5)).arrayBuffer())
  const within = new Uint8Array(made.length + 9)
  within.set(made, 7)
  expect(await hasItsPixels(within.subarray(7, 7 + made.length))).toBe(true)
})

test('a bomb is left soon after it holds more than its header says', async () => {
  let unpackedBytes = 0
  const Real = DecompressionStream
  vi.stubGlobal('DecompressionStream', function counted(format: 'deflate') {
    const { writable, readable } = new Real(format)
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        unpackedBytes += part.length
        controller.enqueue(part)
      },
    })
    return { writable, readable: readable.pipeThrough(count) }
  })
  try {
    expect(await hasItsPixels(new Uint8Array(png(40, 30, [['IDAT', bomb]])))).toBe(false)
  } finally {
    vi.unstubAllGlobals()
  }
  expect(unpackedBytes).toBeLessThan(2 ** 21)
})
