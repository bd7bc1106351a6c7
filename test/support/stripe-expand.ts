import { refused } from './stripe-answers.ts'
import type { Fields } from './stripe-checks.ts'

type Lookup = (id: string) => object | undefined

/** Puts objects in the place of ids, where `expand` asks for it: https://docs.stripe.com/api/expanding_objects. */
export function expanded(body: object, fields: Fields, lookup: Lookup): object {
  const paths = Object.entries(fields).flatMap(([name, path]) => (/^expand\[/.test(name) ? [path] : []))
  return paths.reduce((whole, path) => expand(whole, path.split('.'), lookup) as object, body)
}

export class NotExpandable extends Error {
  readonly answer = refused(null, this.message)
}

function expand(value: unknown, [head, ...rest]: readonly string[], lookup: Lookup): unknown {
  if (head === undefined || value === null) return value
  if (Array.isArray(value)) return value.map((each) => expand(each, [head, ...rest], lookup))
  const object = value as Record<string, unknown>
  if (typeof value !== 'object' || !(head in object))
    throw new NotExpandable(`This property cannot be expanded (${head}).`)
  const child = object[head]
  const found = typeof child === 'string' ? (lookup(child) ?? null) : child
  return { ...object, [head]: expand(found, rest, lookup) }
}
