import { zValidator } from '@hono/zod-validator'
import type { MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import { withinDepth } from '../../kernel/json.ts'
import type { Contract } from '../contract.ts'
import { Problem, type ProblemCode, type ProblemDetail, problems } from '../problems.ts'
import { cardNumberMessage } from '../schemas.ts'

const bodyBytesMax = 64 * 1024

/** The media type and the size, before anybody parses. Hono would take `{}` for a body of another type. */
export const acceptBody: MiddlewareHandler = async (c, next) => {
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new Problem('content_type_unsupported')
  if (Number(c.req.header('content-length') ?? 0) > bodyBytesMax) throw new Problem('body_too_large')
  const text = await c.req.text()
  if (text.length > bodyBytesMax) throw new Problem('body_too_large')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('body_malformed')
  }
  if (!withinDepth(value as never))
    throw new Problem('body_malformed', { message: 'The body is nested too deeply.' })
  await next()
}

/** The validators of a contract, in the order in which their errors are told. */
export function validators(contract: Contract): MiddlewareHandler[] {
  const { params, query, body, notFound } = contract
  return [
    ...(params
      ? [zValidator('param', params as z.ZodObject, (result) => refuseParams(result, notFound))]
      : []),
    ...(query ? [zValidator('query', query as z.ZodObject, refuseShape)] : []),
    ...(body ? [acceptBody, zValidator('json', body, refuseShape)] : []),
  ]
}

type Result = { success: true } | { success: false; error: unknown; data: unknown }

function refuseParams(result: Result, notFound: ProblemCode | undefined): void {
  if (!result.success) throw new Problem(notFound ?? 'route_not_found')
}

function refuseShape(result: Result): void {
  if (result.success) return
  const details = (result.error as z.ZodError).issues
    .flatMap((issue) => detailsOf(issue, result.data))
    .slice(0, 20)
  const first = details[0]!
  throw new Problem(first.code, { param: first.param, message: first.message, details })
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

const codeOf = (issue: { readonly message?: string }): ProblemCode =>
  issue.message === cardNumberMessage ? 'card_number_refused' : 'parameter_invalid'

function told(code: ProblemCode, param: string, reason?: string): ProblemDetail {
  const { message } = problems[code]
  const why = code === 'parameter_invalid' && reason ? ` ${reason}.` : ''
  return { param, code, message: `${message}${why}` }
}
