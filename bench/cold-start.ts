import { readdir, readFile } from 'node:fs/promises'
import type { Bare } from './workerd.ts'

/** A GET that is sent to an isolate twice. */
export type Asked = { what: string; path: string; headers: Record<string, string> }

/** Least CPU of some isolates, in milliseconds. */
export type First = { what: string; firstMs: number; secondMs: number }

/**
 * The CPU cost of the first request to each area, one area after the other in new isolates. The very first request is
 * charged with the whole process until then: when the process begins to start the Worker cannot be observed. The result
 * is the least of several isolates.
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
      for (const [at, each] of asked.entries()) {
        const figures = least[at]!
        const before = at === 0 ? 0 : await cpuSpent(worker.pid)
        await ask(worker, each)
        const between = await cpuSpent(worker.pid)
        await ask(worker, each)
        figures.firstMs = Math.min(figures.firstMs, between - before)
        figures.secondMs = Math.min(figures.secondMs, (await cpuSpent(worker.pid)) - between)
      }
    } finally {
      await worker.stop()
    }
  }
  return least
}

async function ask({ url }: Bare, { path, headers }: Asked): Promise<void> {
  const reply = await fetch(url + path, { headers })
  const text = await reply.text()
  if (reply.status !== 200 && reply.status !== 404) throw new Error(`${path}: ${reply.status} ${text}`)
}

/** Milliseconds of all threads: `schedstat` counts nanoseconds, `stat` hundredths of a second. */
async function cpuSpent(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`)
  const spent = tasks.map(async (task) =>
    Number((await readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8')).split(' ')[0]),
  )
  return (await Promise.all(spent)).reduce((sum, each) => sum + each, 0) / 1e6
}
