import { Hono } from './hono.ts'
import type { Env } from './router.ts'
import type { Services } from './services.ts'
import { limitStranger, makeKnown, networkOfCaller } from './stages/rate-limit.ts'
import { limitBody } from './stages/validate.ts'

/** A call from an outside service, not through the interface. The body is unchanged, for the signature check. */
export interface HookCall {
  readonly services: Services
  readonly requestId: string
  readonly rawBody: string
  /** `:account` of the path; null where the path has none. */
  readonly account: string | null
  readonly header: (name: string) => string
  /** Counts the call against its address, before any query to check its signature. */
  readonly limitStranger: () => Promise<void>
  /** The signature is valid: later calls for this account from this address do not count as a stranger's. */
  readonly makeKnown: () => void
  /** Background work: the reply does not wait for it, and it may be lost. */
  readonly later: (work: Promise<unknown>) => void
}

/** An address that an outside service posts to. An error from `handle` is answered like any other. */
export interface Hook {
  readonly path: string
  readonly handle: (call: HookCall) => Promise<void>
}

const bodyBytesMax = 256 * 1024

export function hooks(...all: readonly Hook[]): Hono<Env> {
  const app = new Hono<Env>()
  const limit = limitBody(bodyBytesMax)
  for (const { path, handle } of all) {
    app.post(path, limit, async (c) => {
      const account = c.req.param('account') ?? null
      const caller = `${path} ${account} ${networkOfCaller(c)}`
      await handle({
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
