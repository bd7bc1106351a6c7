import { expect, test } from 'vitest'
import { satPaymentFormOf } from '../../../functions/money/payments/sat-payment-form.ts'
import type { Method } from '../../../src/kernel/payment-methods.ts'

const card = (funding: string) => ({ brand: 'visa', last4: '4242', bin6: '424242', funding })
const voucher = { reference: '98000000001', expires_at: '2026-06-16T06:00:00.000Z' }

test.each([
  ['oxxo', null, '01'],
  ['oxxo', voucher, '01'],
  ['spei', null, '03'],
  ['card', card('credit'), '04'],
  ['card', card('debit'), '28'],
  ['card_present', card('prepaid'), '28'],
  ['card_present', card('credit'), '04'],
  ['card', card('unknown'), null],
  ['card', card('toString'), null],
  ['card', null, null],
] satisfies [Method, object | null, string | null][])('%s with %o: %s', (method, methodDetails, form) => {
  expect(satPaymentFormOf({ method, methodDetails })).toBe(form)
})
