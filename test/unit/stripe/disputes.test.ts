import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import type { DisputeFacts } from '../../../src/processors/claims.ts'
import type { CardCharge } from '../../../src/processors/port.ts'
import { stripe } from '../../../src/processors/stripe/index.ts'
import { disputeOf } from '../../support/stripe-aftermath.ts'
import { laterSeconds } from '../../support/stripe-answers.ts'
import { intentOf } from '../../support/stripe-intents.ts'
import { StripeServer, secretKey } from '../../support/stripe-server.ts'

const server = new StripeServer()
let account = { name: 'disputes-test', id: null, tenantId: null, secretKey, apiBase: '', timeoutMs: 2_000 }

beforeAll(async () => {
  account = { ...account, apiBase: await server.start() }
})
afterAll(() => server.stop())

const charge: CardCharge = {
  method: 'card',
  reference: uuidv7(Date.now()),
  amountMinor: 120_000n,
  currency: 'mxn',
  merchantName: 'Café de Olla',
  accountId: null,
  token: 'pm_approve',
  installmentMonths: 1,
  capture: 'automatic',
  threeDs: 'automatic',
  buyer: {},
  returnUrl: 'https://pay.spindle.example/back',
}

const posts = () => server.seen.filter(({ method }) => method === 'POST')

test('a dispute: read by its id, evidence sent once each time that it is asked for', async () => {
  const { createAttempt, disputes: rail } = stripe(async () => account)
  const disputes = rail!
  await createAttempt(charge)
  const put = (id: string, status: Stripe.Dispute.Status) =>
    server.disputes.set(id, disputeOf(id, intentOf(server.intentFor(charge.reference)!), status))
  put('dp_1', 'needs_response')
  put('dp_2', 'prevented')
  const facts = {
    disputeRef: 'dp_1',
    attemptReference: charge.reference,
    amountMinor: 120_000n,
    currency: 'mxn',
    reason: 'fraudulent',
    evidenceDueBy: new Date(laterSeconds * 1000),
    costMinor: 17_400n,
  }
  expect(await disputes.fetchDispute('dp_1')).toEqual({ ...facts, state: 'needs_response' })
  expect(await disputes.fetchDispute('dp_2')).toMatchObject({ state: 'won', isPrevented: true })
  for (const due_by of [0, null]) {
    const { evidence_details, ...dispute } = server.disputes.get('dp_1')!
    server.disputes.set('dp_4', { ...dispute, id: 'dp_4', evidence_details: { ...evidence_details, due_by } })
    expect(await disputes.fetchDispute('dp_4')).toMatchObject({ disputeRef: 'dp_4', evidenceDueBy: null })
  }
  expect(await disputes.fetchDispute('dp_3')).toBeNull()
  put('dp_5', 'a_status_of_tomorrow' as Stripe.Dispute.Status)
  expect(await disputes.fetchDispute('dp_5')).toBe('unknown')
  const evidence = { product_description: 'Coffee', waybill: 'W-1' }
  server.failNext(/disputes/, '500_kept')
  expect(await disputes.submitEvidence('dp_1', evidence)).toBe('unknown')
  for (const _ of [1, 2])
    expect(await disputes.submitEvidence('dp_1', evidence)).toEqual({ ...facts, state: 'under_review' })
  expect(posts().at(-1)!.fields).toMatchObject({
    'evidence[product_description]': 'Coffee',
    'evidence[uncategorized_text]': 'waybill: W-1',
    submit: 'true',
  })
  // After it was won Stripe asks again, and gets the same evidence.
  put('dp_1', 'appeal_needs_response')
  expect(await disputes.fetchDispute('dp_1')).toEqual({ ...facts, state: 'needs_response' })
  expect(await disputes.submitEvidence('dp_1', evidence)).toEqual({ ...facts, state: 'under_review' })
  // A key of its own each time: under an old key Stripe would repeat its old reply.
  expect(new Set(posts().map(({ key }) => key)).size).toBe(posts().length)
  server.failNext(/disputes/, '500')
  expect(await disputes.fetchDispute('dp_1')).toBe('unknown')
  expect(server.complaints).toEqual([])
})

test('a dispute costs what Stripe took for it and has not given back, where it says so in the currency', async () => {
  const { createAttempt, disputes } = stripe(async () => account)
  await createAttempt(charge)
  const intent = intentOf(server.intentFor(charge.reference)!)
  const made = disputeOf('dp_1', intent, 'lost')
  const inDollars = { ...made.balance_transactions[0]!, currency: 'usd' }
  const table: [told: Stripe.Dispute, costMinor: bigint | undefined][] = [
    [made, 17_400n],
    [disputeOf('dp_1', intent, 'won'), 0n],
    [{ ...made, balance_transactions: [] }, undefined],
    [{ ...made, balance_transactions: [inDollars] }, undefined],
  ]
  for (const [told, costMinor] of table) {
    server.disputes.set('dp_1', told)
    expect(((await disputes!.fetchDispute('dp_1')) as DisputeFacts).costMinor).toBe(costMinor)
  }
})

test('an inquiry says that it is one, takes evidence, and becomes the dispute under its own id', async () => {
  const { createAttempt, disputes } = stripe(async () => account)
  const { fetchDispute, submitEvidence } = disputes!
  const asked = { ...charge, reference: uuidv7(Date.now()) }
  await createAttempt(asked)
  const intent = server.intentFor(asked.reference)!.id
  const { id } = server.dispute(intent, 'warning_needs_response')
  const facts = {
    disputeRef: id,
    attemptReference: asked.reference,
    amountMinor: 120_000n,
    currency: 'mxn',
    reason: 'fraudulent',
    evidenceDueBy: new Date(laterSeconds * 1000),
  }
  expect(await fetchDispute(id)).toEqual({ ...facts, state: 'inquiry_needs_response' })
  for (const _ of [1, 2])
    expect(await submitEvidence(id, { product_description: 'Coffee' })).toEqual({
      ...facts,
      state: 'inquiry_under_review',
    })
  server.moveDispute(id, 'warning_closed')
  expect(await fetchDispute(id)).toEqual({ ...facts, state: 'inquiry_closed' })
  server.moveDispute(id, 'needs_response')
  expect(await fetchDispute(id)).toEqual({ ...facts, state: 'needs_response', costMinor: 17_400n })
})

test('a fraud warning: of which payment, what the bank says, and whether anything can be done', async () => {
  const { createAttempt, fraudWarnings } = stripe(async () => account)
  const { fetchFraudWarning } = fraudWarnings!
  const reported = { ...charge, reference: uuidv7(Date.now()) }
  await createAttempt(reported)
  const intent = server.intentFor(reported.reference)!.id
  const { id: warningRef } = server.warn(intent)
  const facts = { warningRef, attemptReference: reported.reference, fraudType: 'made_with_stolen_card' }
  expect(await fetchFraudWarning(warningRef)).toEqual({ ...facts, isActionable: true })
  server.dispute(intent, 'warning_needs_response')
  expect(await fetchFraudWarning(warningRef)).toEqual({ ...facts, isActionable: true })
  server.refundInDashboard(intent, 120_000)
  expect(await fetchFraudWarning(warningRef)).toEqual({ ...facts, isActionable: false })
  expect(await fetchFraudWarning('issfr_none')).toBeNull()
  // A charge made without an intent has none.
  for (const none of [null, undefined]) {
    const warning = server.warnings.get(warningRef)!
    server.warnings.set('issfr_1', { ...warning, id: 'issfr_1', payment_intent: none as never })
    expect(await fetchFraudWarning('issfr_1')).toBeNull()
  }
  server.failNext(/early_fraud_warnings/, '500')
  expect(await fetchFraudWarning(warningRef)).toBe('unknown')
  expect(server.complaints).toEqual([])
})

test('a draft stays with Stripe, what is too long is refused, and an accepted dispute is lost, once', async () => {
  const { createAttempt, disputes } = stripe(async () => account)
  const { draftEvidence, submitEvidence, acceptDispute, fetchDispute } = disputes!
  const given = { ...charge, reference: uuidv7(Date.now()) }
  await createAttempt(given)
  const { id } = server.dispute(server.intentFor(given.reference)!.id, 'needs_response')
  const draft = { product_description: 'Coffee' }
  expect(await draftEvidence(id, draft)).toMatchObject({ state: 'needs_response' })
  expect(posts().at(-1)!.fields).toMatchObject({ submit: 'false' })
  expect(server.disputes.get(id)).toMatchObject({
    evidence: draft,
    evidence_details: { has_evidence: true, submission_count: 0 },
  })
  const book = { access_activity_log: 'x'.repeat(200_000) }
  for (const send of [draftEvidence, submitEvidence]) expect(await send(id, book)).toBe('too_long')
  server.failNext(/POST \/v1\/disputes/, '400')
  expect(await submitEvidence(id, draft)).toBe('refused')
  server.failNext(/close/, '500')
  expect(await acceptDispute(id)).toBe('unknown')
  for (const _ of [1, 2]) expect(await acceptDispute(id)).toMatchObject({ state: 'lost' })
  expect(await submitEvidence(id, draft)).toMatchObject({ state: 'lost' })
  expect(await fetchDispute(id)).toMatchObject({ state: 'lost' })
  expect(server.complaints).toEqual([])
})
