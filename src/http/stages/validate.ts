import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod'
import { type Json, withinDepth } from '../../kernel/json.ts'
import type { Contract } from '../contract.ts'
import { Problem, type ProblemCode, type ProblemMore } from '../problems.ts'
import type { Asked } from './issues.ts'

/** Refuses a body of more than `maxSize` bytes. */
export const limitBody = (maxSize: number, more: ProblemMore = {}): MiddlewareHandler =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new Problem('body_too_large', more)
    },
  })

/** Checks media type and size before parsing. Hono would take a body of another type for `{}`. */
const acceptUpTo =
  (limit: MiddlewareHandler): MiddlewareHandler =>
  async (c, next) => {
    const type = c.req.header('content-type') ?? ''
    if (!/^application\/json\s*(;|$)/i.test(type)) throw new Problem('content_type_unsupported')
    await limit(c, () => acceptJson(c, next))
  }

/** The body of a request whose operation names no other size. */
export const bodyBytesMax = 64 * 1024

export const acceptBody = acceptUpTo(limitBody(bodyBytesMax))

const acceptLong = (kiBMax: number) =>
  acceptUpTo(limitBody(kiBMax * 1024, { message: `The body is larger than ${kiBMax} KiB.` }))

async function acceptJson(c: Context, next: Next): Promise<void> {
  const text = await c.req.text()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('body_malformed', text === '' ? { message: 'The body is empty: send JSON.' } : {})
  }
  if (!withinDepth(value as Json))
    throw new Problem('body_malformed', { message: 'The body is nested too deeply.' })
  if (mayNamePrototype.test(text) && namesPrototype(value))
    throw new Problem('parameter_unknown', { param: '__proto__' })
  await next()
}

// Zod silently drops this one key from a record.
const mayNamePrototype = /__proto__|\\u/
const namesPrototype = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(namesPrototype))

/** What the validators let through: Hono types it only where it infers the route. */
export const validOf = (c: Context, target: 'param' | 'query' | 'json'): unknown =>
  (c.req.valid as (target: string) => unknown).call(c.req, target)

/** Where no field exists: only an empty object is accepted. */
const nothing = z.strictObject({})

/** A form would be stored with its boundaries, as if they were lines of the file. */
const noForm =
  (type: string): MiddlewareHandler =>
  async (c, next) => {
    if (/^multipart\//i.test(c.req.header('content-type') ?? ''))
      throw new Problem('content_type_unsupported', {
        message: `Send the file itself as the body, as ${type}: a form is not read.`,
      })
    await next()
  }

const noQuery: MiddlewareHandler = async (c, next) => {
  if (c.req.url.includes('?'))
    await refuseShape(nothing.safeParse(c.req.query()), c.req.query(), { part: 'query' })
  await next()
}

const noBody: MiddlewareHandler = async (c, next) => {
  const length = c.req.header('content-length')
  const empty = length === undefined ? c.req.header('transfer-encoding') === undefined : length === '0'
  if (empty) return next()
  return acceptBody(c, async () => {
    const body = await c.req.json()
    await refuseShape(nothing.safeParse(body), body)
    await next()
  })
}

/** The validators of a contract, in the order in which they refuse. */
export function validators(contract: Contract): MiddlewareHandler[] {
  const { method, params, query, body, notFound, bodyKiBMax, upload } = contract
  return [
    ...(params
      ? [zValidator('param', params as z.ZodObject, (result) => refuseParams(result, notFound))]
      : []),
    query
      ? zValidator('query', z.preprocess(inObjects, query) as unknown as z.ZodObject, (result) =>
          refuseShape(result, inObjects(result.data), { schema: query, part: 'query' }),
        )
      : noQuery,
    ...(body
      ? [
          bodyKiBMax ? acceptLong(bodyKiBMax) : acceptBody,
          zValidator('json', body, (result) => refuseShape(result, result.data, { schema: body })),
        ]
      : []),
    ...(upload ? [noForm(upload.type)] : body || method === 'GET' ? [] : [noBody]),
  ]
}

/** Turns `metadata[order]=1024` into `{ metadata: { order: '1024' } }`. */
function inObjects(query: unknown): unknown {
  const fields = Object.entries(query as Record<string, unknown>)
  if (!fields.some(([name]) => name.endsWith(']'))) return query
  const objects = new Map<string, [string, unknown][]>()
  const plain = fields.filter(([name, value]) => {
    const [, object, key] = /^(\w+)\[(.*)\]$/s.exec(name) ?? []
    if (object === undefined) return true
    objects.set(object, [...(objects.get(object) ?? []), [key!, value]])
    return false
  })
  return Object.fromEntries([...plain, ...[...objects].map(([name, of]) => [name, Object.fromEntries(of)])])
}

type Result = { success: true } | { success: false; error: unknown }

function refuseParams(result: Result, notFound: ProblemCode | undefined): void {
  if (!result.success) throw new Problem(notFound ?? 'route_not_found')
}

/** What is wrong is found out in code that is loaded with the first refusal. */
async function refuseShape(result: Result, data: unknown, asked: Asked = {}): Promise<void> {
  if (result.success) return
  const { problemIn } = await import('./issues.ts')
  throw problemIn(result.error, data, asked)
}
