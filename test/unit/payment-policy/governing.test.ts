import { expect, test } from 'vitest'
import { evaluate } from '../../../functions/money/payment-policy/evaluate.ts'
import { lastRefundDay, offeredNow } from '../../../functions/money/payment-policy/governing.ts'
import { parsePaymentPolicy } from '../../../functions/money/payment-policy/platform.ts'
import { sourcesOf, widerField } from '../../../functions/money/payment-policy/policy.ts'
import type { Services } from '../../../src/http/services.ts'
import { configured } from '../payments/samples.ts'
import { policyOf } from './samples.ts'

const schedules = [configured({ installments: { 3: 450 } })]

const servicesOf = (configured: object) =>
  ({
    settings: {
      environment: 'sandbox',
      feeSchedules: JSON.stringify(schedules),
      paymentPolicy: JSON.stringify(configured),
    },
    db: {},
  }) as unknown as Services

const now = new Date('2026-06-12T18:00:00Z')
const silent = { workspace: null, location: null }

test('for what is for sale already the platform stops a method, and narrows nothing else', () => {
  const narrowed = { methods: { oxxo: { amount_max: { mxn: '5000' } } }, capture: { manual_allowed: false } }
  const open = offeredNow(servicesOf(narrowed), now, silent, false)
  expect([open.methods?.oxxo, open.capture]).toEqual([{ enabled: true, expires_days: 3 }, undefined])
  const stopped = offeredNow(servicesOf({ stopped: ['oxxo'] }), now, silent, false)
  expect([stopped.methods?.oxxo?.enabled, stopped.methods?.card?.enabled]).toEqual([false, true])
  // An amount that the buyer chooses is set now.
  expect(offeredNow(servicesOf(narrowed), now, silent, true).methods?.oxxo).toMatchObject({
    amount_min: { mxn: '1000' },
    amount_max: { mxn: '5000' },
  })
  const own = { workspace: { methods: { oxxo: { expires_days: 1 } } }, location: null }
  expect(offeredNow(servicesOf({}), now, own, false).methods?.oxxo?.expires_days).toBe(1)
})

test('3-D Secure that the platform requires is required of every payment', () => {
  const policy = offeredNow(servicesOf({ three_ds: { required_from: { mxn: '5000' } } }), now, silent, false)
  const asked = {
    currency: 'mxn',
    method: 'card',
    captureMethod: 'automatic',
    months: [],
    pricing: { feeAllocation: 'absorb', merchantMarkupBps: 0 },
    eligible: null,
  } as const
  const needs = (amountMinor: bigint, more = {}) =>
    evaluate(policy, null, { ...asked, amountMinor, ...more }).needsThreeDs
  expect([needs(4_999n), needs(5_000n)]).toEqual([false, true])
  // What is charged counts, markup included; vouchers have no bank to ask.
  const pricing = { feeAllocation: 'pass_to_buyer', merchantMarkupBps: 10 }
  expect([needs(4_999n, { pricing, months: [3] }), needs(5_000n, { method: 'oxxo' })]).toEqual([true, false])
})

test.each([
  ['the day itself, late at night', 0, '2026-06-12T05:59:59Z', '2026-06-11'],
  ['the day itself, at midnight', 0, '2026-06-12T06:00:00Z', '2026-06-12'],
  ['over the end of a month', 30, '2026-06-12T06:00:00Z', '2026-07-12'],
])('the last day of refunds: %s', (_what, window_days, paidAt, day) => {
  const levels = { workspace: { refunds: { window_days } }, location: null }
  expect(lastRefundDay(servicesOf({}), now, levels, new Date(paidAt))).toBe(day)
  expect(lastRefundDay(servicesOf({}), now, silent, new Date(paidAt))).toBeNull()
})

test.each([
  ['{', 'not JSON'],
  ['{"stopped":["cash"]}', 'PAYMENT_POLICY.stopped.0'],
  ['{"methods":{"oxxo":{"expires_days":8}}}', 'PAYMENT_POLICY.methods.oxxo.expires_days'],
  ['{"fees":{}}', 'PAYMENT_POLICY'],
])('a platform that says %s does not start', (json, message) => {
  expect(() => parsePaymentPolicy(json)).toThrow(message)
})

test('a configuration may give a voucher more days; the levels below choose among them', () => {
  const platform = policyOf(['card', 'oxxo'], { methods: { oxxo: { expires_days: 7 } } })
  const days = (expires_days: number) => ({ methods: { oxxo: { expires_days } } })
  expect(platform.methods?.oxxo?.expires_days).toBe(7)
  expect([widerField(platform, days(5)), widerField(policyOf(['card', 'oxxo']), days(5))]).toEqual([
    null,
    { field: 'methods.oxxo.expires_days', value: 3 },
  ])
})

test('a field comes from the highest level that says what holds; what only several make together, from the lowest', () => {
  const terms = (...terms: number[]) => ({ msi: { terms } })
  expect(
    sourcesOf([
      ['platform', { ...terms(3, 6, 9), capture: { manual_allowed: false } }],
      ['workspace', { ...terms(3, 6), capture: { manual_allowed: false } }],
      ['location', terms(6, 9)],
    ]),
  ).toEqual({ 'msi.terms': 'location', 'capture.manual_allowed': 'platform' })
})
