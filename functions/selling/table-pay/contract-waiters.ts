import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { day } from '../../../src/http/days.ts'
import {
  boundedMinor,
  currency,
  freeText,
  minorString,
  positiveMinor,
  uuid,
} from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { exampleSession } from './contract.ts'
import { path, scopes, tag } from './contract-tables.ts'
import { tipPayoutLifecycle, waiterLifecycle } from './lifecycle.ts'

const status = z
  .enum(statusesOf(waiterLifecycle))
  .describe(
    '`archived` ones are kept, with what they are owed; no new bill or payment at a reader names them.',
  )

const fields = {
  name: freeText(80).trim().min(1).describe('What you call them.'),
  payroll_reference: freeText(60)
    .trim()
    .min(1)
    .nullable()
    .describe('What your payroll calls them, unique among active waiters; null: not said.'),
}

const Waiter = shown('waiter', { status, ...fields }).meta({ id: 'Waiter' })

const body = { name: 'Lupita', payroll_reference: 'N-118' }
const exampleWaiter = exampleOf('waiter', '0190a6d2-7c3e-7b1a-9f00-000000000206', {
  status: 'active',
  ...body,
})

const waiters = resource({
  tag,
  path: `${path}/waiters`,
  ...scopes,
  tables: ['waiters'],
  notFound: 'waiter_not_found',
  versioned: true,
  schema: Waiter,
  example: exampleWaiter,
})

export const create = waiters.create({
  id: 'waiters.create',
  summary: 'Create a waiter',
  description: 'Who serves tables, so that tips are owed to them. They have no access to the interface.',
  body: z.strictObject({ name: fields.name, payroll_reference: fields.payroll_reference.default(null) }),
  errors: ['waiter_reference_taken'],
  example: body,
})

export const list = waiters.list({
  id: 'waiters.list',
  summary: 'List waiters',
  filters: { status: status.optional().describe('Only who has this status.') },
})

export const get = waiters.get({ id: 'waiters.get', summary: 'Get a waiter' })

export const update = waiters.update({
  id: 'waiters.update',
  summary: 'Change a waiter',
  description: 'Fields that are left out stay.',
  fields,
  errors: ['waiter_archived', 'waiter_reference_taken'],
  example: { name: 'Lupita M.' },
})

export const archive = waiters.move('archive', {
  id: 'waiters.archive',
  summary: 'Archive a waiter',
  description:
    'Bills that they serve go on, and what they are owed can still be paid out. No new bill and no new payment at a reader or phone names them.',
  errors: ['waiter_archived'],
  example: { status: 'archived', version: 2 },
})

export const restore = waiters.move('restore', {
  id: 'waiters.restore',
  summary: 'Restore an archived waiter',
  errors: ['waiter_not_archived', 'waiter_reference_taken'],
  example: { version: 3 },
})

const ofWaiter = {
  params: z.strictObject({ id: uuid.describe('Id of the waiter.') }),
  notFound: 'waiter_not_found',
} as const

const Tip = shown('table_tip', {
  waiter_id: uuid.describe('To whom it is owed.'),
  table_session_id: uuid
    .nullable()
    .describe('The bill that it was given with; null: a payment at a reader or phone.'),
  payment_id: uuid.nullable().describe('The payment that it is a part of; null for a recorded one.'),
  external_payment_id: uuid
    .nullable()
    .describe('The recorded payment beside which it was given; null for none.'),
  currency,
  amount: positiveMinor.describe(
    'Minor units: the tip as it was given, or all that was captured where that is less.',
  ),
  amount_returned: minorString.describe('Minor units: what refunds took back of it.'),
}).meta({ id: 'TableTip' })

export const tips = resource({
  tag,
  path: `${path}/tips`,
  within: { path: `${path}/waiters/:id/tips`, ...ofWaiter },
  ...scopes,
  tables: [],
  notFound: 'waiter_not_found',
  schema: Tip,
  example: exampleOf('table_tip', '0190a6d2-7c3e-7b1a-9f00-000000000204', {
    waiter_id: exampleWaiter.id,
    table_session_id: exampleSession.id,
    payment_id: null,
    external_payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000204',
    currency: 'mxn',
    amount: '1500',
    amount_returned: '0',
  }),
}).list({
  id: 'waiters.tips',
  summary: 'List the tips of a waiter',
  description:
    'One for each payment. A refund gives back the rest of a payment first, the guest’s part of the bill or what was sold at a reader, and takes back of the tip only what goes beyond it: to the cent, without rounding.',
})

const Payout = shown('tip_payout', {
  status: z.enum(statusesOf(tipPayoutLifecycle)).describe('`canceled`: it was recorded by mistake.'),
  waiter_id: uuid.describe('Who was paid.'),
  currency,
  amount: positiveMinor.describe('Minor units: what they were paid.'),
  note: z.string().nullable().describe('Your own note.'),
}).meta({ id: 'TipPayout' })

const payouts = resource({
  tag,
  path: `${path}/tip-payouts`,
  within: { path: `${path}/waiters/:id/tip-payouts`, ...ofWaiter },
  ...scopes,
  tables: ['waiters', 'tip_payouts'],
  notFound: 'tip_payout_not_found',
  versioned: true,
  schema: Payout,
  example: exampleOf('tip_payout', '0190a6d2-7c3e-7b1a-9f00-000000000207', {
    status: 'recorded',
    waiter_id: exampleWaiter.id,
    currency: 'mxn',
    amount: '1500',
    note: null,
  }),
})

export const payOut = payouts.create({
  id: 'tip_payouts.record',
  summary: 'Record that a waiter was paid tips',
  description: 'With the payroll, in cash: it touches no balance. It is never more than they are owed.',
  body: z.strictObject({
    amount: boundedMinor
      .refine((text) => BigInt(text) > 0n, 'must be more than zero')
      .describe('Minor units: what they were paid.'),
    note: freeText(200).nullable().default(null).describe('Your own note.'),
  }),
  errors: ['tip_payout_above_owed'],
  example: { amount: '1500' },
})

export const listPayouts = payouts.list({
  id: 'tip_payouts.list',
  summary: 'List what a waiter was paid of tips',
})

export const getPayout = payouts.get({ id: 'tip_payouts.get', summary: 'Get a payout of tips' })

export const cancelPayout = payouts.move('cancel', {
  id: 'tip_payouts.cancel',
  summary: 'Cancel a payout of tips',
  description: 'It was recorded by mistake: its amount is owed again.',
  errors: ['tip_payout_canceled'],
  example: { status: 'canceled', version: 2 },
})

/** How many days a report has at most. */
export const reportDaysMost = 92

const sums = {
  tips_count: z.int().min(0).describe('How many tips were given.'),
  amount_tips: minorString.describe('Minor units: the tips, as they were given.'),
  amount_returned: minorString.describe('Minor units: what refunds took back of these tips, until now.'),
  amount_paid_out: minorString.describe('Minor units: what was paid to them.'),
}

const Report = z
  .strictObject({
    object: z.literal('tip_report'),
    waiter_id: uuid.describe('Whose tips they are.'),
    currency,
    begins_on: day.describe('The first day, in Mexico City.'),
    ends_on: day.describe('The last day.'),
    ...sums,
    amount_owed: minorString.describe(
      'Minor units: what they are owed now, of all days. Below zero where refunds took back what was paid to them.',
    ),
    days: z
      .array(z.strictObject({ day: day.describe('A day in Mexico City.'), ...sums }))
      .describe('The days on which something happened, the first one first.'),
  })
  .meta({ id: 'TipReport' })

const exampleSums = { tips_count: 1, amount_tips: '1500', amount_returned: '0', amount_paid_out: '0' }

export const report = contract({
  ...waiters.reading,
  ...ofWaiter,
  id: 'waiters.tip_report',
  method: 'GET',
  path: `${path}/waiters/:id/tip-report`,
  summary: 'Sum the tips of a waiter by day',
  description: `A tip counts on the day in Mexico City on which it was paid, and so does what refunds took back of it. At most ${reportDaysMost} days.`,
  query: z.strictObject({
    begins_on: day.optional().describe('The first day, in Mexico City; left out: the last one.'),
    ends_on: day.optional().describe('The last day, not before the first; left out: today.'),
  }),
  reply: { status: 200, schema: Report },
  errors: ['waiter_not_found'],
  example: {
    reply: {
      object: 'tip_report',
      waiter_id: exampleWaiter.id,
      currency: 'mxn',
      begins_on: '2026-06-01',
      ends_on: '2026-06-15',
      ...exampleSums,
      amount_owed: '1500',
      days: [{ day: '2026-06-13', ...exampleSums }],
    },
  },
})
