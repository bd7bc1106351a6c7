import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod'
import { containsCardNumber } from '../../kernel/card-number.ts'
import { type Json, withinDepth } from '../../kernel/json.ts'
import type { Contract } from '../contract.ts'
import {
  type CommonCode,
  Problem,
  type ProblemCode,
  type ProblemDetail,
  type ProblemMore,
  problems,
} from '../problems.ts'
import { codesOfRefusals } from '../schemas.ts'

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
  if (c.req.url.includes('?')) refuseShape(nothing.safeParse(c.req.query()), c.req.query())
  await next()
}

const noBody: MiddlewareHandler = async (c, next) => {
  const length = c.req.header('content-length')
  const empty = length === undefined ? c.req.header('transfer-encoding') === undefined : length === '0'
  if (empty) return next()
  return acceptBody(c, async () => {
    const body = await c.req.json()
    refuseShape(nothing.safeParse(body), body)
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
          refuseShape(result, inObjects(result.data)),
        )
      : noQuery,
    ...(body
      ? [
          bodyKiBMax ? acceptLong(bodyKiBMax) : acceptBody,
          zValidator('json', body, (result) => refuseShape(result, result.data)),
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

function refuseShape(result: Result, data: unknown): void {
  if (!result.success) throw problemIn(result.error, data)
}

/** A schema's issues with `data` as the caller sees them. */
export function problemIn(error: unknown, data: unknown): Problem {
  const details = (error as z.ZodError).issues.flatMap((issue) => detailsOf(issue, data)).slice(0, 20)
  const { code, param, message } = details[0]!
  // An issue of the body as a whole names no field.
  return new Problem(code, param === '' ? { message } : { param, message, details })
}

function detailsOf(issue: z.core.$ZodIssue, data: unknown): ProblemDetail[] {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => told('parameter_unknown', path ? `${path}.${key}` : key))
  }
  if (issue.code === 'invalid_key')
    return issue.issues.map((inner) => told(codeOf(inner), path, inner.message))
  if (path !== '' && valueAt(data, issue.path) === undefined) return [told('parameter_missing', path)]
  return [told(codeOf(issue), path, issue.message)]
}

const valueAt = (data: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    data,
  )

const codeOf = ({ message = '' }: { readonly message?: string }): CommonCode =>
  codesOfRefusals[message] ?? 'parameter_invalid'

function told(code: CommonCode, path: string, reason?: string): ProblemDetail {
  const message = code === 'parameter_invalid' && reason ? sentenceOf(reason) : problems[code][1]
  return { param: withoutCardNumber(path), code, message }
}

/** Our own reasons begin with "must"; Zod's say what it expected. */
function sentenceOf(reason: string): string {
  if (reason.startsWith('must ')) return `This field ${reason}.`
  const [first = '', ...rest] = reason.replace(/^Invalid input: /, '')
  return `This field has a value that is not allowed: ${first.toLowerCase()}${rest.join('')}.`
}

/** A field's name may contain a card number: then the path ends at its parent. */
const withoutCardNumber = (path: string): string =>
  containsCardNumber(path) ? withoutCardNumber(path.split('.').slice(0, -1).join('.')) : path
