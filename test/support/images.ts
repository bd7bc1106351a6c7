import { crc32, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  crc.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, crc])
}

/** A PNG of one color; `extra` chunks stand before its pixels. */
export function png(width: number, height: number, extra: readonly [string, Uint8Array][] = []): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(Math.min(width, 4_096) * 3, 0x7c)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: Math.min(height, 4_096) }, () => row)))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...extra.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]), data])

/** Exif of a camera that was held on its side (6), in the order of bytes `II` or `MM`, with a place behind it. */
function turned(order: 'II' | 'MM'): Buffer {
  const entry =
    order === 'II' ? '2a00080000000100120103000100000006000000' : '002a000000080001011200030000000100060000'
  return Buffer.concat([
    Buffer.from(`Exif\0\0${order}`),
    Buffer.from(`${entry}00000000`, 'hex'),
    Buffer.from('GPS 19.4326 -99.1332'),
  ])
}

/** The segments of a JPEG, with a place in its metadata and a scan of a few bytes. */
export const jpeg = (width: number, height: number, frame = 0xc0, order?: 'II' | 'MM'): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xe1, order ? turned(order) : Buffer.from('Exif\0\0GPS 19.4326 -99.1332', 'latin1')),
    segment(0xfe, Buffer.from('a comment')),
    segment(0xdb, Buffer.alloc(65)),
    segment(frame, Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0])),
    segment(0xc4, Buffer.alloc(20)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
  ])

export const svg = (inside: string, root = 'viewBox="0 0 300 100"', before = ''): Buffer =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg" ${root}>${inside}</svg>`)

export function webpChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type), length, data, Buffer.alloc(data.length % 2)])
}

/** A WebP of these chunks. */
export const webpOf = (...chunks: readonly Buffer[]): Buffer =>
  webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))

export const webp = {
  /** A key frame whose first part is said to have `first` bytes; 5 follow. */
  lossy: (width: number, height: number, first = 5, between = 0): Buffer => {
    const data = Buffer.alloc(15)
    data.writeUIntLE(first * 32 + between, 0, 3)
    data.set([0x9d, 0x01, 0x2a], 3)
    data.writeUInt16LE(width, 6)
    data.writeUInt16LE(height, 8)
    return webpChunk('VP8 ', data)
  },
  lossless: (width: number, height: number): Buffer => {
    const data = Buffer.alloc(9)
    data[0] = 0x2f
    data.writeUInt32LE(width - 1 + (height - 1) * 0x4000, 1)
    return webpChunk('VP8L', data)
  },
  canvas: (width: number, height: number, flags: number): Buffer => {
    const data = Buffer.alloc(10)
    data[0] = flags
    data.writeUIntLE(width - 1, 4, 3)
    data.writeUIntLE(height - 1, 7, 3)
    return webpChunk('VP8X', data)
  },
}
