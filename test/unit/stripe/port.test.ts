import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { stripe } from '../../../src/processors/stripe/index.ts'
import { newReference, OtherProcessor } from '../../support/other-processor.ts'
import { type PortWorld, portSuite } from '../../support/port-suite.ts'
import { cardCharge, readerOrder } from '../../support/stripe-orders.ts'
import { StripeServer, secretKey } from '../../support/stripe-server.ts'

// One suite of the port: Stripe's stand-in here and a processor of another kind; the simulator in
// test/integration/sandbox/port.test.ts.

const server = new StripeServer()
let apiBase = ''
beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

let worlds = 0
const intentOf = (reference: string) => server.intentFor(reference)!.id

portSuite('stripe', (): PortWorld => {
  const account = { id: null, tenantId: null, secretKey, apiBase, timeoutMs: 2_000 }
  const name = `port-${++worlds}`
  return {
    processor: stripe(async () => ({ ...account, name })),
    tokens: {
      approved: 'pm_approve',
      declined: 'pm_funds',
      challenged: 'pm_challenge',
      unknown: 'pm_unknown',
    },
    lose: (what) => server.failNext(/POST \/v1\/payment_intents$/, what === 'charge' ? 'cut' : 'cut_after'),
    chargesOf: (reference) =>
      [...server.intents.values()].filter(({ metadata }) => metadata.attempt_id === reference).length,
    confirm: (reference) => server.move(intentOf(reference), { status: 'succeeded' }),
    payVoucher: (reference) => server.move(intentOf(reference), { status: 'succeeded' }),
    transfer: (reference, _, amountMinor) => {
      const { customer = '' } = server.intentFor(reference)!
      const { id } = server.deposit(customer, `ccsbtxn_${amountMinor}`, Number(amountMinor))
      return `${customer}/${id}`
    },
    dispute: (reference) => server.dispute(intentOf(reference), 'needs_response').id,
    decide: (disputeRef) => server.moveDispute(disputeRef, 'won'),
    devices: {
      code: () => readerOrder(server).code,
      holdCard: (_, { readerRef }) => server.presentCard(readerRef!),
    },
  }
})

let other = new OtherProcessor()
beforeEach(() => {
  other = new OtherProcessor()
})

portSuite('another', () => ({
  processor: other.processor(),
  tokens: { approved: 'tok_a', declined: 'tok_declined', challenged: 'tok_challenged', unknown: 'none' },
  lose: (what) => {
    other.lose = what === 'charge' ? 'order' : what
  },
  chargesOf: (reference) => other.orders.filter((each) => each.reference === reference).length,
  confirm: (reference) => other.pay(reference),
  payVoucher: (reference) => other.pay(reference),
  transfer: (reference, _, amountMinor) => other.transfer(reference, amountMinor),
  dispute: (reference) => other.dispute(reference),
  decide: (disputeRef) => other.decide(disputeRef),
}))

test('another: without a phone number nothing is charged; refunds carry their reason', async () => {
  const processor = other.processor()
  const charge = { ...cardCharge('tok_a'), buyer: { email: 'ana@example.com' } }
  expect(await processor.createAttempt(charge)).toMatchObject({ state: 'declined' })
  expect(other.orders).toEqual([])
  const taken = { ...charge, buyer: { ...charge.buyer, phone: '+525512345678' } }
  await processor.createAttempt(taken)
  await processor.refunds!.refund({
    reference: newReference(),
    attemptReference: taken.reference,
    processorRef: null,
    accountId: null,
    reason: 'not_delivered',
    amountMinor: 100n,
    currency: 'mxn',
  })
  expect(other.refunds).toMatchObject([{ reason: 'not_delivered' }])
})
