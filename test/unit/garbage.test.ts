import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { authRoutes } from '../../functions/auth/routes.ts'
import { operations } from '../../local/operations.ts'

/* Whatever is sent in whatever field: a schema finds fault with it, and never throws. */

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

/** Every place of a schema, inner ones too, whether or not its example has it. */
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

type Part = [where: string, schema: z.ZodType, good: unknown]
type Declared = {
  id: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  example?: { body?: unknown }
}

const declared = [...operations.map(({ contract }) => contract), ...authRoutes] as readonly Declared[]
const parts = declared.flatMap(({ id, params, query, body, example }) =>
  Object.entries({ params, query, body }).flatMap(([part, schema]): Part[] =>
    schema ? [[`${id} ${part}`, schema, part === 'body' ? example?.body : {}]] : [],
  ),
)

describe.each(parts)('%s', (_where, schema, good) => {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Root
  test('garbage in any field is refused or taken, and throws nothing', () => {
    const thrown = placesIn(shape, shape, []).flatMap((path) =>
      garbage.flatMap((value) => {
        try {
          schema.safeParse(put(good, path, value))
          return []
        } catch (error) {
          return [[path.join('.'), value, String(error)]]
        }
      }),
    )
    expect(thrown).toEqual([])
  })
})
