import { describe, expect, test } from 'vitest'
import { paymentLinks } from '../../../drizzle/schema/payment-links.ts'
import {
  planActivate,
  planArchive,
  planCreate,
  planDeactivate,
  planExpiry,
  planPaid,
  planRevoke,
  planUpdate,
} from '../../../functions/selling/payment-links/plan.ts'
import { presentLink } from '../../../functions/selling/payment-links/present.ts'
import type { LinkRow } from '../../../functions/selling/payment-links/store.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import { policyOf } from '../payment-policy/samples.ts'
import { clockAt, idOf, now, schedule, submission } from '../payments/samples.ts'
import { asked, hours, link, publicId } from './samples.ts'

/** As events show it. */
const impersonal = ({
  collected: _,
  customer_email: _email,
  customer_name: _name,
  ...shown
}: ReturnType<typeof presentLink>) => shown

const made = { publicId, item: null, lines: null, found: [], passwordHash: null, templateId: null }

const policy = policyOf(['card', 'oxxo', 'spei'])
const making = { ...clockAt(now), linkBaseUrl: 'pay.example', policyVersion: 1, policy }
const fresh = () => ({ ...clockAt(now), linkBaseUrl: 'pay.example', policyVersion: 1, policy })

test('a new link, written out', () => {
  const shown = {
    id: idOf(1),
    object: 'payment_link',
    public_id: publicId,
    url: `https://pay.example/${publicId}`,
    status: 'active',
    usage: 'single_use',
    amount_source: 'manual_amount',
    manual_amount: 120_000,
    buyer_amount: null,
    adjustable_quantity: null,
    currency: 'mxn',
    catalog_line_item_snapshot: null,
    line_items: [],
    discounts: [],
    allows_discount_codes: false,
    shipping_options: [],
    tips: null,
    amount: null,
    description: null,
    payment_method_types: ['card'],
    capture_method: 'automatic',
    installment_options: [{ months: 3 }, { months: 12 }],
    installment_plan: null,
    installment_pricing: { fee_allocation: 'absorb', merchant_markup_bps: 0 },
    success_url: null,
    success_message: null,
    payer_email_domains: null,
    collects: null,
    collected: null,
    has_password: false,
    checkout_session_ref: null,
    uses_max: 1,
    uses_count: 0,
    uses_held_count: null,
    views_count: 0,
    conversion_bps: null,
    starts_at: null,
    expires_at: null,
    revoked_at: null,
    client_reference_id: 'order-1024',
    customer_id: null,
    customer_email: null,
    customer_name: null,
    metadata: { order: '1024' },
    location_id: null,
    template_ref: null,
    policy_version: '1',
    version: 1,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  }
  const input = asked({
    installment_options: [{ months: 12 }, { months: 3 }],
    client_reference_id: 'order-1024',
    customer_id: null,
    metadata: { order: '1024' },
  })
  const {
    paidCount: _paid,
    heldCount: _held,
    collected: _collected,
    liveRef: _live,
    viewsCount: _views,
    ...row
  } = link({
    id: idOf(1),
    installmentMonths: [3, 12],
    clientReferenceId: 'order-1024',
    customerId: null,
    metadata: { order: '1024' },
    version: 1,
    createdAt: now,
    updatedAt: now,
  })
  expect(planCreate(input, made, schedule, fresh())).toEqual({
    writes: [{ kind: 'insert', table: paymentLinks, rows: [row] }],
    events: [
      {
        id: idOf(2),
        type: 'payment_link.created',
        resourceType: 'payment_link',
        resourceId: idOf(1),
        object: impersonal(shown as ReturnType<typeof presentLink>),
        previousAttributes: {},
      },
    ],
    reply: shown,
    once: { customer_email: null, customer_name: null },
  })
})

const snapshot = { item_id: 'item', name: 'Café', unit_amount: '4500', quantity: 3 }

test('a catalog line item asks for its unit amount times its quantity', () => {
  const input = asked({
    amount_source: 'catalog_line_item',
    manual_amount: undefined,
    catalog_line_item_snapshot: snapshot,
  })
  const plan = planCreate(input, made, schedule, fresh())
  if (isRefusal(plan)) throw new Error(plan.refused)
  expect(plan.writes[0]).toMatchObject({ rows: [{ amountMinor: 13_500n }] })
  expect(plan.reply).toMatchObject({ manual_amount: null, catalog_line_item_snapshot: snapshot })
})

describe('links that are refused', () => {
  const table: [string, object, string, string?][] = [
    ['no amount', { manual_amount: undefined }, 'parameter_missing', 'manual_amount'],
    [
      'both amounts',
      { catalog_line_item_snapshot: snapshot },
      'parameter_unknown',
      'catalog_line_item_snapshot',
    ],
    [
      'a catalog without an item',
      { amount_source: 'catalog_line_item', manual_amount: undefined },
      'parameter_missing',
      'catalog_line_item_snapshot',
    ],
    ['an amount of cents', { manual_amount: 1200.5 }, 'parameter_invalid', 'manual_amount'],
    [
      'an amount past what a number holds',
      { manual_amount: 2 ** 53 },
      'amount_above_maximum',
      'manual_amount',
    ],
    ['too much', { manual_amount: 10_000_000_001 }, 'amount_above_maximum', 'manual_amount'],
    ['too little', { manual_amount: 999 }, 'amount_below_minimum', 'manual_amount'],
    ['nothing', { manual_amount: 0 }, 'amount_below_minimum', 'manual_amount'],
    ['less than nothing', { manual_amount: -1 }, 'amount_below_minimum', 'manual_amount'],
    [
      'cash',
      { payment_method_types: ['card', 'oxxo'] },
      'payment_method_unavailable',
      'payment_method_types.1',
    ],
    [
      'a markup with absorb',
      { installment_pricing: { fee_allocation: 'absorb', merchant_markup_bps: 1 } },
      'markup_not_allowed',
      'installment_pricing.merchant_markup_bps',
    ],
    [
      'a markup without a term',
      { installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 1 } },
      'markup_not_allowed',
      'installment_pricing.merchant_markup_bps',
    ],
    [
      'options and a plan',
      { installment_options: [{ months: 3 }], installment_plan: { months: 3 } },
      'parameter_invalid',
      'installment_plan',
    ],
    [
      'a term that there is not',
      { installment_options: [{ months: 3 }, { months: 5 }] },
      'installments_unavailable',
      'installment_options.1.months',
    ],
    [
      'a term too long for the amount',
      { manual_amount: 119_999, installment_plan: { months: 12 } },
      'installments_unavailable',
      'installment_plan.months',
    ],
    ['a time that has passed', { expires_at: now.toISOString() }, 'parameter_invalid', 'expires_at'],
    [
      'a time more than a year ahead',
      { expires_at: hours(365 * 24 + 1).toISOString() },
      'parameter_invalid',
      'expires_at',
    ],
  ]
  test.each(table)('%s', (_, changed, refused, param) => {
    expect(planCreate(asked(changed), made, schedule, fresh())).toMatchObject({ refused, param })
  })
  test.each(['oxxo', 'spei'] as const)('%s in dollars: it needs mxn', (method) => {
    const wanted = asked({ currency: 'usd', payment_method_types: ['card', method] })
    expect(planCreate(wanted, made, schedule, fresh())).toMatchObject({
      refused: 'payment_method_unavailable',
      param: 'payment_method_types.1',
      message: expect.stringContaining(`${method} needs the currency mxn`),
    })
  })
  test('a currency without a schedule', () => {
    expect(planCreate(asked(), made, null, fresh())).toMatchObject({ refused: 'currency_unsupported' })
  })
})

/** The statuses of the lifecycle, and those that other facts decide. */
const states: [string, Partial<LinkRow>][] = [
  ['active', {}],
  ['inactive', { status: 'inactive' }],
  ['revoked', { status: 'inactive', revokedAt: hours(-1) }],
  ['expired', { expiresAt: hours(-1) }],
  ['expired and swept', { status: 'inactive', expiresAt: hours(-1) }],
  ['paid', { status: 'paid' }],
  ['archived', { status: 'archived' }],
]

type Planned = { writes: readonly object[]; refused?: never } | { refused: string; writes?: never } | null

function told(plan: Planned): string {
  if (plan === null || plan.writes?.length === 0) return '-'
  if (plan.refused !== undefined) return plan.refused.replace('payment_link_', '')
  const { set } = plan.writes![0] as { set: Partial<LinkRow> }
  return `${set.status ?? 'as it was'}${set.revokedAt ? ' for good' : ''}`
}

describe('status × what is asked', () => {
  const { payment } = submission({}, { status: 'succeeded' })
  const patch = { metadata: { order: '1025' } } as unknown as Parameters<typeof planUpdate>[1]
  const unchanged = 'status_unchanged'
  const table: [string, (row: LinkRow) => Planned, string[]][] = [
    //            active, inactive, revoked, expired, expired and swept, paid, archived
    [
      'update',
      (row) => planUpdate(row, patch, schedule, making),
      [...Array(5).fill('as it was'), 'paid', 'archived'],
    ],
    [
      'activate',
      (row) => planActivate(row, making),
      [unchanged, 'active', 'revoked', unchanged, 'expired', 'paid', 'archived'],
    ],
    [
      'deactivate',
      (row) => planDeactivate(row, making),
      ['inactive', unchanged, unchanged, 'inactive', unchanged, 'paid', 'archived'],
    ],
    [
      'revoke',
      (row) => planRevoke(row, making),
      [
        'inactive for good',
        'inactive for good',
        'revoked',
        'inactive for good',
        'inactive for good',
        'paid',
        'archived',
      ],
    ],
    ['archive', (row) => planArchive(row, making), [...Array(6).fill('archived'), 'archived']],
    ['its time passes', (row) => planExpiry(row, making), ['-', '-', '-', 'inactive', '-', '-', '-']],
    [
      'a payment succeeds',
      (row) => planPaid(row, payment, making),
      ['paid', 'paid', '-', 'paid', 'paid', '-', '-'],
    ],
  ]
  test.each(table)('%s', (_, plan, expected) => {
    expect(states.map(([, changed]) => told(plan(link(changed))))).toEqual(expected)
  })
  test('an archived link is not archived again', () => {
    expect(planArchive(link({ status: 'archived' }), making)).toMatchObject({
      refused: 'payment_link_archived',
    })
  })
  test('a multi-use link is never paid', () => {
    expect(planPaid(link({ usage: 'multi_use' }), payment, making)).toEqual({ writes: [], events: [] })
  })
})

test('a change of terms raises their version, any other change does not; both events have the former values', () => {
  const patchOf = (patch: object) => {
    const plan = planUpdate(link(), patch as Parameters<typeof planUpdate>[1], schedule, fresh())
    if (isRefusal(plan)) throw new Error(plan.refused)
    return { set: (plan.writes[0] as { set: object }).set, before: plan.events[0]!.previousAttributes }
  }
  expect(patchOf({ manual_amount: 130_000 })).toEqual({
    set: {
      amountMinor: 130_000n,
      buyerAmount: null,
      quantityMin: null,
      quantityMax: null,
      paymentMethodTypes: ['card'],
      installmentMonths: [],
      installmentPlanMonths: null,
      captureMethod: 'automatic',
      customerEmail: null,
      customerName: null,
      feeAllocation: 'absorb',
      merchantMarkupBps: 0,
      policyVersion: 1,
      termsVersion: 2,
      updatedAt: now,
    },
    before: { manual_amount: 120_000 },
  })
  expect(patchOf({ manual_amount: 120_000, description: 'Café' })).toEqual({
    set: { description: 'Café', customerEmail: null, customerName: null, updatedAt: now },
    before: { description: null },
  })
  expect(patchOf({ installment_plan: { months: 6 } }).set).toMatchObject({
    installmentPlanMonths: 6,
    termsVersion: 2,
  })
})

test('a paid link names its payment', () => {
  const { payment } = submission({}, { status: 'succeeded' })
  const paid = { status: 'paid' as const, checkoutSessionRef: payment.publicId }
  const after = presentLink({ ...link(), ...paid, version: 5, updatedAt: now }, 'pay.example')
  expect(planPaid(link(), payment, fresh())).toEqual({
    writes: [
      {
        kind: 'change',
        table: paymentLinks,
        id: idOf(7),
        version: 4,
        fromStatus: 'active',
        set: { ...paid, updatedAt: now },
      },
    ],
    events: [
      {
        id: idOf(1),
        type: 'payment_link.paid',
        resourceType: 'payment_link',
        resourceId: idOf(7),
        object: impersonal(after),
        previousAttributes: { status: 'active', checkout_session_ref: null, uses_count: 0 },
      },
    ],
    reply: after,
    once: { collected: null, customer_email: null, customer_name: null },
  })
})
