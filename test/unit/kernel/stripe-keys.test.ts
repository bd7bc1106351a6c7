import { expect, test } from 'vitest'
import { isStripeKey, stripeKeyOf } from '../../../src/kernel/stripe-keys.ts'

test.each([
  ['sk_live_x', 'secret', 'live'],
  ['sk_test_x', 'secret', 'sandbox'],
  ['rk_live_x', 'restricted', 'live'],
  ['rk_test_x', 'restricted', 'sandbox'],
  ['pk_live_x', 'publishable', 'live'],
  ['pk_test_x', 'publishable', 'sandbox'],
  ['whsec_x', 'signing', null],
])('%s is a %s key of %s', (key, kind, environment) => {
  expect(stripeKeyOf(key)).toEqual({ kind, environment })
})

test.each(['', 'sk_sbx_x', 'sk_live', 'xsk_live_x', 'SK_LIVE_x', 'acct_x'])('%s is no key', (key) => {
  expect(stripeKeyOf(key)).toBeNull()
  expect(isStripeKey(key, 'secret', 'live')).toBe(false)
})

test.each([
  ['secret', ['sk_live_x', 'rk_live_x'], ['sk_test_x', 'pk_live_x', 'whsec_x']],
  ['publishable', ['pk_live_x'], ['pk_test_x', 'sk_live_x']],
  ['signing', ['whsec_x'], ['sk_live_x', 'rk_live_x']],
] as const)('as a %s key live takes %j and not %j', (role, taken, refused) => {
  expect(taken.every((key) => isStripeKey(key, role, 'live'))).toBe(true)
  expect(refused.some((key) => isStripeKey(key, role, 'live'))).toBe(false)
})
