import type * as z from 'zod'

type Schema = z.core.$ZodType

/** What a schema takes once it is unwrapped: of a preprocessing, what follows it. */
function insideOf(schema: Schema): z.core.$ZodTypes {
  const known = schema as z.core.$ZodTypes
  const { def } = known._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return insideOf(def.innerType)
    case 'pipe':
      return insideOf(def.in._zod.def.type === 'transform' ? def.out : def.in)
    case 'lazy':
      return insideOf(def.getter())
    default:
      return known
  }
}

/** The alternatives of a union; of anything else none. */
export function optionsOf(schema: Schema | undefined): readonly Schema[] {
  const def = schema && insideOf(schema)._zod.def
  return def?.type === 'union' ? def.options : []
}

/** An object's fields, and those of each alternative of a union. */
export function fieldsOf(schema: Schema | undefined): string[] {
  const def = schema && insideOf(schema)._zod.def
  if (def?.type === 'object') return Object.keys(def.shape)
  return def?.type === 'union' ? [...new Set(def.options.flatMap(fieldsOf))] : []
}

/** The fields that a value of this object must have. */
export function requiredOf(schema: Schema): string[] {
  const { def } = insideOf(schema)._zod
  if (def.type !== 'object') return []
  return Object.keys(def.shape).filter((name) => def.shape[name]!._zod.optin === undefined)
}

/** The schema of what stands at a path; in a union, that of the first alternative with such a path. */
export function schemaAt(schema: Schema | undefined, path: readonly PropertyKey[]): Schema | undefined {
  const [name, ...rest] = path
  if (!schema || name === undefined) return schema
  const { def } = insideOf(schema)._zod
  if (def.type === 'object') return schemaAt(def.shape[String(name)], rest)
  if (def.type === 'array') return schemaAt(def.element, rest)
  if (def.type === 'record') return schemaAt(def.valueType, rest)
  return optionsOf(schema)
    .map((option) => schemaAt(option, path))
    .find((found) => found !== undefined)
}
