import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Env } from './mount.ts'
import { Problem } from './problems.ts'
import type { Services } from './services.ts'
import { limitStranger, makeKnown, networkOfCaller } from './stages/rate-limit.ts'

/** A call of an outside service, not of the interface: its body exactly as it came, for a signature to be checked. */
export interface HookCall {
  readonly services: Services
  readonly requestId: string
  readonly rawBody: string
  /** What `:account` of the path says; null where it is not there. */
  readonly account: string | null
  readonly header: (name: string) => string
  /** Counts the call by its address, before anything is asked to find out whether it is signed. */
  readonly limitStranger: () => Promise<void>
  /** It is: what else comes for this account from there is no stranger's. */
  readonly makeKnown: () => void
  /** Work that the reply does not wait for and nothing durable may hang on. */
  readonly later: (work: Promise<unknown>) => void
}

/** An address that an outside service posts to. What `hear` throws is answered as any problem is. */
export interface Hook {
  readonly path: string
  readonly hear: (call: HookCall) => Promise<void>
}

const bodyBytesMax = 256 * 1024

export function hooks(...all: readonly Hook[]): Hono<Env> {
  const app = new Hono<Env>()
  const limit = bodyLimit({
    maxSize: bodyBytesMax,
    onError: () => {
      throw new Problem('body_too_large')
    },
  })
  for (const { path, hear } of all) {
    app.post(path, limit, async (c) => {
      const account = c.req.param('account') ?? null
      const caller = `${path} ${account} ${networkOfCaller(c)}`
      await hear({
        services: c.get('services'),
        requestId: c.get('requestId'),
        rawBody: await c.req.text(),
        account,
        header: (name) => c.req.header(name) ?? '',
        limitStranger: () => limitStranger(c, caller),
        makeKnown: () => makeKnown(caller),
        later: (work) => c.executionCtx.waitUntil(work),
      })
      return c.json({ received: true })
    })
  }
  return app
}
