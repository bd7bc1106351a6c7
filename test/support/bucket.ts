import { createHash } from 'node:crypto'
import type { Bucket } from '../../src/env.ts'

/** A bucket in memory. */
export function memoryBucket(): Bucket {
  const files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; contentType: string }>()
  const etagOf = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
  return {
    put: async (key, content, { httpMetadata: { contentType } }) => {
      const bytes = new Uint8Array(await new Response(content as ReadableStream).arrayBuffer())
      files.set(key, { bytes, contentType })
      return { etag: etagOf(bytes) }
    },
    get: async (key, options) => {
      const found = files.get(key)
      if (!found) return null
      const { bytes, contentType } = found
      const httpMetadata = { contentType }
      const { offset, length } = options?.range ?? { offset: 0, length: bytes.length }
      const part = bytes.slice(offset, offset + length)
      return { body: new Response(part).body!, size: bytes.length, etag: etagOf(bytes), httpMetadata }
    },
    delete: async (keys) => {
      for (const key of keys) files.delete(key)
    },
  }
}
