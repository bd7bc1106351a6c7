import { inflateSync } from 'node:zlib'

/** The words that a PDF draws: each in hexadecimal in its compressed streams. */
export function wordsIn(file: Uint8Array): string[] {
  const bytes = Buffer.from(file)
  const found: string[] = []
  for (let at = bytes.indexOf('stream\n'); at >= 0; at = bytes.indexOf('stream\n', at + 7)) {
    if (bytes.subarray(at - 3, at).toString() === 'end') continue
    const end = bytes.indexOf('endstream', at)
    const drawn = inflateSync(bytes.subarray(at + 7, end)).toString('latin1')
    for (const [, hex] of drawn.matchAll(/<([0-9A-F]+)> Tj/g))
      found.push(Buffer.from(hex!, 'hex').toString('latin1'))
  }
  return found
}
