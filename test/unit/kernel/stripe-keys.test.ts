import { expect, test } from 'vitest'
import { isStripeKey } from '../../../src/kernel/stripe-keys.ts'

const all = [
  'sk_live_x',
  'sk_test_x',
  'rk_live_x',
  'rk_test_x',
  'pk_live_x',
  'pk_test_x',
  'whsec_x',
  '',
  'sk_sbx_x',
  'sk_live',
  'xsk_live_x',
  'SK_LIVE_x',
  'acct_x',
]

test.each([
  ['secret', 'live', ['sk_live_x', 'rk_live_x']],
  ['secret', 'sandbox', ['sk_test_x', 'rk_test_x']],
  ['restricted', 'live', ['rk_live_x']],
  ['restricted', 'sandbox', ['rk_test_x']],
  ['publishable', 'live', ['pk_live_x']],
  ['publishable', 'sandbox', ['pk_test_x']],
  ['signing', 'live', ['whsec_x']],
  ['signing', 'sandbox', ['whsec_x']],
] as const)('as a %s key %s takes %j alone', (role, environment, taken) => {
  expect(all.filter((key) => isStripeKey(key, role, environment))).toEqual(taken)
})
