import { setTimeout as delay } from 'node:timers/promises'
import type { World } from './world.ts'

/** Only what never ends takes so long, also where a machine is busy. */
const insistMs = 300_000

/** Sends until a reply states the outcome. */
export async function insisting<R extends { status: number }>(
  world: World,
  send: () => Promise<R>,
): Promise<R> {
  const endsAtMs = Date.now() + insistMs
  for (;;) {
    const reply = await send().catch((cause: unknown) => {
      if (!world.insists || Date.now() > endsAtMs) throw cause
    })
    if (reply && (reply.status !== 503 || !world.insists || Date.now() > endsAtMs)) return reply
    await delay(100)
  }
}

/** The same for work that throws until it succeeds. */
export const insistingOn = async <T>(world: World, work: () => Promise<T>): Promise<T> =>
  (await insisting(world, async () => ({ status: 200, done: await work() }))).done
