import { expect, test } from 'vitest'
import { planFraudWarning } from '../../../functions/money/disputes/plan-fraud.ts'
import { clockAt, idOf, now } from '../payments/samples.ts'
import { paid } from './samples.ts'

const facts = { warningRef: 'issfr_1', attemptReference: idOf(2), fraudType: 'misc', isActionable: true }
const row = {
  id: idOf(9),
  paymentId: paid().id,
  attemptId: paid().attemptId,
  processor: 'stripe',
  processorRef: 'issfr_1',
  fraudType: 'misc',
  actionable: true,
  version: 3,
  createdAt: now,
  updatedAt: now,
}
const learn = (warning: typeof row | null, said: Partial<typeof facts> = {}) =>
  planFraudWarning('stripe', { payment: paid(), warning }, { ...facts, ...said }, clockAt())

test('a new one is recorded', () => {
  const plan = learn(null)!
  expect(plan.writes.map(({ kind }) => kind)).toEqual(['insert'])
  expect(plan.events.map(({ type }) => type)).toEqual(['fraud_warning.created'])
})

test('known news write nothing', () => {
  expect(learn(row)).toBeNull()
})

test.each([
  [{ isActionable: false }, { actionable: true }],
  [{ fraudType: 'made_with_lost_card' }, { fraud_type: 'misc' }],
])('%o changes it, and nothing else', (said, before) => {
  const plan = learn(row, said)!
  expect(plan.writes).toMatchObject([{ kind: 'change', id: row.id, version: 3 }])
  expect(plan.events).toMatchObject([{ type: 'fraud_warning.updated', previousAttributes: before }])
})
