import type { Context, MiddlewareHandler } from 'hono'
import type { Bindings } from '../env/settings.ts'
import type { Payee, ShownLook } from '../kernel/look.ts'
import { type Admitted, type Asked, presented } from './access/kinds.ts'
import type { Contract, Saved } from './contract.ts'
import { Hono } from './hono.ts'
import type { Input, Operation } from './operation.ts'
import { Problem } from './problems.ts'
import { type Answer, doneOrReplayed, racedWithMemory } from './replay-cache.ts'
import { contextOf, idempotencyKeyOf, ifVersionOf, stepUpTokenOf } from './request-context.ts'
import type { Services } from './services.ts'
import {
  limitRate,
  limitStranger,
  makeKnown,
  networkOfCaller,
  ratePolicyHeader,
} from './stages/rate-limit.ts'
import { validators, validOf } from './stages/validate.ts'

export interface Env {
  Bindings: Bindings
  Variables: {
    requestId: string
    /** The contract's id; absent on addresses that are no operations. */
    operation?: string
    services: Services
    caller: Admitted & { readonly stepUp: Asked['stepUp'] | undefined }
    /** The form of a payment whose outcome may be unknown: the page offers to send it again. */
    resend: { action: string; fields: Record<string, string> }
    /** How the merchant looks, once a buyer's page knows it and may show it. */
    look: ShownLook | undefined
    /** Whom the buyer pays, and how to reach them, once a page knows it and may show it. */
    payee: Payee | undefined
    /** The origins whose pages may show this page in a frame. */
    embeddedIn: readonly string[] | undefined
  }
}

export type Ctx = Context<Env>

/** An area of the interface: its operations as a Hono sub-app. */
export function area(...operations: readonly Operation[]): Hono<Env> {
  const app = new Hono<Env>()
  for (const each of operations) {
    const { method, path } = each.contract
    app.on(method, path, guard(each), ...validators(each.contract), (c) => answer(c as Ctx, each))
  }
  return app
}

/** Refuses all that it can before the body is read, and limits the rate. */
const guard =
  ({ contract }: Operation): MiddlewareHandler<Env> =>
  async (c, next) => {
    const services = c.get('services')
    c.set('operation', contract.id)
    if (contract.only && contract.only !== services.settings.environment) throw new Problem('route_not_found')
    c.header('RateLimit-Policy', ratePolicyHeader(contract.rate))
    const { bearer, admit, stepUp } = presented(c.req.header('authorization'), contract.access)
    const caller = await admit(bearer, services)
    c.set('caller', { ...caller, stepUp })
    await limitRate(c.env, contract.rate, caller.isShort ? networkOfCaller(c) : caller.digest)
    await limitStranger(c, caller.digest)
    idempotencyKeyOf(c, contract)
    if (stepUp) stepUpTokenOf(c)
    ifVersionOf(c, contract)
    await next()
  }

async function answer(c: Ctx, operation: Operation): Promise<Response> {
  const { contract } = operation
  const input: Input = {
    params: contract.params && validOf(c, 'param'),
    query: contract.query && validOf(c, 'query'),
    body: contract.body && validOf(c, 'json'),
  }
  const request = await contextOf(c, operation, input)
  if (contract.download) return fileOf(c, contract.download, await operation.run(input, request))
  const work = doneOrReplayed(operation, input, request).then((done) => {
    makeKnown(c.get('caller').digest)
    return done
  })
  // A publish goes on when the client disconnects.
  c.executionCtx.waitUntil(work.catch(() => {}))
  const reply = await racedWithMemory(request, work)
  if (reply.replayed) c.header('Idempotent-Replayed', 'true')
  if (operation.draw) {
    const { pictureOf } = await import('./pictures.ts')
    return (await pictureOf(c, operation.draw, reply.body)) ?? jsonOf(c, reply)
  }
  const { location, versioned, showsLive } = contract
  if (!location && !versioned) return jsonOf(c, reply)
  const shown = JSON.parse(reply.body) as Shown
  if (location) c.header('Location', locationOf(location, { ...(input.body as object), ...shown }))
  const version = versioned && versionOf(shown)
  if (version === undefined) return jsonOf(c, reply)
  c.header('ETag', `"${version}"`)
  const isKnown = contract.method === 'GET' && !showsLive && isNamed(c.req.header('if-none-match'), version)
  return isKnown ? c.body(null, 304) : jsonOf(c, reply)
}

function fileOf(c: Ctx, declared: NonNullable<Contract['download']>, file: unknown): Response {
  // A stream has no fields of its own.
  const { type, name, stream } = { ...declared, stream: file, ...(file as Partial<Saved>) } as Saved
  makeKnown(c.get('caller').digest)
  c.header('Content-Type', type)
  c.header('Content-Disposition', `attachment; filename="${name}"`)
  return c.body(stream)
}

function jsonOf(c: Ctx, { body, status }: Answer): Response {
  c.header('Content-Type', 'application/json')
  return c.body(body, status as 200)
}

type Shown = { readonly [field: string]: unknown; readonly version?: number }

/** The reply's own version, or that of the resource in it: `{ endpoint: { version } }`. */
const versionOf = ({ version, endpoint }: Shown): number | undefined =>
  version ?? (endpoint as Shown | undefined)?.version

/** `:key.id` is the field `id` of the field `key`. */
const locationOf = (path: string, shown: Shown): string =>
  path.replace(/:([a-z_.]+)/g, (_, field: string) =>
    encodeURIComponent(
      String(field.split('.').reduce<unknown>((value, name) => (value as Shown)[name], shown)),
    ),
  )

/** If-None-Match compares weakly: the version is the same, however the reply was packed. */
const isNamed = (named: string | undefined, version: number) =>
  named?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === `"${version}"`)
