import * as z from 'zod'
import { cashKinds } from '../../../drizzle/schema/physical-checkout.ts'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { boundedMinor, currency, freeText, minorString, timestamp, uuid } from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { methods } from '../../../src/kernel/payment-methods.ts'
import { exampleRegisterId, path, registerId, scopes, tag } from './contract-codes.ts'
import { shiftLifecycle } from './lifecycle.ts'

const status = z.enum(statusesOf(shiftLifecycle)).describe('A closed one stays as it was counted.')

const Shift = shown('register_shift', {
  status,
  register_id: registerId,
  cashier_name: z.string().nullable().describe('Who is at the register, as you call them.'),
  currency,
  amount_opening: minorString.describe('Minor units: the cash in the drawer when it was opened.'),
  amount_cash_sales: minorString.describe('Minor units: orders that were paid in cash.'),
  amount_cash_returned: minorString.describe('Minor units: what was given back of such orders.'),
  amount_paid_in: minorString.describe('Minor units: cash that was put in beside sales.'),
  amount_paid_out: minorString.describe('Minor units: cash that was taken out beside returns.'),
  amount_expected: minorString.describe(
    'Minor units: what must be in the drawer: `amount_opening` + `amount_cash_sales` + `amount_paid_in` − `amount_cash_returned` − `amount_paid_out`.',
  ),
  amount_counted: minorString
    .nullable()
    .describe('Minor units: what was in it at the close; null while it is open.'),
  amount_difference: minorString
    .nullable()
    .describe('Minor units: `amount_counted` less `amount_expected`: more than zero is over, less is short.'),
  unsettled_count: z
    .int()
    .nullable()
    .describe(
      'Orders of it whose payments were under way at the close: get the report later for their outcome.',
    ),
  note: z.string().nullable().describe('Your own note at the close.'),
  closed_at: timestamp.nullable().describe('When it was closed; null while it is open.'),
}).meta({ id: 'RegisterShift' })

const exampleShift = exampleOf('register_shift', '0190a6d2-7c3e-7b1a-9f00-000000000304', {
  status: 'open',
  register_id: exampleRegisterId,
  cashier_name: 'Turno matutino',
  currency: 'mxn',
  amount_opening: '50000',
  amount_cash_sales: '0',
  amount_cash_returned: '0',
  amount_paid_in: '0',
  amount_paid_out: '0',
  amount_expected: '50000',
  amount_counted: null,
  amount_difference: null,
  unsettled_count: null,
  note: null,
  closed_at: null,
})

const shifts = resource({
  tag,
  path: `${path}/shifts`,
  ...scopes,
  tables: ['register_shifts'],
  notFound: 'register_shift_not_found',
  versioned: true,
  schema: Shift,
  example: exampleShift,
})

export const open = shifts.create({
  id: 'register_shifts.open',
  summary: 'Open a shift of a register',
  description: 'A register has one open shift. Cash is recorded while one is.',
  tables: ['devices', 'register_shifts'],
  body: z.strictObject({
    register_id: registerId,
    amount_opening: boundedMinor.describe('Minor units: the cash in the drawer.'),
    cashier_name: freeText(80)
      .trim()
      .min(1)
      .nullable()
      .default(null)
      .describe('Who is at the register, as you call them.'),
  }),
  errors: ['device_not_found', 'device_disabled', 'location_archived', 'register_shift_open'],
  example: { register_id: exampleRegisterId, amount_opening: '50000', cashier_name: 'Turno matutino' },
})

export const list = shifts.list({
  id: 'register_shifts.list',
  summary: 'List shifts of registers',
  filters: {
    status: status.optional().describe('Only what has this status.'),
    register_id: uuid.optional().describe('Only those of this register.'),
  },
})

export const get = shifts.get({
  id: 'register_shifts.get',
  summary: 'Get a shift of a register',
  showsLive: true,
})

export const close = contract({
  ...shifts.writing,
  ...shifts.one,
  id: 'register_shifts.close',
  method: 'POST',
  versioned: true,
  tables: ['register_shifts'],
  path: `${path}/shifts/:id/close`,
  summary: 'Count a shift and close it',
  description:
    'What is counted may differ from what is expected: the difference stays with the shift. Orders of it that are open go on, and may be paid after it: `unsettled_count` says of how many a payment is under way, the report how many are open.',
  body: z.strictObject({
    amount_counted: boundedMinor.describe('Minor units: the cash in the drawer.'),
    note: freeText(500).nullable().default(null).describe('Your own note, like why it differs.'),
  }),
  reply: { status: 200, schema: Shift },
  errors: ['register_shift_not_found', 'register_shift_closed'],
  example: {
    body: { amount_counted: '61500', note: 'Faltó un peso de cambio' },
    reply: {
      ...exampleShift,
      status: 'closed',
      amount_cash_sales: '11600',
      amount_expected: '61600',
      amount_counted: '61500',
      amount_difference: '-100',
      unsettled_count: 0,
      note: 'Faltó un peso de cambio',
      closed_at: '2026-06-13T20:00:00.000Z',
      version: 3,
    },
  },
})

const sums = {
  currency,
  count: z.int().min(0).describe('How many orders.'),
  amount: minorString.describe(
    'Minor units: what was captured, without tips; of a card with the markup that its buyer paid for months.',
  ),
  amount_tips: minorString.describe('Minor units: tips beside it.'),
  amount_refunded: minorString.describe('Minor units: what was given back of both.'),
}

const Report = z
  .strictObject({
    object: z.literal('register_shift_report'),
    shift: Shift.describe('The shift, with its drawer.'),
    paid: z
      .array(
        z.strictObject({
          method: z.enum(['cash', ...methods]).describe('How orders of the shift were paid.'),
          ...sums,
        }),
      )
      .describe(
        'What was paid by method and currency, as it is now. Payments are those of orders that were made in the shift, late ones too; `cash` is what went through the drawer in it, whenever its order was made.',
      ),
    open_count: z
      .int()
      .describe('Orders of it that are open now: until they are over they may be paid, and then count here.'),
    unsettled_count: z.int().describe('How many of those have a payment under way now.'),
  })
  .meta({ id: 'RegisterShiftReport' })

export const report = contract({
  ...shifts.reading,
  ...shifts.one,
  id: 'register_shifts.report',
  method: 'GET',
  path: `${path}/shifts/:id/report`,
  summary: 'Get the report of a shift',
  description:
    'The cut of the register, while the shift is open and after it: its drawer, and its orders by method.',
  showsLive: true,
  reply: { status: 200, schema: Report },
  errors: ['register_shift_not_found'],
  example: {
    reply: {
      object: 'register_shift_report',
      shift: exampleShift,
      paid: [
        {
          method: 'card',
          currency: 'mxn',
          count: 1,
          amount: '11600',
          amount_tips: '1160',
          amount_refunded: '0',
        },
        {
          method: 'cash',
          currency: 'mxn',
          count: 2,
          amount: '23200',
          amount_tips: '0',
          amount_refunded: '0',
        },
      ],
      open_count: 0,
      unsettled_count: 0,
    },
  },
})

const Movement = z
  .strictObject({
    id: uuid,
    object: z.literal('cash_movement'),
    shift_id: uuid.describe('The shift.'),
    kind: z
      .enum(cashKinds)
      .describe(
        '`sale`: an order was paid in cash. `return`: cash of one was given back. `paid_in`, `paid_out`: cash beside orders, like change from the bank or a payment to a supplier.',
      ),
    amount: minorString.describe('Minor units: what went in or out.'),
    order_id: uuid.nullable().describe('The order of a sale or a return.'),
    note: z.string().nullable().describe('Your own note.'),
    created_at: timestamp,
  })
  .meta({ id: 'CashMovement' })

const exampleMovement = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000305',
  object: 'cash_movement',
  shift_id: exampleShift.id,
  kind: 'paid_out',
  amount: '20000',
  order_id: null,
  note: 'Hielo',
  created_at: '2026-06-13T12:30:00.000Z',
} as const

const movements = resource({
  tag,
  path: `${path}/cash-movements`,
  within: {
    path: `${path}/shifts/:id/cash-movements`,
    params: z.strictObject({ id: uuid.describe('Id of the shift.') }),
    notFound: 'register_shift_not_found',
  },
  ...scopes,
  tables: ['cash_movements'],
  notFound: 'cash_movement_not_found',
  schema: Movement,
  example: exampleMovement,
})

export const moveCash = movements.create({
  id: 'cash_movements.record',
  summary: 'Record cash that went into a drawer or out of it',
  description: 'Beside sales: change from the bank, a payment to a supplier, what is taken to the safe.',
  body: z.strictObject({
    kind: z.enum(['paid_in', 'paid_out']).describe('Into the drawer, or out of it.'),
    amount: boundedMinor
      .refine((text) => BigInt(text) > 0n, 'must be more than zero')
      .describe('Minor units: what went in or out.'),
    note: freeText(200).nullable().default(null).describe('Your own note, like what it was for.'),
  }),
  errors: ['register_shift_closed', 'register_cash_short', 'amount_above_maximum'],
  example: { kind: 'paid_out', amount: '20000', note: 'Hielo' },
})

export const listCash = movements.list({
  id: 'cash_movements.list',
  summary: 'List the cash movements of a shift',
})

export const getCash = movements.get({ id: 'cash_movements.get', summary: 'Get a cash movement' })
