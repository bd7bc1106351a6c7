import * as z from 'zod'
import { tableExternalPayments } from '../../../drizzle/schema/table-pay.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { boundedMinor, freeText, minorString, positiveMinor, uuid } from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { exampleSession, linesMost } from './contract.ts'
import { path, scopes, tag } from './contract-tables.ts'
import { externalPaymentLifecycle } from './lifecycle.ts'

const External = shown('table_external_payment', {
  status: z.enum(statusesOf(externalPaymentLifecycle)).describe('`canceled`: it was recorded by mistake.'),
  table_session_id: uuid.describe('The bill that it pays.'),
  method: z.enum(tableExternalPayments.method.enumValues).describe('How it was paid, outside of Spindle.'),
  amount: positiveMinor.describe('Minor units: what it pays of the bill.'),
  amount_tip: minorString.describe('Minor units: the tip beside it.'),
  waiter_id: uuid.nullable().describe('To whom the tip is owed; null: nobody.'),
  note: z.string().nullable().describe('Your own note.'),
}).meta({ id: 'TableExternalPayment' })

export const example = exampleOf('table_external_payment', '0190a6d2-7c3e-7b1a-9f00-000000000204', {
  status: 'recorded',
  table_session_id: exampleSession.id,
  method: 'cash',
  amount: '14500',
  amount_tip: '1500',
  waiter_id: null,
  note: null,
})

const externals = resource({
  tag,
  path: `${path}/external-payments`,
  within: {
    path: `${path}/sessions/:id/external-payments`,
    params: z.strictObject({ id: uuid }),
    notFound: 'table_session_not_found',
  },
  ...scopes,
  tables: ['table_sessions', 'table_external_payments'],
  notFound: 'table_external_payment_not_found',
  versioned: true,
  schema: External,
  example: example,
})

export const record = externals.create({
  id: 'table_external_payments.record',
  summary: 'Record what was paid outside of Spindle',
  description:
    'Cash, a card at another terminal, a transfer: it pays the bill and touches no balance. With lines it pays those, and `amount` is what they cost.',
  tables: ['waiters', 'table_sessions', 'table_lines', 'table_external_payments'],
  body: z.strictObject({
    method: z.enum(tableExternalPayments.method.enumValues).describe('How it was paid.'),
    amount: boundedMinor
      .refine((text) => BigInt(text) > 0n, 'must be more than zero')
      .describe('Minor units: what it pays of the bill, without a tip.'),
    amount_tip: boundedMinor.default('0').describe('Minor units: the tip beside it.'),
    waiter_id: uuid
      .nullish()
      .describe('To whom the tip is owed; null: nobody; left out: who serves the bill.'),
    line_ids: z
      .array(uuid)
      .max(linesMost)
      .refine((ids) => new Set(ids).size === ids.length, 'must not name a line twice')
      .default([])
      .describe('The lines that it pays; empty: an amount of the bill.'),
    note: freeText(200).nullable().default(null).describe('Your own note.'),
  }),
  errors: [
    'table_session_not_open',
    'table_line_not_found',
    'table_line_claimed',
    'table_session_amount_taken',
    'waiter_not_found',
    'waiter_archived',
  ],
  example: { method: 'cash', amount: '14500', amount_tip: '1500' },
})

export const list = externals.list({
  id: 'table_external_payments.list',
  summary: 'List the recorded payments of a bill',
})

export const get = externals.get({
  id: 'table_external_payments.get',
  summary: 'Get a recorded payment',
})

export const cancel = externals.move('cancel', {
  id: 'table_external_payments.cancel',
  summary: 'Cancel a recorded payment',
  description: 'Its amount and its lines are left to pay again. The bill must be open.',
  errors: ['table_external_payment_canceled', 'table_session_not_open'],
  example: { status: 'canceled', version: 2 },
})
