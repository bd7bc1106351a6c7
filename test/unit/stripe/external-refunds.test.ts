import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CardCharge } from '../../../src/processors/port.ts'
import { stripe } from '../../../src/processors/stripe/index.ts'
import { refundOf } from '../../support/stripe-aftermath.ts'
import { StripeServer, secretKey } from '../../support/stripe-server.ts'

const server = new StripeServer()
let apiBase = ''
beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

const of = (id: string | null, timeoutMs = 2_000) => ({
  secretKey,
  apiBase,
  timeoutMs,
  name: `made-refunds-test:${id}`,
  id,
  tenantId: id && 'tn',
})
const processor = stripe(async () => of(null))
const refunds = processor.refunds!

const charge = (): CardCharge => ({
  method: 'card',
  reference: randomUUID(),
  amountMinor: 120_000n,
  currency: 'mxn',
  merchantName: 'Café Azul',
  accountId: null,
  token: 'pm_approve',
  installmentMonths: 1,
  capture: 'automatic',
  threeDs: 'automatic',
  buyer: {},
  returnUrl: 'https://pay.example/back',
})

async function paid() {
  const { reference, ...rest } = charge()
  await processor.createAttempt({ reference, ...rest })
  return { attemptReference: reference, intent: server.intentFor(reference)!.id }
}

test.each([
  ['pending', { state: 'processing', code: null }],
  ['requires_action', { state: 'processing', code: null }],
  ['succeeded', { state: 'succeeded', code: null }],
  ['failed', { state: 'failed', code: 'declined_by_bank' }],
  ['canceled', { state: 'failed', code: 'processing_error' }],
])('one that is %s, with the attempt that it belongs to', async (status, expected) => {
  const { attemptReference, intent } = await paid()
  const { id: refundRef } = server.refundInDashboard(intent, 50_000, status)
  expect(await refunds.fetchExternalRefund(refundRef)).toEqual({
    refundRef,
    attemptReference,
    amountMinor: 50_000n,
    currency: 'mxn',
    ...expected,
  })
  expect(server.complaints).toEqual([])
})

test('an unknown future status, and no answer, say nothing', async () => {
  const { intent } = await paid()
  const { id } = server.refundInDashboard(intent, 50_000, 'a_status_of_tomorrow')
  expect(await refunds.fetchExternalRefund(id)).toBe('unknown')
  server.failNext(/GET \/v1\/refunds\//, '500')
  expect(await refunds.fetchExternalRefund(id)).toBe('unknown')
})

test('none: what does not exist, what we sent, and what is of a payment that is not ours', async () => {
  const { attemptReference, intent } = await paid()
  expect(await refunds.fetchExternalRefund('re_missing')).toBeNull()
  const reference = randomUUID()
  const order = { reference, attemptReference, processorRef: intent, accountId: null }
  await refunds.refund({ ...order, reason: 'duplicate', amountMinor: 100n, currency: 'mxn' })
  const [ours] = server.refunds.keys()
  expect(await refunds.fetchExternalRefund(ours!)).toBeNull()
  server.refunds.set('re_foreign', refundOf('re_foreign', 100, 'pi_foreign', {}, 'succeeded'))
  expect(await refunds.fetchExternalRefund('re_foreign')).toBeNull()
  server.move(intent, { metadata: { attempt_id: 'not-one-of-ours' } })
  expect(await refunds.fetchExternalRefund(server.refundInDashboard(intent, 100).id)).toBeNull()
})

test.each(['R-77', 'tn_demo', ''])(
  'one of another program, which calls it %o and copied our attempt',
  async (refund_id) => {
    const { attemptReference, intent } = await paid()
    const { id: refundRef } = server.refundInDashboard(intent, 700)
    const metadata = { refund_id, attempt_id: attemptReference }
    server.refunds.set(refundRef, { ...server.refunds.get(refundRef)!, metadata })
    expect(await refunds.fetchExternalRefund(refundRef)).toMatchObject({ refundRef, attemptReference })
  },
)

test('the release of an authorization is no refund', async () => {
  const { intent } = await paid()
  const made = server.refundInDashboard(intent, 100)
  server.refunds.set(made.id, { ...made, reason: 'expired_uncaptured_charge' })
  expect(await refunds.fetchExternalRefund(made.id)).toBeNull()
})

test('a refund of this attempt that another account reports is not trusted', async () => {
  const { intent } = await paid()
  const { id } = server.refundInDashboard(intent, 100)
  const taken = (by: string | null) =>
    stripe(async ({ kind, id: account }) => of(kind === 'attempt' ? by : account)).refunds!
  expect(await taken('b').fetchExternalRefund(`${id}@a`)).toBeNull()
  expect(await taken(null).fetchExternalRefund(`${id}@a`)).toBeNull()
  expect(await taken('a').fetchExternalRefund(`${id}@a`)).toMatchObject({ refundRef: `${id}@a` })
})
