import type * as z from 'zod'
import { containsCardNumber } from '../../kernel/card-number.ts'
import { nearest } from '../../kernel/nearest.ts'
import { type CommonCode, Problem, type ProblemDetail, problems } from '../problems.ts'
import { codesOfRefusals } from '../schemas.ts'
import { fieldsOf, optionsOf, requiredOf, schemaAt } from './schema-fields.ts'

type Issue = z.core.$ZodIssue
type Schema = z.core.$ZodType

const detailsMax = 20

/** Where a value was sent, and the schema that refused it: with it, an unknown name gets the one that was meant. */
export interface Asked {
  readonly schema?: Schema | undefined
  readonly part?: 'query' | 'body'
}

/** A schema's issues with `data` as the caller sees them. */
export function problemIn(error: unknown, data: unknown, asked: Asked = {}): Problem {
  const issues = (error as z.ZodError).issues.slice(0, detailsMax)
  const details = issues.flatMap((issue) => detailsOf(issue, data, asked, [])).slice(0, detailsMax)
  const { code, param, message } = details[0]!
  // An issue of the body as a whole names no field.
  return new Problem(code, param === '' ? { message } : { param, message, details })
}

/** `above`: the path from the body to `data`. */
function detailsOf(issue: Issue, data: unknown, asked: Asked, above: readonly string[]): ProblemDetail[] {
  const names = [...above, ...issue.path.map(String)]
  const value = valueAt(data, issue.path)
  if (issue.code === 'unrecognized_keys') {
    const fields = fieldsOf(schemaAt(asked.schema, issue.path))
    return issue.keys
      .slice(0, detailsMax)
      .map((key) => detail('parameter_unknown', [...names, key], unknownField(key, fields, asked)))
  }
  if (issue.code === 'invalid_key')
    return issue.issues.map((inner) => detailOf(codeOf(inner), names, reasonOf(inner, undefined)))
  if (names.length > 0 && value === undefined) return [detailOf('parameter_missing', names)]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const options = optionsOf(schemaAt(asked.schema, issue.path))
    const at = branchOf(issue.errors, value, options)
    const branch = { ...asked, schema: options[at ?? -1] }
    if (at !== null) return issue.errors[at]!.flatMap((inner) => detailsOf(inner, value, branch, names))
  }
  return [detailOf(codeOf(issue), names, reasonOf(issue, value))]
}

function unknownField(key: string, fields: readonly string[], { part = 'body' }: Asked): string {
  const [meant] = nearest(key, fields)
  const what = part === 'query' ? 'This query parameter does not exist.' : problems.parameter_unknown[1]
  return meant === undefined ? what : `${what} Did you mean "${meant}"?`
}

/**
 * The alternative of a union that a value was meant for: the first with a required field that only it has, or else the
 * one with the fewest faults. Null where the value is of no alternative's type.
 */
function branchOf(
  errors: readonly (readonly Issue[])[],
  value: unknown,
  options: readonly Schema[],
): number | null {
  const fitting = errors.flatMap((issues, at) =>
    issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0) ? [] : [at],
  )
  const isChosen = (at: number) => {
    const others = options.flatMap((option, of) => (of === at ? [] : fieldsOf(option)))
    const own = options[at] ? requiredOf(options[at]).filter((name) => !others.includes(name)) : []
    return own.some((name) => Object.hasOwn(value as object, name))
  }
  const isObject = typeof value === 'object' && value !== null
  const chosen = isObject ? fitting.find(isChosen) : undefined
  return chosen ?? fitting.sort((a, b) => faultsIn(errors[a]!) - faultsIn(errors[b]!))[0] ?? null
}

/** Our own words for what is wrong explain more than a rule of Zod. */
const faultsIn = (issues: readonly Issue[]): number =>
  issues
    .map((issue) => (issue.code === 'unrecognized_keys' ? issue.keys.length : isOurs(issue) ? 0.9 : 1))
    .reduce((sum, each) => sum + each, 0)

const valueAt = (data: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    data,
  )

const codeOf = ({ message = '' }: { readonly message?: string }): CommonCode =>
  codesOfRefusals[message] ?? 'parameter_invalid'

function detailOf(code: CommonCode, names: readonly string[], reason?: string): ProblemDetail {
  const isOfField = code === 'parameter_invalid' || code === 'amount_malformed'
  const said = isOfField && reason ? `This field ${reason}.` : problems[code][1]
  return detail(code, names, said)
}

const detail = (code: CommonCode, names: readonly string[], message: string): ProblemDetail => ({
  param: pathOf(names),
  code,
  message,
})

const isOurs = ({ message }: { readonly message: string }): boolean => message.startsWith('must ')

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const typeName = (expected: string) => typeNames[expected] ?? 'of another type'

const formNames: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
  datetime: 'a date and time with its offset, like 2026-06-13T12:00:00Z',
  date: 'a day, like 2026-06-13',
  safeint: 'a whole number',
}

/** What follows "This field": our own reason, or in words of ours what Zod expected. */
function reasonOf(issue: Issue, value: unknown): string | undefined {
  if (isOurs(issue)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeName(issue.expected)}`
    case 'invalid_value':
      return valueReason(issue.values, value)
    case 'invalid_union':
      return unionReason(issue, value)
    case 'too_small':
      return boundReason(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')
    case 'too_big':
      return boundReason(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return issue.format === 'regex' && issue.pattern
        ? `must match ${issue.pattern}`
        : `must be ${formNames[issue.format] ?? 'of another form'}`
    default:
      return undefined
  }
}

function boundReason(origin: string, bound: number | bigint, how: string): string {
  if (origin === 'string') return `must have ${how} ${bound} ${bound === 1 ? 'character' : 'characters'}`
  if (origin === 'array' || origin === 'set')
    return `must have ${how} ${bound} ${bound === 1 ? 'item' : 'items'}`
  return `must be ${how} ${bound}`
}

function unionReason(issue: z.core.$ZodIssueInvalidUnion, value: unknown): string | undefined {
  const { options } = issue as { options?: readonly z.core.util.Primitive[] }
  if (options) return valueReason(options, value)
  const types = issue.errors.flatMap((issues) =>
    issues.flatMap((each) => (each.code === 'invalid_type' ? [typeName(each.expected)] : [])),
  )
  return types.length > 0 ? `must be ${listed([...new Set(types)])}` : undefined
}

const valuesListedMax = 12

/** All values of a short list; of a long one, those that may be meant. */
function valueReason(values: readonly z.core.util.Primitive[], value: unknown): string {
  const quoted = (texts: readonly z.core.util.Primitive[]) => texts.map((text) => JSON.stringify(text))
  if (values.length === 1) return `must be ${quoted(values)[0]}`
  if (values.length <= valuesListedMax) return `must be ${listed(quoted(values))}`
  const meant = typeof value === 'string' ? nearest(value, values.map(String), 3) : []
  const question = meant.length > 0 ? `: did you mean ${listed(quoted(meant))}?` : ''
  return `must be one of the ${values.length} values that the documentation lists${question}`
}

const listed = (items: readonly (string | undefined)[]): string =>
  items.length === 1 ? `${items[0]}` : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`

/** A field's name may contain a card number: then the path ends at its parent. */
function pathOf(names: readonly string[]): string {
  const path = names.join('.')
  return containsCardNumber(path) || names.some(containsCardNumber) ? pathOf(names.slice(0, -1)) : path
}
