import { asciiAt, type Bounds, joined, malformed, outOfBounds, type Raster, type Unfit } from './raster.ts'

const [startOfScan, endOfImage] = [0xda, 0xd9]

/** Frames of the baseline, extended and progressive kinds; the others are shown by few browsers or by none. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xc2
const isOtherFrame = (marker: number) =>
  marker > 0xc2 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Quantisation, Huffman tables, restarts, frames, scans, JFIF, color profile and Adobe's note of the color model. */
const isKept = (marker: number, segment: Uint8Array) =>
  [0xdb, 0xc4, 0xdd, startOfScan, 0xe0, 0xee].includes(marker) ||
  isFrame(marker) ||
  (marker === 0xe2 && asciiAt(segment, 4, 11) === 'ICC_PROFILE')

/** JPEG: segments of marker and length; behind a scan its bytes, in which FF 00 and restarts are data. */
export function cleanJpeg(bytes: Uint8Array<ArrayBuffer>, bounds: Bounds): Raster<'image/jpeg'> | Unfit {
  const parts = [bytes.subarray(0, 2)]
  let size: readonly [width: number, height: number] | null = null
  let scans = 0
  let turn = 1
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
      const [width, height] = turn < 5 ? size : [size[1], size[0]]
      return { content_type: 'image/jpeg', width, height, bytes: joined(parts) }
    }
    const length = (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
    let end = at + 2 + length
    if (length < 2 || end > bytes.length || isOtherFrame(marker)) return malformed()
    if (isFrame(marker)) {
      if (size || length < 8) return malformed()
      size = [bytes[at + 7]! * 256 + bytes[at + 8]!, bytes[at + 5]! * 256 + bytes[at + 6]!]
      const refused = outOfBounds(...size, bounds)
      if (refused) return refused
    }
    if (marker === startOfScan) {
      scans += 1
      while (end < bytes.length && !(bytes[end] === 0xff && endsScan(bytes[end + 1]!))) end += 1
    }
    const segment = bytes.subarray(at, end)
    if (isKept(marker, segment)) parts.push(segment)
    if (marker === 0xe1 && turn === 1) {
      turn = turnOf(segment)
      if (turn !== 1) parts.push(onlyTurn(turn))
    }
    at = end
  }
  return malformed('The JPEG is cut off.')
}

const endsScan = (next: number) => next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)

/** How a camera was held: 1 upright, from 5 on the sides change places. 1 where Exif does not say it. */
function turnOf(segment: Uint8Array): number {
  if (asciiAt(segment, 4, 6) !== 'Exif\0\0' || segment.length < 24) return 1
  const tiff = new DataView(segment.buffer, segment.byteOffset + 10, segment.length - 10)
  const isLittle = tiff.getUint16(0) === 0x4949
  const first = tiff.getUint32(4, isLittle)
  if (first + 2 > tiff.byteLength) return 1
  const end = Math.min(tiff.byteLength, first + 2 + tiff.getUint16(first, isLittle) * 12)
  for (let at = first + 2; at + 12 <= end; at += 12)
    if (tiff.getUint16(at, isLittle) === 0x0112) {
      const turn = tiff.getUint16(at + 8, isLittle)
      return turn >= 1 && turn <= 8 ? turn : 1
    }
  return 1
}

/** Exif with nothing but the turn: without it a phone's photo would lie on its side. */
const onlyTurn = (turn: number) =>
  Uint8Array.of(
    ...[0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8],
    ...[0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turn, 0, 0, 0, 0, 0, 0],
  )
