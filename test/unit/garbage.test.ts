import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { authRoutes } from '../../functions/account/auth/routes.ts'
import { codesOf, codesOfAccountRoute } from '../../local/openapi/errors.ts'
import { operations } from '../../local/operations.ts'
import type { Problem, ProblemCode } from '../../src/http/problems.ts'
import { problemIn } from '../../src/http/stages/issues.ts'
import { withoutStacks } from '../support/stacks.ts'

/* Whatever is sent in whatever field: a schema refuses or takes it, and never throws. */

const texts = [
  '',
  ' ',
  '-',
  '--1',
  '+1',
  '1e9',
  '0x10',
  ' 1',
  '1\n',
  '1.5',
  'abc',
  'null',
  'NaN',
  '4242424242424242',
  '9'.repeat(19),
  '9'.repeat(5_000),
  '１２',
  'ñandú',
  '\u0000',
  '\ud800',
  '9999-99-99',
  '2026-02-30T00:00:00Z',
  '+275760-09-14T00:00:00Z',
  'P99999999999999999999D',
  'https:///user:pw@shop.mx/x',
  'http://[::1',
  '__proto__',
]
const numbers = [0, -0, -1, 1.5, 1e308, 5e-324, 2 ** 53, -(2 ** 53), 1_000_000_000_000_000]
const nested = [null, true, [], [[]], {}, { a: {} }, ...texts.map((text) => [text]), [...texts, ...texts]]
const garbage: readonly unknown[] = [
  ...texts,
  ...numbers,
  ...nested,
  ...texts.map((text) => ({ [text]: text })),
]

type Shape = {
  $ref?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
}
type Root = Shape & { $defs?: Record<string, Shape> }
type Path = readonly (string | number)[]

/** Every path in a schema, inner ones too, whether or not its example has it. */
function placesIn(
  root: Root,
  { $ref, properties = {}, items, anyOf = [], oneOf = [] }: Shape,
  path: Path,
): Path[] {
  const named = $ref === undefined ? [] : [root.$defs![$ref.replace('#/$defs/', '')]!]
  return [
    path,
    ...Object.entries(properties).flatMap(([name, inner]) => placesIn(root, inner, [...path, name])),
    ...(items && typeof items === 'object' ? placesIn(root, items, [...path, 0]) : []),
    ...[...named, ...anyOf, ...oneOf].flatMap((inner) => placesIn(root, inner, path)),
  ]
}

function put(into: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value
  const here = typeof into === 'object' && into !== null ? into : {}
  if (typeof name === 'number') return [put((here as unknown[])[name], rest, value)]
  return { ...here, [name]: put((here as Record<string, unknown>)[name], rest, value) }
}

type Part = [where: string, part: string, schema: z.ZodType, good: unknown, codes: readonly ProblemCode[]]
type Declared = {
  id: string
  method: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  upload?: object | undefined
  example?: { body?: unknown } | undefined
  codes: readonly ProblemCode[]
}

const declared: readonly Declared[] = [
  ...operations.map(({ contract }) => ({ ...contract, codes: codesOf(contract) })),
  ...authRoutes.map((route) => ({
    ...(route as object),
    id: route.id,
    method: route.method,
    codes: codesOfAccountRoute(route),
  })),
]
/** The schema for the body of an operation without one. */
const nothing = z.strictObject({})
const parts = declared.flatMap(({ id, method, params, query, body, upload, example, codes }) =>
  Object.entries({
    params,
    query,
    body: body ?? (method === 'GET' || upload ? undefined : nothing),
  }).flatMap(([part, schema]): Part[] =>
    schema ? [[id, part, schema, part === 'body' ? example?.body : {}, codes]] : [],
  ),
)

const codesIn = ({ code, more }: Problem) => [code, ...(more.details ?? []).map((detail) => detail.code)]

describe.each(parts)('%s %s', (_id, part, schema, good, codes) => {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Root
  test('garbage in any field is refused or taken, throws nothing, and gets only declared codes', () => {
    const places = new Map(placesIn(shape, shape, []).map((path) => [JSON.stringify(path), path]))
    const wrong = withoutStacks(() =>
      [...places.values()].flatMap((path) =>
        garbage.flatMap((value) => {
          const sent = put(good, path, value)
          try {
            const { error } = schema.safeParse(sent)
            const told = error ? codesIn(problemIn(error, sent, { schema })) : []
            return part === 'params'
              ? []
              : told.filter((code) => !codes.includes(code)).map((code) => [path.join('.'), code])
          } catch (error) {
            return [[path.join('.'), value, String(error)]]
          }
        }),
      ),
    )
    expect(wrong).toEqual([])
  })
})
