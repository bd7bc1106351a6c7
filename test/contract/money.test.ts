import { expect, test } from 'vitest'
import * as z from 'zod'
import { newWorld, prove, type Request, request, rowsOf, send, withBody } from './requests.ts'

/* Every amount that a request may hold, at the most that its form allows: taken, or refused by its name. */

interface Schema {
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

interface Amount {
  readonly at: readonly string[]
  readonly pattern: string
}

const ofMinorUnits = /^\^(-\?|\[1-9\])?\\d\{\d,(\d+)\}\$$/

function amountsIn(schema: Schema | boolean | undefined, at: readonly string[] = []): Amount[] {
  if (typeof schema !== 'object') return []
  const { pattern, properties = {}, additionalProperties, items, anyOf = [], oneOf = [] } = schema
  return [
    ...(pattern && Number(ofMinorUnits.exec(pattern)?.[2]) > 10 ? [{ at, pattern }] : []),
    ...Object.entries(properties).flatMap(([name, each]) => amountsIn(each, [...at, name])),
    ...amountsIn(additionalProperties, [...at, at.includes('msi') ? '3' : 'mxn']),
    ...amountsIn(items, [...at, '0']),
    ...[...anyOf, ...oneOf].flatMap((each) => amountsIn(each, at)),
  ]
}

const item = { item_id: 'silla', name: 'Silla', quantity: 1 }
const bounds = {
  manual_amount: undefined,
  buyer_amount: { amount_min: '1000', amount_max: '2000', presets: ['1000'] },
}
/** What a request needs beside an amount, so that it is read at all: by the field's first name. */
const beside: Readonly<Record<string, object>> = {
  'checkout_sessions amount': { line_items: undefined, discounts: undefined },
  'checkout_sessions line_items': { line_items: [{ name: 'Silla' }] },
  'checkout_sessions shipping_options': { shipping_options: [{ name: 'Paquetería' }] },
  'discounts amount_off': { currency: 'mxn', percent_off_bps: null },
  'discounts amount_min': { currency: 'mxn' },
  'payment_links buyer_amount': bounds,
  'payment_link_templates buyer_amount': bounds,
  'payment_links catalog_line_item_snapshot': {
    amount_source: 'catalog_line_item',
    manual_amount: undefined,
    catalog_line_item_snapshot: item,
  },
  'payment_link_templates catalog_line_item_snapshot': {
    amount_source: 'catalog_line_item',
    manual_amount: undefined,
    catalog_line_item_snapshot: item,
  },
}

function withAmount(body: Request['body'], { at }: Amount, amount: string, needs: object = {}) {
  const filled = structuredClone({ ...body, ...needs }) as Record<string, unknown>
  let part: Record<string, unknown> = filled
  for (const [depth, name] of at.slice(0, -1).entries()) {
    part[name] ??= at[depth + 1] === '0' ? [] : {}
    part = part[name] as Record<string, unknown>
  }
  part[at.at(-1)!] = amount
  return filled
}

const asked = withBody.flatMap(([id, operation]) =>
  amountsIn(z.toJSONSchema(operation.contract.body!, { io: 'input', unrepresentable: 'any' }) as Schema).map(
    (amount) => [id, amount.at.join('.'), operation, amount] as const,
  ),
)

test('the operations that take amounts are found', () => {
  expect(asked.length).toBeGreaterThan(40)
  expect(rowsOf(({ contract: { id } }) => asked.some(([each]) => each === id)).length).toBeGreaterThan(15)
})

test.for(asked)('%s %s', async ([id, , operation, amount]) => {
  const [, sign, digits] = ofMinorUnits.exec(amount.pattern)!
  expect(sign, 'no amount of a request is negative').not.toBe('-?')
  const world = await newWorld()
  const ready = await request(operation, world)
  const most = '9'.repeat(Number(digits) + (sign ? 1 : 0))
  const needs = beside[`${id.split('.')[0]} ${amount.at[0]}`]
  const sent = { ...ready, body: withAmount(ready.body, amount, most, needs) }
  if (operation.contract.access.session?.stepUp) await prove(operation, world, sent)
  const reply = await send(sent)
  expect(reply.status, reply.text).toBeLessThan(500)
  const { error } = reply.body as { error?: { param: string | null; code: string } }
  // Of several amounts their sum may be what is too much.
  const named = [amount.at[0], ...(amount.at[0] === 'shipping_options' ? ['line_items'] : [])]
  if (reply.status === 422) expect(named, reply.text).toContain(error!.param?.split('.')[0])
})
