import { createHash } from 'node:crypto'
import type { Bucket } from '../../src/env/settings.ts'

/** A call to the bucket that gets no answer: it has no effect, has its effect, or has it when it is `released`. */
export interface BucketStrike {
  readonly file: 'put' | 'get' | 'delete'
  readonly skip?: number
  readonly mode: 'hang' | 'late-commit' | 'released'
}

export interface MemoryBucket extends Bucket {
  readonly keys: () => readonly string[]
  /** The next call that matches is struck. `struck` resolves once it is made. */
  readonly strike: (strike: BucketStrike) => { readonly struck: Promise<void>; readonly release: () => void }
}

/** A bucket in memory. */
export function memoryBucket(): MemoryBucket {
  const files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; contentType: string }>()
  const etagOf = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
  let next: { strike: BucketStrike; skips: number; struck: () => void; released: Promise<void> } | undefined

  const through = async <T>(file: BucketStrike['file'], work: () => T | Promise<T>): Promise<T> => {
    if (next?.strike.file !== file || next.skips-- > 0) return work()
    const { strike, struck, released } = next
    next = undefined
    if (strike.mode === 'late-commit') await work()
    struck()
    if (strike.mode !== 'released') return new Promise(() => {})
    await released
    return work()
  }

  return {
    keys: () => [...files.keys()],
    strike: (strike) => {
      const [struck, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      next = { strike, skips: strike.skip ?? 0, struck: struck.resolve, released: released.promise }
      return { struck: struck.promise, release: released.resolve }
    },
    put: (key, content, { httpMetadata: { contentType } }) =>
      through('put', async () => {
        const bytes = new Uint8Array(await new Response(content as ReadableStream).arrayBuffer())
        files.set(key, { bytes, contentType })
        return { etag: etagOf(bytes) }
      }),
    get: (key, options) =>
      through('get', () => {
        const found = files.get(key)
        if (!found) return null
        const { bytes, contentType } = found
        const httpMetadata = { contentType }
        const { offset, length } = options?.range ?? { offset: 0, length: bytes.length }
        const part = bytes.slice(offset, offset + length)
        return { body: new Response(part).body!, size: bytes.length, etag: etagOf(bytes), httpMetadata }
      }),
    delete: (keys) =>
      through('delete', () => {
        for (const key of keys) files.delete(key)
      }),
    list: async ({ prefix }) => {
      const found = [...files.keys()].filter((key) => key.startsWith(prefix)).sort()
      return { objects: found.slice(0, 1_000).map((key) => ({ key })), truncated: found.length > 1_000 }
    },
  }
}
