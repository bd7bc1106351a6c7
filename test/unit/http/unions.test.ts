import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { authRoutes } from '../../../functions/account/auth/routes.ts'
import { operations } from '../../../local/operations.ts'
import { problemIn } from '../../../src/http/stages/issues.ts'

/* A value that fits no alternative of a union is refused for the field that is wrong in the alternative that was meant. */

type Shape = {
  $ref?: string
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  additionalProperties?: Shape | boolean
  anyOf?: Shape[]
  oneOf?: Shape[]
}

/** Where a schema takes one of several, other than null. */
function unionsIn(
  root: Shape & { $defs?: Record<string, Shape> },
  shape: Shape,
  path: string,
  depth = 0,
): string[] {
  if (depth > 12) return []
  const within = (inner: Shape | undefined, at: string) =>
    inner && typeof inner === 'object' ? unionsIn(root, inner, at, depth + 1) : []
  const options = (shape.anyOf ?? shape.oneOf ?? []).filter(({ type }) => type !== 'null')
  const named = shape.$ref === undefined ? undefined : root.$defs?.[shape.$ref.replace('#/$defs/', '')]
  return [
    ...(options.length > 1 ? [path] : []),
    ...options.flatMap((option) => within(option, path)),
    ...within(named, path),
    ...Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => within(inner, `${path}.${name}`)),
    ...within(shape.items, `${path}.0`),
    ...within(shape.additionalProperties as Shape | undefined, `${path}.*`),
  ]
}

const bodies = new Map<string, z.ZodType>(
  [...operations.map(({ contract }) => contract), ...authRoutes].flatMap(({ id, body }) =>
    body ? [[id, body as z.ZodType] as const] : [],
  ),
)
const unions = [...bodies].flatMap(([id, schema]) => {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Shape
  return [...new Set(unionsIn(shape, shape, id))]
})

type Case = [union: string, value: unknown, param: string, message: string]
const missing = 'A required field is missing.'
const unknown = 'This field does not exist.'
const item = '0190a6d2-7c3e-7b1a-9f00-000000000031'

const ofLines = (id: string): Case[] => {
  const union = `${id}.line_items.0`
  return [
    [
      union,
      { name: 'Taza', unit_amount: 58000 },
      'unit_amount',
      'This field must be a string of minor units: "120000" is 1,200.00.',
    ],
    [union, { name: 'Taza', price: '58000' }, 'price', unknown],
    [union, { name: 'Taza', unit_amount: '0' }, 'unit_amount', 'This field must be more than zero.'],
    [
      union,
      { name: 'Taza', unit_amount: '58000', iva_rate: '17' },
      'iva_rate',
      'This field must be "0", "8", "16" or "exempt".',
    ],
    [union, { item_id: 'taza' }, 'item_id', 'This field must be a UUID.'],
    [union, { item_id: item, quantity: 1.5 }, 'quantity', 'This field must be a whole number.'],
    [union, { item_id: item, unit_amount: '58000' }, 'unit_amount', unknown],
    [union, { item_id: item, quantitty: 2 }, 'quantitty', `${unknown} Did you mean "quantity"?`],
    [union, 'Taza', '', 'This field must be an object.'],
  ]
}
const ofDiscounts = (id: string): Case[] => {
  const union = `${id}.discounts.0`
  return [
    [union, { discount_id: 'BUENFIN' }, 'discount_id', 'This field must be a UUID.'],
    [union, { code: 5 }, 'code', 'This field must be a text.'],
    [union, { discount: 'BUENFIN' }, 'discount', `${unknown} Did you mean "discount_id"?`],
  ]
}
const ofRules = (path: string, wrong: object, param: string, message: string): Case[] =>
  ['', '.rules.0', '.rules.0.rules.0'].flatMap((at): Case[] => {
    const union = `${path}${at}`
    return [
      [union, { type: 'tagg' }, 'type', 'This field must be '],
      [union, wrong, param, message],
      [union, {}, 'type', missing],
    ]
  })
const cases: Case[] = [
  ...[
    'register_orders.create',
    'readers.process_payment',
    'phones.process_payment',
    'readers.display',
  ].flatMap(ofLines),
  ...[
    'readers.collect_tip',
    'phones.collect_tip',
    'terminal_configurations.create.tips',
    'terminal_configurations.update.tips',
  ].flatMap((id): Case[] => [
    [`${id}.presets.0`, { bps: 0 }, 'bps', 'This field must be at least 1'],
    [`${id}.presets.0`, { amount: '0' }, 'amount', 'This field must be more than zero.'],
    [`${id}.presets.0`, { percent: 10 }, 'percent', unknown],
  ]),
  ['device.report_result.tip', { preset: 'first' }, 'preset', 'This field must be a number.'],
  ['device.report_result.tip', { other: 100 }, 'other', 'This field must be a string of minor units'],
  ['device.report_result.tip', { none: false }, 'none', 'This field must be true'],
  ['device.report_result.answers.0', { skipped: false }, 'skipped', 'This field must be true'],
  ['device.report_result.answers.0', { value: '' }, 'value', 'This field must have at least 1 character'],
  ['device.report_result.answers.0', { value: 5 }, 'value', 'This field must be a text.'],
  [
    'device.report_result.answers.0',
    { value: '4242 4242 4242 4242' },
    'value',
    'This field contains what looks like a card',
  ],
  ...['checkout_sessions.create', 'checkout_sessions.update'].flatMap((id) => [
    ...ofLines(id),
    ...ofDiscounts(id),
  ]),
  ...['payment_links.create', 'payment_links.update'].flatMap(ofDiscounts),
  ...['payment_link_templates.create', 'payment_link_templates.update'].flatMap((id) =>
    ofDiscounts(`${id}.settings`),
  ),
  ...ofDiscounts('payment_link_templates.create_link'),
  ...['table_sessions.open', 'table_sessions.add_lines'].flatMap(ofLines),
  ...['segments.create', 'segments.update', 'segments.preview'].flatMap((id) =>
    ofRules(
      `${id}.rule`,
      { type: 'consent', channel: 'pigeon', purpose: 'marketing' },
      'channel',
      'This field must be "email", ',
    ),
  ),
  ...['risk_rules.create', 'risk_rules.update'].flatMap((id) =>
    ofRules(`${id}.condition`, { type: 'score', gte: -1 }, 'gte', 'This field must be at least 0'),
  ),
  ['transfers.create.destination', { type: 'clab' }, 'type', 'This field must be '],
  [
    'transfers.create.destination',
    { type: 'clabe', clabe: '1', holder: 'Ana' },
    'clabe',
    'This is not a CLABE: its check digit is wrong.',
  ],
  ['step_up.verify_challenge.response', 5, '', 'This field must be a text or an object.'],
  ['step_up.verify_challenge.response', '', '', 'This field must have at least 1 character.'],
  ['sync_files.map.fields.0', 'nam', '', 'This field must be a field of a customer, or metadata. and a key.'],
  ['customers.give_consent.ip', 'here', '', 'This field must be an IP address.'],
  ['risk_evaluations.preview.described.ip', 'here', '', 'This field must be an IP address.'],
]

function put(into: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  if (name === '0') return [put(Array.isArray(into) ? into[0] : undefined, rest, value)]
  const here = typeof into === 'object' && into !== null ? into : {}
  const group = name === 'rules' ? { type: 'all' } : {}
  return { ...here, ...group, [name]: put((here as Record<string, unknown>)[name], rest, value) }
}

const idOf = (union: string) => [...bodies.keys()].find((id) => union.startsWith(`${id}.`))!
const exampleOf = (id: string): unknown =>
  operations.find(({ contract }) => contract.id === id)?.contract.example?.body

test.each(cases)('%s given %j: the fault is in "%s", "%s"', (union, value, param, message) => {
  const id = idOf(union)
  const at = union.slice(id.length + 1)
  const schema = bodies.get(id)!
  const sent = put(exampleOf(id), at.split('.'), value)
  const { error } = schema.safeParse(sent)
  const faults = problemIn(error, sent, { schema }).more.details!.filter((detail) =>
    detail.param.startsWith(at),
  )
  expect(faults.map((detail) => detail.param)).toContain(param === '' ? at : `${at}.${param}`)
  const said = faults.find((detail) => detail.param === (param === '' ? at : `${at}.${param}`))!.message
  expect(said.slice(0, message.length)).toBe(message)
})

test('each union of each request has a case', () => {
  expect(unions.filter((union) => !cases.some(([of]) => of === union))).toEqual([])
})

/** Zod's own wording, where a schema has not said its own. */
const ofZod = /invalid (input|option|type)|expected|received|unrecognized|too (small|big)|discriminator/i
const wrong = [
  undefined,
  null,
  1.5,
  -1,
  10 ** 20,
  '',
  'x',
  '٠',
  true,
  [],
  [1],
  {},
  { a: 1 },
  'x'.repeat(5_000),
]
describe('no refusal has the wording of Zod', () => {
  test.each([...bodies])('%s', (_, schema) => {
    const fields = Object.keys((schema as z.ZodObject).shape ?? {})
    const said = wrong.flatMap((value) =>
      [
        value,
        ...fields.map((name) => ({ [name]: value })),
        ...fields.map((name) => ({ [name]: [value] })),
      ].flatMap((sent) => {
        const { error } = schema.safeParse(sent)
        return error
          ? (problemIn(error, sent, { schema }).more.details ?? []).map(({ message }) => message)
          : []
      }),
    )
    expect(said.filter((message) => ofZod.test(message.replaceAll(/"[^"]*"/g, '')))).toEqual([])
    expect(said.filter((message) => message.length > 300)).toEqual([])
  })
})
