import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { Bindings } from '../env.ts'
import { canonicalJson } from '../kernel/canonical.ts'
import type { Json } from '../kernel/json.ts'
import { sha256Hex } from '../platform/crypto.ts'
import type { Credential } from '../platform/postgres.ts'
import type { ReplayAddress } from '../platform/redis.ts'
import type { Input, Operation, RequestContext } from './operation.ts'
import { Problem } from './problems.ts'
import { Replayed } from './publishing.ts'
import type { Services } from './services.ts'
import { type ApiKeyCredential, apiKeyCredential, bearerOf, customerOf } from './stages/credential.ts'
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

type Ctx = Context<Env>

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
    c.header('RateLimit-Policy', ratePolicyHeader[contract.rate])
    const bearer = bearerOf(c.req.header('authorization'))
    // Buckets belong to whoever holds the whole credential: knowing somebody's key id exhausts nothing of theirs.
    const key = contract.access.kind === 'api_key' ? await apiKeyCredential(bearer, services) : null
    if (!key && bearer.startsWith('sk_')) throw new Problem('credential_not_accepted')
    c.set('apiKey', key)
    await limitRate(c.env, contract.rate, key?.digest ?? (await sha256Hex(bearer)))
    if (contract.idempotency === 'required') idempotencyKeyOf(c)
    if (contract.stepUp) stepUpTokenOf(c)
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
  const address = replayAddress(c, operation, request)
  const work = operation.run(input, request).then(
    (body) => ({ status: contract.reply.status as number, body: JSON.stringify(body), replayed: false }),
    (error: unknown) => {
      if (error instanceof Replayed) return { status: error.status, body: error.body, replayed: true }
      throw error
    },
  )
  // A client that hangs up must not cut a publish in two.
  c.executionCtx.waitUntil(work.catch(() => {}))
  const reply = address ? await firstOf(work, remembered(request, address)) : await work
  if (address && !reply.replayed) {
    const remember = { status: reply.status, body: reply.body, fingerprint: request.claim!.fingerprint }
    request.later(request.services.memory.rememberReply(address, remember))
  }
  if (reply.replayed) c.header('Idempotent-Replayed', 'true')
  c.header('Content-Type', 'application/json')
  return c.body(reply.body, reply.status as 200)
}

async function contextOf(c: Ctx, operation: Operation, input: Input): Promise<RequestContext> {
  const services = c.get('services')
  const { contract } = operation
  const bearer = bearerOf(c.req.header('authorization'))
  const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const base = { services, requestId: c.get('requestId'), later }
  const claim =
    contract.idempotency === 'required'
      ? {
          claim: {
            key: idempotencyKeyOf(c),
            fingerprint: await fingerprintOf(contract.id, input),
            status: contract.reply.status,
          },
        }
      : {}

  if (contract.access.kind === 'api_key') {
    const credential = Promise.resolve(c.get('apiKey')!.credential)
    const session = () => Promise.reject(new Problem('credential_not_accepted'))
    return { ...base, ...claim, readAs: () => credential, publishAs: () => credential, session }
  }
  const customer = customerOf(bearer, services)
  customer.catch(() => {})
  const tenantId = tenantOf(input)
  const asMember = async (opened?: string): Promise<Credential> => {
    const { userId } = await customer
    if (contract.access.kind === 'challenge') {
      return { kind: 'challenge', challengeId: (input.params as { id: string }).id, userId }
    }
    return {
      kind: contract.access.kind === 'customer' ? 'founder' : 'session',
      tenantId: opened ?? tenantId,
      userId,
    }
  }
  const proof = contract.stepUp ? await proofOf(c, operation, input, customer, contract.stepUp.scope) : null
  return {
    ...base,
    ...claim,
    session: () => customer,
    publishAs: asMember,
    readAs: proof
      ? async () => ({ kind: 'step_up', tenantId, tokenDigest: proof.tokenDigest })
      : () => asMember(),
    ...(proof ? { stepUp: proof.wanted } : {}),
  }
}

/** What the door must find on the proof: everything that it is bound to, but action and environment, which it knows. */
async function proofOf(
  c: Ctx,
  { proves }: Operation,
  input: Input,
  customer: ReturnType<typeof customerOf>,
  scope: string,
) {
  const tokenDigest = await sha256Hex(stepUpTokenOf(c))
  const paramsHash = await sha256Hex(canonicalJson(proves!(input)))
  const idempotencyKey = idempotencyKeyOf(c)
  return {
    tokenDigest,
    wanted: async () => {
      const { userId, sessionId } = await customer
      return { tokenDigest, userId, sessionId, scope, idempotencyKey, paramsHash }
    },
  }
}

const tenantOf = (input: Input): string => {
  const { tenant_id } = { ...(input.query as object), ...(input.body as object) } as { tenant_id?: string }
  return tenant_id ?? ''
}

const fingerprintOf = (id: string, { params, body }: Input) =>
  sha256Hex(canonicalJson({ id, params: params ?? null, body: body ?? null } as Json))

function idempotencyKeyOf(c: Ctx): string {
  const key = c.req.header('idempotency-key')
  if (key === undefined) throw new Problem('idempotency_key_missing', { param: 'Idempotency-Key' })
  if (!/^[\x20-\x7e]{8,255}$/.test(key))
    throw new Problem('idempotency_key_invalid', { param: 'Idempotency-Key' })
  return key
}

function stepUpTokenOf(c: Ctx): string {
  const token = c.req.header('x-sp-step-up-token')
  if (token === undefined) throw new Problem('step_up_missing', { param: 'x-sp-step-up-token' })
  if (token.length < 32 || token.length > 4096)
    throw new Problem('step_up_malformed', { param: 'x-sp-step-up-token' })
  return token
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly replayed: boolean
}

function replayAddress(c: Ctx, { contract }: Operation, { claim }: RequestContext): ReplayAddress | null {
  const apiKey = c.get('apiKey')
  return claim && apiKey
    ? { kid: apiKey.kid, digest: apiKey.digest, operation: contract.id, key: claim.key }
    : null
}

async function remembered(
  { services, claim }: RequestContext,
  address: ReplayAddress,
): Promise<Answer | null> {
  const reply = await services.memory.replay(address)
  // A key used with another request is for Postgres to refuse.
  return reply?.fingerprint === claim!.fingerprint ? { ...reply, replayed: true } : null
}

/** Postgres and Redis leave together; Redis wins only with something usable. */
async function firstOf(work: Promise<Answer>, memory: Promise<Answer | null>): Promise<Answer> {
  return Promise.race([work, memory.then((answer) => answer ?? work)])
}
