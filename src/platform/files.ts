import type { Bucket } from '../env/settings.ts'
import { Fault } from '../kernel/fault.ts'
import { OutcomeUnknown } from './postgres.ts'

/** A file as it was put. */
export interface StoredFile {
  readonly body: ReadableStream<Uint8Array>
  readonly bytes: number
  /** Changes with the content; without quotes. */
  readonly etag: string
  readonly contentType: string
}

export interface NewFile {
  /** A stream must know its length, as a request's body does. */
  readonly content: ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>
  readonly contentType: string
}

const timeoutMs = 10_000
/** A stream is as slow as its sender. */
const streamMs = 600_000

/**
 * The environment's bucket: for what is too large for a row. A row names a file, and a file without a row is nothing:
 * put the file first, publish the row that names it, and delete the file once no row names it. A key begins with its
 * area's name. Any of these may be repeated.
 * @throws OutcomeUnknown where the bucket fails or does not answer in time
 */
export function filesIn(bucket: Bucket | undefined) {
  if (!bucket) throw new Fault('FILES is not bound')
  return {
    /** The new file's etag. It replaces a file of that key. */
    put: (key: string, { content, contentType }: NewFile): Promise<string> =>
      inTime(
        async () => {
          const stored = await bucket.put(key, content, { httpMetadata: { contentType } })
          if (!stored) throw new Fault('the bucket took no file')
          return stored.etag
        },
        content instanceof ReadableStream ? streamMs : timeoutMs,
      ),
    /** Null where there is no file of that key. */
    get: (key: string): Promise<StoredFile | null> =>
      inTime(async () => {
        const found = await bucket.get(key)
        if (!found) return null
        const { body, size: bytes, etag, httpMetadata } = found
        return { body, bytes, etag, contentType: httpMetadata?.contentType ?? 'application/octet-stream' }
      }),
    /** A part of a file, which must begin within it; null where there is no file of that key. */
    range: (
      key: string,
      range: { readonly offset: number; readonly length: number },
    ): Promise<Uint8Array<ArrayBuffer> | null> =>
      inTime(async () => {
        const found = await bucket.get(key, { range })
        return found && new Uint8Array(await new Response(found.body).arrayBuffer())
      }),
    /** At most 1,000; also where there is none of that key. */
    delete: (...keys: readonly [string, ...string[]]): Promise<void> =>
      inTime(() => bucket.delete([...keys])),
    /** All whose key begins so. */
    deleteAll: async (prefix: string): Promise<void> => {
      for (let more = true; more; ) {
        const { objects, truncated } = await inTime(() => bucket.list({ prefix }))
        if (objects.length > 0) await inTime(() => bucket.delete(objects.map(({ key }) => key)))
        more = truncated
      }
    },
  }
}

async function inTime<T>(work: () => Promise<T>, most = timeoutMs): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutcomeUnknown('the bucket did not answer in time')), most)
  })
  try {
    return await Promise.race([work(), late])
  } catch (cause) {
    throw cause instanceof OutcomeUnknown ? cause : new OutcomeUnknown('the bucket failed', { cause })
  } finally {
    clearTimeout(timer)
  }
}
