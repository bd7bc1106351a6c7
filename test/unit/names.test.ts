import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Every field of the interface, by its place: `Payment.amount_tip`. */
const fields = readFileSync('docs/interface.txt', 'utf8')
  .split('\n')
  .flatMap((line) => /^([A-Za-z]+\.[\w.?[\]]+): /.exec(line)?.[1]?.replaceAll(/[?[\]]/g, '') ?? [])

const named = (wrong: RegExp, except: readonly string[] = []) =>
  fields.filter((field) => {
    const name = field.split('.').at(-1)!
    return wrong.test(name) && !except.includes(name)
  })

test.each([
  ['a flag is an adjective or a verb', /^is_/, []],
  // The interface document's own, what one unit costs, and a former price.
  [
    'a part of an amount is amount_<part>',
    /_amount$/,
    ['manual_amount', 'unit_amount', 'compare_at_amount', 'buyer_amount', 'allows_own_amount'],
  ],
  ['a policy is not named like a day', /^(revoke|erase|refund)_on$/, []],
  ['a bound is <what>_min or <what>_max', /^(min|max|minimum|maximum)_|^(minimum|maximum)$/, []],
  ['a fee and what is left of an amount are parts of it', /^(fee|net|gross)$/, []],
  // What a browser's WebAuthn takes and answers has the names of its standard.
  [
    'a field is in snake_case',
    /[A-Z]/,
    [
      'rawId',
      'authenticatorAttachment',
      'clientDataJSON',
      'attestationObject',
      'authenticatorData',
      'clientExtensionResults',
    ],
  ],
  ['a day is <what>_on', /_day$|_date$/, ['anchor_day', 'service_date', 'shipping_date']],
] as const)('%s', (_, wrong, except) => {
  expect(fields.length).toBeGreaterThan(2_000)
  expect(named(wrong, except)).toEqual([])
})

test('what refers to a resource with its type is { type, id }', () => {
  const kinds = fields.filter((field) => field.endsWith('.kind')).map((field) => field.replace(/kind$/, 'id'))
  const nested = kinds.filter((field) => field.split('.').length > 2 && fields.includes(field))
  expect(nested).toEqual([])
})

test('what has a lifecycle has a status', () => {
  expect(fields.filter((field) => /\.state$/.test(field) && !/[aA]ddress/.test(field))).toEqual([])
})

test('paths are of words and ids', () => {
  const paths = readFileSync('docs/interface.txt', 'utf8').match(/(?<=^(?:GET|POST|PUT|PATCH|DELETE) )\S+/gm)!
  expect(paths.length).toBeGreaterThan(300)
  // `:tableId` is the interface's own.
  expect(
    paths.filter(
      (path) => !path.includes('/:tableId/') && !/^(\/(:[a-z_]+|[a-z0-9.-]+|[a-z-]+_[a-z]+))+$/.test(path),
    ),
  ).toEqual([])
})
