import { below, oneOf, type Random } from '../support/random.ts'
import { resolved } from './documented.ts'

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  $ref?: string
}

const texts = [
  '',
  ' ',
  'a',
  'null',
  'true',
  '0',
  '-1',
  '1e9',
  '100',
  '120000',
  '9223372036854775807',
  '99999999999999999999',
  'NaN',
  'mxn',
  'usd',
  'xxx',
  'card',
  'oxxo',
  'spei',
  '2026-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59-12:00',
  '0000-01-01T00:00:00Z',
  '0190a6d2-7c3e-7b1a-9f00-000000000001',
  '0190A6D2-7C3E-7B1A-9F00-000000000001',
  '032180000118359719',
  '646180000000000012',
  '4242424242424242',
  'P1D',
  'PT0S',
  'P999999999D',
  `splink_${'a'.repeat(32)}`,
  '\u0000',
  'line\nend',
  '\ud800',
  'ñandú 🪑',
  '‮abc',
  "'; drop table payments; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'http://127.0.0.1:9/',
  'https://example.com/hook',
  'https:///user:pw@shop.mx/x',
  '%00',
  '%ff',
  '__proto__',
  'x'.repeat(300),
  'é'.repeat(5_000),
  '🪑'.repeat(128),
  '1'.repeat(40),
  '-0',
  '+1',
  '1.5',
  '01',
  ' 12 ',
  '１２',
]
const numbers = [
  0,
  -0,
  1,
  -1,
  0.1,
  3,
  6,
  12,
  100,
  120_000,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  1e21,
  -1e21,
  1e-7,
  99_999_999,
]

function anything(random: Random, depth = 0): unknown {
  const kind = below(random, depth > 3 ? 5 : 7)
  if (kind === 0) return null
  if (kind === 1) return random() < 0.5
  if (kind === 2) return oneOf(random, numbers)
  if (kind < 5) return oneOf(random, texts)
  if (kind === 5) return Array.from({ length: below(random, 4) }, () => anything(random, depth + 1))
  const names = ['id', 'amount', 'metadata', 'a', '', 'constructor', 'x'.repeat(50)]
  return Object.fromEntries(
    Array.from({ length: below(random, 4) }, () => [oneOf(random, names), anything(random, depth + 1)]),
  )
}

/** A value that roughly fits a schema: mostly of its type, often at its limits, sometimes of another type. */
export function invented(random: Random, given: object | undefined, share = 1): unknown {
  const schema = resolved(given ?? {}) as Schema
  if (random() < 0.06) return anything(random)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return invented(random, oneOf(random, choices))
  if (schema.const !== undefined) return schema.const
  if (schema.enum && random() < 0.9) return oneOf(random, schema.enum)
  const type = Array.isArray(schema.type) ? oneOf(random, schema.type) : schema.type
  switch (type) {
    case 'object': {
      const wanted = Object.entries(schema.properties ?? {}).filter(
        ([name]) => random() < (schema.required?.includes(name) ? 0.97 : 0.4) * share,
      )
      const made = Object.fromEntries(wanted.map(([name, each]) => [name, invented(random, each)]))
      return random() < 0.03 ? { ...made, [oneOf(random, ['unexpected', '__proto__', ''])]: 1 } : made
    }
    case 'array':
      return Array.from({ length: below(random, 4) }, () => invented(random, schema.items))
    case 'integer':
    case 'number':
      return random() < 0.5 ? oneOf(random, numbers) : (schema.minimum ?? 0) + below(random, 200_000)
    case 'boolean':
      return random() < 0.5
    case 'null':
      return null
    case 'string':
      return textFor(random, schema)
    default:
      return anything(random)
  }
}

function textFor(random: Random, { pattern = '', format }: Schema): string {
  if (random() < 0.25) return oneOf(random, texts)
  if (format === 'date-time') return new Date(Date.now() + (random() - 0.5) * 1e11).toISOString()
  if (pattern.includes('[0-9a-f]{8}')) return `0190a6d2-7c3e-7b1a-9f00-00000000000${below(random, 10)}`
  if (pattern.includes('{18}')) return '646180000000000012'
  if (pattern.includes('\\d{1,18}')) return String(below(random, 200_000) - 10)
  if (pattern.includes('[a-z]{3}')) return oneOf(random, ['mxn', 'usd', 'eur'])
  return oneOf(random, texts)
}
