import { type Json, type JsonObject, maxJsonDepth } from './json.ts'

/**
 * The one spelling of a JSON value for hashing: object keys sorted recursively by UTF-16 code unit, no
 * whitespace, numbers and strings as `JSON.stringify` writes them, no Unicode normalization, non-ASCII unescaped.
 * Hash its UTF-8 bytes. Members that are undefined are left out.
 * @throws TypeError on what JSON cannot carry (NaN, Infinity, bigint, undefined in an array).
 * @throws RangeError when nested deeper than `maxJsonDepth`.
 */
export function canonicalJson(value: Json): string {
  return write(value, 0)
}

function write(value: Json, depth: number): string {
  if (value === null) return 'null'
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value)
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('canonicalJson: not a finite number')
      return JSON.stringify(value)
    case 'object':
      if (depth >= maxJsonDepth)
        throw new RangeError(`canonicalJson: nested deeper than ${maxJsonDepth} levels`)
      return isArray(value) ? writeArray(value, depth + 1) : writeObject(value, depth + 1)
    default:
      throw new TypeError(`canonicalJson: ${typeof value} is not JSON`)
  }
}

function writeArray(items: readonly Json[], depth: number): string {
  return `[${items.map((item) => write(item, depth)).join(',')}]`
}

function writeObject(object: JsonObject, depth: number): string {
  const members: string[] = []
  for (const key of Object.keys(object).sort()) {
    const member = object[key]
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${write(member, depth)}`)
  }
  return `{${members.join(',')}}`
}

/** `Array.isArray` does not narrow a readonly array out of a union. */
function isArray(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value)
}
