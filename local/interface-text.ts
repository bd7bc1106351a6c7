import { join } from 'node:path'
import { authRoutes } from '../functions/account/auth/routes.ts'
import type { Contract } from '../src/http/contract.ts'
import type { Schema } from './openapi/schemas.ts'
import { openapi } from './openapi.ts'
import { operations } from './operations.ts'
import { PROJECT } from './project.ts'

/** The committed summary of the interface, which a reviewer reads in a diff. */
export const interfaceFile = join(PROJECT, 'docs', 'interface.txt')

/**
 * A line for each operation (method, path, id, who may call it, its own errors), then a line for each field of each
 * object: its type, with `?` where it may be absent and `null` where it may be null. A long enumeration has a line a value.
 */
export function interfaceText(): string {
  const { components } = openapi({ defaultsInWords: false }) as {
    components: { schemas: Record<string, Schema> }
  }
  return [
    '# The interface in short, written by `npm run openapi`; openapi.json, built by the same command, says it in full.',
    '# Errors that every operation of a kind shares (credentials, shapes, idempotency) are left out.',
    '',
    ...operations.map(({ contract }) => operationLine(contract, whoMay(contract))),
    ...authRoutes.map((route) => operationLine(route, `account ${route.guard}`)),
    '',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => fieldLines(name, schema)),
    '',
  ].join('\n')
}

const operationLine = (
  { method, path, id, errors }: Pick<Contract, 'method' | 'path' | 'id' | 'errors'>,
  who: string,
) => `${method} ${path} ${id} (${who})${errors.length > 0 ? `: ${[...errors].sort().join(' ')}` : ''}`

const whoMay = ({ access, only }: Contract): string =>
  [
    ...Object.entries(access).map(([kind, condition]) => [kind, ...leavesOf(condition)].join(' ')),
    ...(only ? [`${only} only`] : []),
  ].join('; ')

const leavesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : value === undefined
      ? []
      : [String(value)]

/** The fields of a schema, those of nested objects behind a dot and those of list items behind `[]`. */
function fieldLines(name: string, schema: Schema): string[] {
  const inner = nestedOf(schema)
  const values = schema.enum as readonly unknown[] | undefined
  if (values && values.length > 20) return values.map((value) => `${name} = ${value}`)
  if (!inner) return [`${name}: ${typeOf(schema)}`]
  return inner.flatMap(({ suffix, schema: { properties, required = [] } }) =>
    Object.entries((properties ?? {}) as Record<string, Schema>).flatMap(([field, type]) => {
      const path = `${name}${suffix}.${field}`
      const optional = (required as string[]).includes(field) ? '' : '?'
      return nestedOf(type) ? fieldLines(`${path}${optional}`, type) : [`${path}${optional}: ${typeOf(type)}`]
    }),
  )
}

/** The objects with fields of their own that a schema allows: itself, its items, or its branches. */
function nestedOf(schema: Schema): { suffix: string; schema: Schema }[] | undefined {
  if (schema.properties) return [{ suffix: '', schema }]
  const items = schema.items as Schema | undefined
  if (items?.properties) return [{ suffix: '[]', schema: items }]
  const branches = ((schema.anyOf ?? schema.oneOf ?? []) as Schema[]).filter(({ properties }) => properties)
  return branches.length > 0 ? branches.map((branch) => ({ suffix: '', schema: branch })) : undefined
}

const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const

/** What an integer without bounds of its own has. */
const isUnbounded = (bound: unknown) => Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER

function typeOf(schema: Schema): string {
  const { $ref, enum: values, const: only, type, format, items, default: fallback } = schema
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  const base =
    typeof $ref === 'string'
      ? $ref.split('/').at(-1)
      : only !== undefined
        ? JSON.stringify(only)
        : Array.isArray(values)
          ? values.join('|')
          : branches
            ? branches.map(typeOf).join('|')
            : items
              ? `[${typeOf(items as Schema)}]`
              : [type ?? 'any'].flat().join('|')
  const more = bounds.flatMap((bound) =>
    schema[bound] === undefined || isUnbounded(schema[bound]) ? [] : [`${bound} ${schema[bound]}`],
  )
  return [
    base,
    ...(format ? [format] : []),
    ...more,
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
  ].join(' ')
}
