/** What is used of the cache of Cloudflare's data center that runs this request. */
interface PageCache {
  match(address: string): Promise<Response | undefined>
  put(address: string, response: Response): Promise<void>
}

/** Null where the platform has none: then every page is drawn again. */
const pageCache = (): PageCache | null =>
  (globalThis as { caches?: { default?: PageCache } }).caches?.default ?? null

/** A page as it is kept: what every reader of its address gets. */
export interface KeptPage {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** The page that is kept under an address; null where none is, or it is too old. */
export async function keptPage(address: string): Promise<KeptPage | null> {
  const found = await pageCache()?.match(address)
  return found ? { body: await found.text(), headers: Object.fromEntries(found.headers) } : null
}

/** A file that is kept under an address, as it was sent; undefined where none is. */
export const keptFile = (address: string): Promise<Response | undefined> =>
  pageCache()?.match(address) ?? Promise.resolve(undefined)

/** Keeps a file in this data center for as long as its headers say. */
export const keepFile = async (address: string, file: Response): Promise<void> =>
  pageCache()?.put(address, file)

/** Keeps a page in this data center for some seconds. The buyer does not wait for it. */
export const keepPage = async (
  address: string,
  { body, headers }: KeptPage,
  seconds: number,
): Promise<void> =>
  pageCache()?.put(
    address,
    new Response(body, { headers: { ...headers, 'Cache-Control': `public, max-age=${seconds}` } }),
  )
