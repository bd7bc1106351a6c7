import { expect, test } from 'vitest'
import * as z from 'zod'
import { create as createLink } from '../../../functions/selling/payment-links/contract.ts'
import type { Contract } from '../../../src/http/contract.ts'
import { Hono } from '../../../src/http/hono.ts'
import { Problem } from '../../../src/http/problems.ts'
import { currency, listQuery, metadata, minorString, timestamp } from '../../../src/http/schemas.ts'
import { validators } from '../../../src/http/stages/validate.ts'
import { eventTypeNames } from '../../../src/kernel/event-types.ts'

const contract = {
  method: 'POST',
  query: z.strictObject(listQuery),
  body: z.strictObject({
    amount: z.int().optional(),
    price: minorString.optional(),
    manual_amount: createLink.body!.shape.manual_amount,
    currency: currency.optional(),
    at: timestamp.optional(),
    metadata: metadata.optional(),
    type: z.enum(eventTypeNames).optional(),
  }),
} as unknown as Contract

async function refusal(query: string, body: object | string): Promise<unknown> {
  let thrown: unknown
  const app = new Hono().post('/', ...(validators(contract) as [never]), (c) => c.text('fine'))
  app.onError((error, c) => {
    thrown = error
    return c.text('refused')
  })
  const headers = { 'Content-Type': 'application/json' }
  await app.request(`/?${query}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  if (!(thrown instanceof Problem)) return thrown
  const { details, message } = thrown.more
  return details?.map((detail) => detail.message) ?? message ?? thrown.code
}

test.each([
  ['', { amount: '1' }, 'This field must be a number.'],
  ['', { price: 120000 }, 'This field must be a string of minor units: "120000" is 1,200.00.'],
  [
    '',
    { manual_amount: '1200.00' },
    'This field must be a number of minor units, without quotes: 120000 is 1,200.00.',
  ],
  ['', { currency: 'MXN' }, 'This field must be three lowercase letters.'],
  ['', { at: 'mañana' }, 'This field must be a date and time with its offset, like 2026-06-13T12:00:00Z.'],
  ['', { at: '1899-01-01T00:00:00Z' }, 'This field must not lie before 1900.'],
  [
    'created_at.gte=2026-02-30',
    {},
    `This field must be a date and time with its offset, like 2026-06-13T12:00:00Z, or a day, like 2026-06-13.`,
  ],
  ['created_at.gte=1899-01-01', {}, 'This field must not lie before 1900.'],
  ['created_atgte=2026-02-03', {}, 'This query parameter does not exist. Did you mean "created_at.gte"?'],
  ['created_at[gte]=2026-02-03', {}, 'This query parameter does not exist. Did you mean "created_at.gt"?'],
  ['wholly=other', {}, 'This query parameter does not exist.'],
  ['', { manual_amout: 1 }, 'This field does not exist. Did you mean "manual_amount"?'],
  ['', { manualAmount: 1 }, 'This field does not exist. Did you mean "manual_amount"?'],
  ['', { currancy: 'mxn' }, 'This field does not exist. Did you mean "currency"?'],
  ['', { wholly: 'other' }, 'This field does not exist.'],
  ['limit=1000', {}, 'This field must be a whole number from 1 to 100.'],
  ['limit=ten', {}, 'This field must be a whole number from 1 to 100.'],
])('%s %j: one sentence that says what it must be', async (query, body, message) => {
  expect(await refusal(query, body)).toEqual([message])
})

test.each([
  ['', 'The body is empty: send JSON.'],
  ['{"amount":1,', 'body_malformed'],
  ['{"metadata":{"__proto__":"x"}}', 'parameter_unknown'],
  ['{"metadata":{"\\u005f_proto__":"x"}}', 'parameter_unknown'],
])('a body %j gets its own error', async (body, told) => {
  expect(await refusal('', body)).toBe(told)
})

test('of many values only those that may be meant are named', async () => {
  const [near] = (await refusal('', { type: 'payment.suceeded' })) as string[]
  expect(near).toContain(`must be one of the ${eventTypeNames.length} values that the documentation lists`)
  expect(near).toContain('did you mean "payment.succeeded"')
  expect(near!.length).toBeLessThan(200)
  expect(await refusal('', { type: 'zzz' })).toEqual([
    `This field must be one of the ${eventTypeNames.length} values that the documentation lists.`,
  ])
})

test('a day in a filter is its start in UTC', () => {
  expect(z.strictObject(listQuery).parse({ 'created_at.gte': '2026-11-24' })).toMatchObject({
    'created_at.gte': '2026-11-24T00:00:00Z',
  })
})
