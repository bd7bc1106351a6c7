/** CRC-32 as PNG uses it (ISO/IEC 15948, annex D). */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
  return crc
})

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + 12)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(data, 8)
  view.setUint32(data.length + 8, crcOf(bytes.subarray(4, data.length + 8)))
  return bytes
}

/**
 * A black and white picture as PNG, one bit a pixel. `rows`: true where dark.
 * @param scale pixels of each module's side
 */
export async function pngOf(rows: readonly (readonly boolean[])[], scale: number): Promise<ReadableStream> {
  const side = rows.length * scale
  const rowBytes = Math.ceil(side / 8) + 1
  const pixels = new Uint8Array(rowBytes * side)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      if (!rows[Math.floor(y / scale)]![Math.floor(x / scale)])
        pixels[y * rowBytes + 1 + (x >> 3)]! |= 0x80 >> (x & 7)
  const packed = new Blob([pixels]).stream().pipeThrough(new CompressionStream('deflate'))
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, side)
  view.setUint32(4, side)
  header[8] = 1
  return new Blob([
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', new Uint8Array(await new Response(packed).arrayBuffer())),
    chunk('IEND', new Uint8Array()),
  ]).stream()
}
