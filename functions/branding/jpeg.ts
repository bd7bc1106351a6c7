import { type Checked, joined, malformed, outOfBounds } from './checked.ts'

const [startOfScan, endOfImage] = [0xda, 0xd9]

/** Frames of the baseline, extended and progressive kinds; the others are shown by few browsers or by none. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xc2
const isOtherFrame = (marker: number) =>
  marker > 0xc2 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Quantisation, Huffman tables, restarts, frames, scans, JFIF, color profile and Adobe's note of the color model. */
const isKept = (marker: number, segment: Uint8Array) =>
  [0xdb, 0xc4, 0xdd, startOfScan, 0xe0, 0xee].includes(marker) ||
  isFrame(marker) ||
  (marker === 0xe2 && String.fromCharCode(...segment.subarray(4, 15)) === 'ICC_PROFILE')

/** JPEG: segments of marker and length; behind a scan its bytes, in which FF 00 and restarts are data. */
export function cleanJpeg(bytes: Uint8Array<ArrayBuffer>): Checked {
  const parts = [bytes.subarray(0, 2)]
  let size: readonly [width: number, height: number] | null = null
  let scans = 0
  for (let at = 2; at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff) return malformed()
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === endOfImage) {
      if (!size || scans === 0) return malformed()
      parts.push(bytes.subarray(at, at + 2))
      return { content_type: 'image/jpeg', width: size[0], height: size[1], bytes: joined(parts) }
    }
    const length = (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
    let end = at + 2 + length
    if (length < 2 || end > bytes.length || isOtherFrame(marker)) return malformed()
    if (isFrame(marker)) {
      if (size || length < 8) return malformed()
      size = [bytes[at + 7]! * 256 + bytes[at + 8]!, bytes[at + 5]! * 256 + bytes[at + 6]!]
      const refused = outOfBounds(...size)
      if (refused) return refused
    }
    if (marker === startOfScan) {
      scans += 1
      while (end < bytes.length && !(bytes[end] === 0xff && endsScan(bytes[end + 1]!))) end += 1
    }
    const segment = bytes.subarray(at, end)
    if (isKept(marker, segment)) parts.push(segment)
    at = end
  }
  return malformed('The JPEG is cut off.')
}

const endsScan = (next: number) => next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)
