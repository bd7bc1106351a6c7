import { asciiAt, type Bounds, joined, malformed, outOfBounds, type Raster, type Unfit } from './raster.ts'

/** The pixels and what their colors need. Everything else (texts, a camera's place, profiles, frames) is left out. */
const kept = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'sRGB', 'gAMA', 'cHRM', 'pHYs'])

/** PNG: signature, then chunks of length, type, data and CRC. What follows its end is left out. */
export function cleanPng(bytes: Uint8Array<ArrayBuffer>, bounds: Bounds): Raster<'image/png'> | Unfit {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const parts = [bytes.subarray(0, 8)]
  const seen = new Set<string>()
  let [width, height] = [0, 0]
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const type = asciiAt(bytes, at + 4)
    const end = at + 12 + length
    if (end > bytes.length || (seen.size === 0) !== (type === 'IHDR')) return malformed()
    if (type === 'IHDR') {
      if (length !== 13) return malformed()
      ;[width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)]
      const refused = outOfBounds(width, height, bounds)
      if (refused) return refused
    }
    if (kept.has(type)) parts.push(bytes.subarray(at, end))
    // A chunk that a decoder must know, and does not.
    else if (/^[A-Z]/.test(type)) return malformed()
    seen.add(type)
    if (type === 'IEND')
      return seen.has('IDAT')
        ? { content_type: 'image/png', width, height, bytes: joined(parts) }
        : malformed()
    at = end
  }
  return malformed('The PNG is cut off.')
}
