import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { atLeastOne, exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import {
  boundedMinor,
  clientReferenceId,
  currency,
  freeText,
  metadata,
  metadataFilter,
  minorString,
  positiveMinor,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { ivaRates } from '../../../src/kernel/iva.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { cardMethod } from '../../../src/kernel/payment-methods.ts'
import { itemLinesWith, orderAsked, orderShown } from '../../order/lines/api-pure.ts'
import { termErrors, termsAsked, termsShown, workspaceErrors } from '../../order/sales/api-pure.ts'
import { path, scopes, tag } from './contract-tables.ts'
import { lineLifecycle, sessionLifecycle } from './lifecycle.ts'

/** How many lines a request adds, and a bill has. */
export const linesMost = 300
const linesOfRequestMost = 100
/** Into how many parts a line is split, and a bill divided. */
export const sharesMost = 50

const quantity = z.int().min(1).max(10_000).default(1).describe('How many of the item.')

const lineAsked = z
  .union([
    ...itemLinesWith({ quantity }),
    z.strictObject({
      name: freeText(200).trim().min(1).describe('The name of the item, as guests read it.'),
      unit_amount: positiveMinor.describe('The price of one, in minor units.'),
      quantity,
      iva_rate: z.enum(ivaRates).default('16').describe('Its IVA: 16 %, 8 %, 0 % or exempt.'),
      price_includes_tax: z.boolean().default(true).describe('Whether `unit_amount` has the IVA in it.'),
    }),
  ])
  .describe('A line: an item of a catalog, or what you write.')

const lineItems = z.array(lineAsked).min(1).max(linesOfRequestMost)

const Line = z.strictObject({
  id: uuid,
  status: z
    .enum(statusesOf(lineLifecycle))
    .describe(
      '`ordered` counts; `void` and `split` do not: the parts of a split line are lines of their own.',
    ),
  item_id: uuid.nullable().describe('The item of your catalog; null for a line that you wrote.'),
  name: z.string().describe('The name of the item, as guests read it.'),
  unit_amount: minorString.describe('The price of one, in minor units.'),
  quantity: z.int().min(1).describe('How many of the item.'),
  iva_rate: z.enum(ivaRates).describe('Its IVA: 16 %, 8 %, 0 % or exempt.'),
  price_includes_tax: z.boolean().describe('Whether `unit_amount` has the IVA in it.'),
  amount_total: minorString.describe(
    'What the line costs, with its IVA: rounded half up, once for the line.',
  ),
  split_from: uuid.nullable().describe('The line that it is a part of; null for none.'),
  payment_id: uuid.nullable().describe('The payment, under way or made, that pays it; null: nobody does.'),
  external_payment_id: uuid.nullable().describe('The recorded payment that paid it; null for none.'),
})

const status = z
  .enum(statusesOf(sessionLifecycle))
  .describe(
    '`open` until you close it, once all of it is paid, or void it, while nothing of it is; `merged`: its lines are another bill’s.',
  )

const guests = z
  .int()
  .min(1)
  .max(500)
  .nullable()
  .describe('How many guests sit at the table; null: not said.')

export const Session = shown('table_session', {
  public_id: z.string().describe('What its address ends in.'),
  url: z.string().describe('The page at which guests see the bill as it is now, and pay their part.'),
  status,
  payment_status: z
    .enum(['unpaid', 'partly_paid', 'paid'])
    .describe('How much of `amount` is paid; payments under way count as held.'),
  table_id: uuid.describe('The table.'),
  name: z.string().describe('The table’s name, as it was when the bill was opened or moved.'),
  guests_count: guests,
  waiter_id: uuid.nullable().describe('Who serves it: tips that are paid from now on are owed to them.'),
  currency,
  line_items: z.array(Line).describe('Its lines, in the order in which they were added.'),
  amount_subtotal: minorString.describe('Minor units: the sum of the ordered lines.'),
  amount_discount: minorString.describe('Minor units: what you take off it.'),
  amount: minorString.describe('Minor units: what the bill comes to. Tips are no part of it.'),
  amount_held: minorString.describe('Minor units: what payments under way hold.'),
  amount_paid: minorString.describe('Minor units: what is paid, by guests and as you recorded it.'),
  amount_due: minorString.describe('Minor units: what nobody pays yet.'),
  amount_tips: minorString.describe('Minor units: the tips of what is paid, which are no part of the bill.'),
  tips: orderShown.tips.describe('The tips that a guest may add to their part; null: none.'),
  has_pin: z.boolean().describe('Whether guests type a code before they see it.'),
  payment_method_types: termsShown.payment_method_types,
  client_reference_id: z.string().nullable().describe('Your own name for the bill; its payments have it.'),
  location_id: uuid
    .nullable()
    .describe('The location of the table at which it was opened: its payment policy and prices.'),
  metadata,
  policy_version: z.string().describe('The version of the payment policy that the bill was opened under.'),
  closed_at: timestamp.nullable().describe('When it was closed, voided or merged; null while it is open.'),
  merged_into: uuid.nullable().describe('The bill that it is a part of; null for none.'),
}).meta({ id: 'TableSession' })

const opening = {
  guests_count: guests.default(null),
  waiter_id: uuid
    .nullable()
    .default(null)
    .describe('Who serves it; null: nobody, and no tip is owed to a waiter.'),
  line_items: lineItems.optional().describe('What is ordered already; more is added later.'),
  tips: orderAsked.tips
    .default(null)
    .describe('The tips that a guest may add to their part; null: none. No tip is chosen beforehand.'),
  pin: z
    .string()
    .regex(/^\d{6,8}$/, 'must have 6 to 8 digits')
    .nullable()
    .default(null)
    .describe(
      'A code of 6 to 8 digits that guests type before they see the bill, since a printed code may be photographed: tell it to them. It is kept as a digest, and shown nowhere. Null: none is asked.',
    ),
  payment_method_types: termsAsked.payment_method_types.default([cardMethod]),
  client_reference_id: clientReferenceId
    .nullable()
    .default(null)
    .describe('Your own name for the bill, like a folio of your point of sale; its payments have it.'),
  metadata: metadata.default({}),
}

export const exampleSession = exampleOf('table_session', '0190a6d2-7c3e-7b1a-9f00-000000000202', {
  public_id: 'sbill_w2e6r9t3y7u1i5o8p4a0s6d3f9g2h7j1',
  url: 'https://pay.example.com/sbill_w2e6r9t3y7u1i5o8p4a0s6d3f9g2h7j1',
  status: 'open',
  payment_status: 'unpaid',
  table_id: '0190a6d2-7c3e-7b1a-9f00-000000000201',
  name: 'Mesa 4',
  guests_count: 3,
  waiter_id: null,
  currency: 'mxn',
  line_items: [
    {
      id: '0190a6d2-7c3e-7b1a-9f00-000000000203',
      status: 'ordered',
      item_id: null,
      name: 'Tacos al pastor',
      unit_amount: '14500',
      quantity: 2,
      iva_rate: '16',
      price_includes_tax: true,
      amount_total: '29000',
      split_from: null,
      payment_id: null,
      external_payment_id: null,
    },
  ],
  amount_subtotal: '29000',
  amount_discount: '0',
  amount: '29000',
  amount_held: '0',
  amount_paid: '0',
  amount_due: '29000',
  amount_tips: '0',
  tips: { presets_bps: [1000, 1500], allows_own_amount: true },
  has_pin: false,
  payment_method_types: ['card'],
  client_reference_id: 'cuenta-118',
  location_id: null,
  metadata: {},
  policy_version: '1',
  closed_at: null,
  merged_into: null,
})

const written = { name: 'Tacos al pastor', unit_amount: '14500', quantity: 2 }

const sessions = resource({
  tag,
  path: `${path}/sessions`,
  within: {
    path: `${path}/tables/:tableId/sessions`,
    params: z.strictObject({ tableId: uuid.describe('Id of the table.') }),
    notFound: 'dining_table_not_found',
  },
  ...scopes,
  tables: ['table_sessions'],
  notFound: 'table_session_not_found',
  versioned: true,
  schema: Session,
  example: exampleSession,
})

const lineErrors = ['catalog_item_not_found', 'catalog_item_not_for_sale', 'table_line_not_served'] as const

const waiterErrors = ['waiter_not_found', 'waiter_archived'] as const

export const open = sessions.create({
  id: 'table_sessions.open',
  summary: 'Open the bill of a table',
  description:
    'A table has one open bill. Guests find it by the table’s code or by `url`; lines are added while they pay.',
  tables: ['dining_tables', 'waiters', 'table_sessions', 'table_lines'],
  body: z.strictObject(opening),
  errors: [
    ...waiterErrors,
    'dining_table_archived',
    'dining_table_occupied',
    ...lineErrors,
    ...termErrors,
    ...workspaceErrors,
  ],
  example: {
    guests_count: 3,
    line_items: [written],
    tips: { presets_bps: [1000, 1500] },
    client_reference_id: 'cuenta-118',
  },
})

const flat = resource({
  tag,
  path: `${path}/sessions`,
  ...scopes,
  tables: ['table_sessions'],
  notFound: 'table_session_not_found',
  versioned: true,
  schema: Session,
  example: exampleSession,
})

export const list = flat.list({
  id: 'table_sessions.list',
  summary: 'List bills',
  filters: {
    status: status.optional().describe('Only what has this status.'),
    table_id: uuid.optional().describe('Only those of this table.'),
    client_reference_id: freeText(200).optional().describe('Only with this `client_reference_id`.'),
    metadata: metadataFilter,
  },
})

export const get = flat.get({ id: 'table_sessions.get', summary: 'Get a bill', showsLive: true })

export const close = flat.move('close', {
  id: 'table_sessions.close',
  summary: 'Close a paid bill',
  description: 'The table is free for the next one. All of the bill must be paid.',
  errors: ['table_session_not_open', 'table_session_unpaid'],
  example: { status: 'closed', closed_at: '2026-06-13T13:30:00.000Z', version: 2 },
})

export const voidBill = flat.move('void', {
  id: 'table_sessions.void',
  summary: 'Void an unpaid bill',
  description: 'The table is free for the next one. Nothing of the bill may be paid or being paid.',
  errors: ['table_session_not_open', 'table_session_being_paid'],
  example: { status: 'void', closed_at: '2026-06-13T13:30:00.000Z', version: 2 },
})

export const reopen = flat.move('reopen', {
  id: 'table_sessions.reopen',
  summary: 'Reopen a closed or void bill',
  description: 'What is paid stays paid. The table must be active, and have no other open bill.',
  errors: ['table_session_open', 'table_session_merged', 'dining_table_archived', 'dining_table_occupied'],
  example: { version: 3 },
})

/** A change of an open bill: its lines and sums change with it. */
export const changing = {
  ...flat.writing,
  ...flat.one,
  method: 'POST',
  versioned: true,
  tables: ['table_sessions', 'table_lines'],
} as const
export const reply = { status: 200, schema: Session } as const
export const exampleChanged = { ...exampleSession, version: 2 }

export const transfer = contract({
  ...changing,
  tables: ['dining_tables', 'waiters', 'table_sessions'],
  id: 'table_sessions.transfer',
  path: `${path}/sessions/:id/transfer`,
  summary: 'Move an open bill to another table or waiter',
  description:
    'Guests go on paying at the same address. Tips that were paid before stay who they were owed to.',
  body: atLeastOne(
    z.strictObject({
      table_id: uuid
        .optional()
        .describe('The other table, active and without an open bill; left out: it stays.'),
      waiter_id: uuid.nullish().describe('Who serves it from now on; null: nobody; left out: who does now.'),
    }),
  ),
  reply,
  errors: [
    'table_session_not_found',
    'table_session_not_open',
    'dining_table_not_found',
    'dining_table_archived',
    'dining_table_occupied',
    ...waiterErrors,
  ],
  example: { body: { table_id: exampleSession.table_id }, reply: exampleChanged },
})

export const addLines = contract({
  ...changing,
  id: 'table_sessions.add_lines',
  path: `${path}/sessions/:id/lines`,
  summary: 'Add lines to an open bill',
  description: `Guests who are paying go on with what they chose. A bill has at most ${linesMost} lines.`,
  body: z.strictObject({ line_items: lineItems.describe('What is ordered.') }),
  reply,
  errors: ['table_session_not_found', 'table_session_not_open', 'amount_above_maximum', ...lineErrors],
  example: { body: { line_items: [written] }, reply: exampleChanged },
})

const ofLine = {
  ...changing,
  params: z.strictObject({ id: uuid, line_id: uuid.describe('Id of the line.') }),
} as const

export const voidLine = contract({
  ...ofLine,
  id: 'table_sessions.void_line',
  path: `${path}/sessions/:id/lines/:line_id/void`,
  summary: 'Void a line of an open bill',
  description:
    'A line that a guest pays or has paid is not voided. The bill comes to no less than what is paid.',
  reply,
  errors: [
    'table_session_not_found',
    'table_session_not_open',
    'table_line_not_found',
    'table_line_claimed',
    'table_session_amount_taken',
  ],
  example: { reply: exampleChanged },
})

export const splitLine = contract({
  ...ofLine,
  id: 'table_sessions.split_line',
  path: `${path}/sessions/:id/lines/:line_id/split`,
  summary: 'Split a line of an open bill into equal parts',
  description:
    'So that guests pay a shared dish in parts. The parts are lines of their own; the cents left over go to the first ones, and the parts sum to the line.',
  body: z.strictObject({
    parts_count: z.int().min(2).max(sharesMost).describe('Into how many parts.'),
  }),
  reply,
  errors: ['table_session_not_found', 'table_session_not_open', 'table_line_not_found', 'table_line_claimed'],
  example: { body: { parts_count: 3 }, reply: exampleChanged },
})

export const discount = contract({
  ...changing,
  tables: ['table_sessions'],
  id: 'table_sessions.discount',
  method: 'PUT',
  path: `${path}/sessions/:id/discount`,
  summary: 'Set the discount of an open bill',
  description:
    'It takes the place of the one before; 0 takes it back. The bill comes to no less than what guests have paid and are paying.',
  idempotency: 'optional',
  body: z.strictObject({ amount: boundedMinor.describe('Minor units: what is taken off the lines.') }),
  reply,
  errors: ['table_session_not_found', 'table_session_not_open', 'table_session_amount_taken'],
  example: { body: { amount: '2000' }, reply: exampleChanged },
})

/** Announces bills that are paid. */
export const sweep = {
  id: 'table_sessions.sweep',
  access: { system: {} },
  tables: ['table_sessions', 'table_session_sums'],
} as const
