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

/** Samples of a pixel by color type (ISO/IEC 15948, 11.2.2). */
const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const sliceBytes = 1_024

/**
 * Whether a PNG whose chunks are sound has the pixels that its header says, no byte more or less, and is not interlaced:
 * then a decoder may read it. They are unpacked slice by slice, so that a bomb takes no more than a slice makes of it.
 */
export async function hasItsPixels(png: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const view = new DataView(png.buffer, png.byteOffset, png.length)
  const [width, height, depth] = [view.getUint32(16), view.getUint32(20), view.getUint8(24)]
  const [samples, interlaced] = [samplesOf[view.getUint8(25)], view.getUint8(28)]
  if (!samples || ![1, 2, 4, 8, 16].includes(depth) || interlaced !== 0) return false
  let leftBytes = height * (1 + Math.ceil((width * samples * depth) / 8))
  try {
    const unpacked = slicesOf(view).pipeThrough(new DecompressionStream('deflate'))
    for await (const part of unpacked) {
      leftBytes -= part.length
      if (leftBytes < 0) return false
    }
  } catch {
    return false
  }
  return leftBytes === 0
}

/** What the IDAT chunks hold. */
function slicesOf(png: DataView<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  function* slices() {
    for (let at = 8; at + 12 <= png.byteLength; at += 12 + png.getUint32(at)) {
      if (png.getUint32(at + 4) !== 0x49444154) continue
      const end = Math.min(at + 8 + png.getUint32(at), png.byteLength)
      for (let from = at + 8; from < end; from += sliceBytes)
        yield new Uint8Array(png.buffer, png.byteOffset + from, Math.min(sliceBytes, end - from))
    }
  }
  const each = slices()
  return new ReadableStream({
    pull(controller) {
      const next = each.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
  })
}
