import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { Bindings } from '../env.ts'
import { sha256Hex } from '../platform/crypto.ts'
import { contextOf, idempotencyKeyOf, ifVersionOf, stepUpTokenOf } from './caller.ts'
import type { Input, Operation } from './operation.ts'
import { Problem } from './problems.ts'
import { Replayed } from './publishing.ts'
import { racedWithMemory } from './remembering.ts'
import type { Services } from './services.ts'
import { type ApiKeyCredential, apiKeyCredential, bearerOf } from './stages/credential.ts'
import { limitRate, ratePolicyHeader } from './stages/rate-limit.ts'
import { validators } from './stages/validate.ts'

export interface Env {
  Bindings: Bindings
  Variables: {
    requestId: string
    services: Services
    apiKey: ApiKeyCredential | null
    /** The form of a payment whose outcome may be unknown: what a page offers to send again. */
    resend: { action: string; fields: Record<string, string> }
  }
}

export type Ctx = Context<Env>

/** An area of the interface: its operations as a Hono sub-app. */
export function area(...operations: readonly Operation[]): Hono<Env> {
  const app = new Hono<Env>()
  for (const each of operations) {
    const { method, path } = each.contract
    app.on(method, path, guard(each), ...validators(each.contract), (c) =>
      answer(c as Ctx, each).catch((error: unknown) => counted(c as Ctx, error)),
    )
  }
  return app
}

/** Invented credentials cost a trip each and have no bucket of their own: whoever sends them has one. */
async function counted(c: Ctx, error: unknown): Promise<never> {
  if (error instanceof Problem && error.code === 'api_key_invalid') {
    await limitRate(c.env, 'auth', `refused:${c.req.header('cf-connecting-ip') ?? 'unknown'}`)
  }
  throw error
}

/** Everything that can be refused before the body is looked at, and the rate of what remains. */
const guard =
  ({ contract }: Operation): MiddlewareHandler<Env> =>
  async (c, next) => {
    const services = c.get('services')
    if (contract.only && contract.only !== services.settings.environment) throw new Problem('route_not_found')
    c.header('RateLimit-Policy', ratePolicyHeader[contract.rate])
    const bearer = bearerOf(c.req.header('authorization'))
    // Buckets belong to whoever holds the whole credential: knowing somebody's key id exhausts nothing of theirs.
    const key = contract.access.kind === 'api_key' ? await apiKeyCredential(bearer, services) : null
    if (!key && bearer.startsWith('sk_')) throw new Problem('credential_not_accepted')
    c.set('apiKey', key)
    await limitRate(c.env, contract.rate, key?.digest ?? (await sha256Hex(bearer)))
    if (contract.idempotency === 'required') idempotencyKeyOf(c)
    if (contract.stepUp) stepUpTokenOf(c)
    ifVersionOf(c, contract)
    await next()
  }

async function answer(c: Ctx, operation: Operation): Promise<Response> {
  const { contract } = operation
  const valid = (target: 'param' | 'query' | 'json'): unknown => c.req.valid(target as never)
  const input: Input = {
    params: contract.params && valid('param'),
    query: contract.query && valid('query'),
    body: contract.body && valid('json'),
  }
  const request = await contextOf(c, operation, input)
  const work = operation.run(input, request).then(
    (body) => ({ status: contract.reply.status as number, body: JSON.stringify(body), replayed: false }),
    (error: unknown) => {
      if (error instanceof Replayed) return { status: error.status, body: error.body, replayed: true }
      throw error
    },
  )
  // A client that hangs up must not cut a publish in two.
  c.executionCtx.waitUntil(work.catch(() => {}))
  const reply = await racedWithMemory(request, work)
  if (reply.replayed) c.header('Idempotent-Replayed', 'true')
  if (contract.versioned) nameVersion(c, reply.body)
  c.header('Content-Type', 'application/json')
  return c.body(reply.body, reply.status as 200)
}

function nameVersion(c: Ctx, body: string): void {
  const { version } = JSON.parse(body) as { version?: number }
  if (version !== undefined) c.header('ETag', `"${version}"`)
}
