import { createHash } from 'node:crypto'

/** SHA-256 of all that the parts bring, lowercase hex. Holds one piece at a time. */
export async function sha256HexOfAll(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}
