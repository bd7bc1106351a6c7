import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { stateOf } from '../../../src/processors/stripe/states.ts'

const paidBy = (balance_transaction: unknown) =>
  stateOf({
    id: 'pi_1',
    status: 'succeeded',
    amount_received: 120_000,
    currency: 'mxn',
    latest_charge: { id: 'ch_1', payment_method_details: null, balance_transaction },
    payment_method: null,
    last_payment_error: null,
  } as Stripe.PaymentIntent)

test.each([
  ['a midnight in UTC is still the day before in Mexico City', '2026-06-16T00:00:00Z', '2026-06-16'],
  ['the last second of a day', '2026-06-16T05:59:59Z', '2026-06-16'],
  ['the beginning of a day', '2026-06-16T06:00:00Z', '2026-06-16'],
  ['a second later: the next day', '2026-06-16T06:00:01Z', '2026-06-17'],
  ['the end of a year', '2026-12-31T23:00:00Z', '2027-01-01'],
])('the first day on which all of it is there: %s', (_what, at, settledOn) => {
  expect(paidBy({ id: 'txn_1', available_on: Date.parse(at) / 1000 })).toMatchObject({ settledOn })
})

test.each([null, 'txn_1'])('where Stripe does not tell it (%s), nothing is said', (entry) => {
  expect(paidBy(entry)).not.toHaveProperty('settledOn')
})
