import type { Bare } from './workerd.ts'

/** A GET that is sent to an isolate twice. */
export type Asked = { what: string; path: string; headers: Record<string, string> }

/** Least milliseconds of some isolates, from the request to the last byte of its reply. */
export type First = { what: string; firstMs: number; secondMs: number }

/**
 * What the first request to each area pays, one area after the other in isolates that are new. Whatever else runs only
 * ever adds, so the least of several isolates is taken.
 */
export async function firstRequests(
  start: () => Promise<Bare>,
  asked: readonly Asked[],
  isolates: number,
): Promise<First[]> {
  const least = asked.map(({ what }): First => ({ what, firstMs: Infinity, secondMs: Infinity }))
  for (let isolate = 0; isolate < isolates; isolate++) {
    const worker = await start()
    try {
      for (const [at, { path, headers }] of asked.entries()) {
        const figures = least[at]!
        figures.firstMs = Math.min(figures.firstMs, await timed(worker.url + path, headers))
        figures.secondMs = Math.min(figures.secondMs, await timed(worker.url + path, headers))
      }
    } finally {
      await worker.stop()
    }
  }
  return least
}

async function timed(url: string, headers: Record<string, string>): Promise<number> {
  const begun = performance.now()
  const reply = await fetch(url, { headers })
  const text = await reply.text()
  const took = performance.now() - begun
  if (reply.status !== 200 && reply.status !== 404) throw new Error(`${url}: ${reply.status} ${text}`)
  return took
}
