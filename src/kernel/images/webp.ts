import { asciiAt, type Bounds, joined, malformed, outOfBounds, type Raster, type Unfit } from './raster.ts'

type Size = readonly [width: number, height: number]

/** Whether the file has a profile, a place, a text, frames: bits of the extended header. */
const [hasExif, hasXmp, hasFrames] = [0x08, 0x04, 0x02]
/** Parts of the extended form that draw, each at most once and before the pixels. */
const kept = new Set(['ICCP', 'ALPH'])

/** WebP: RIFF and its length, then chunks of type, length, data and, where that is odd, a byte of padding. */
export function cleanWebp(bytes: Uint8Array<ArrayBuffer>, bounds: Bounds): Raster<'image/webp'> | Unfit {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length < 20) return cutOff
  const fileEnd = 8 + view.getUint32(4, true)
  if (fileEnd > bytes.length) return cutOff
  const parts: Uint8Array[] = []
  const seen = new Set<string>()
  let canvas: Size | null = null
  for (let at = 12; at + 8 <= fileEnd; ) {
    const type = asciiAt(bytes, at)
    const length = view.getUint32(at + 4, true)
    const end = at + 8 + length + (length % 2)
    if (end > fileEnd || seen.has(type)) return malformed()
    const data = bytes.subarray(at + 8, at + 8 + length)
    const chunk = bytes.slice(at, end)
    if (type === 'VP8X') {
      if (seen.size > 0 || length !== 10) return malformed()
      if (data[0]! & hasFrames)
        return { unfit: 'type_unsupported', message: 'An animated WebP is not supported.' }
      canvas = [1 + uint24(data, 4), 1 + uint24(data, 7)]
      chunk[8] = data[0]! & ~(hasExif | hasXmp)
      parts.push(chunk)
    } else if (type === 'VP8 ' || type === 'VP8L') {
      const size = type === 'VP8 ' ? lossySize(data) : losslessSize(data)
      // A canvas of another size would hide how many pixels there are.
      if (!size || (canvas && canvas.join() !== size.join())) return malformed()
      const [width, height] = size
      const refused = outOfBounds(width, height, bounds)
      if (refused) return refused
      const head = new TextEncoder().encode('RIFF____WEBP')
      const whole = joined([head, ...parts, chunk])
      new DataView(whole.buffer).setUint32(4, whole.length - 8, true)
      return { content_type: 'image/webp', width, height, bytes: whole }
    } else if (canvas && kept.has(type)) parts.push(chunk)
    else if (!canvas) return malformed()
    seen.add(type)
    at = end
  }
  return cutOff
}

const cutOff = malformed('The WebP is cut off.')

const uint24 = (data: Uint8Array, at: number) => data[at]! + data[at + 1]! * 0x100 + data[at + 2]! * 0x1_00_00

/** A key frame: its tag with the length of its first part, a start code, then both sides in 14 bits each. */
function lossySize(data: Uint8Array): Size | null {
  if (data.length < 10 || asciiAt(data, 3, 3) !== '\x9d\x01\x2a') return null
  const tag = uint24(data, 0)
  if (tag & 1 || 10 + (tag >> 5) > data.length) return null
  return [data[6]! + (data[7]! & 0x3f) * 0x100, data[8]! + (data[9]! & 0x3f) * 0x100]
}

/** A signature, then both sides less one in 14 bits each, a bit for transparency and three for the version, which is 0. */
function losslessSize(data: Uint8Array): Size | null {
  if (data.length < 6 || data[0] !== 0x2f || data[4]! >> 5 !== 0) return null
  const bits = uint24(data, 1) + (data[4]! & 0x1f) * 0x1_00_00_00
  return [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)]
}
