import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { stripe } from '../../../src/processors/stripe/index.ts'
import { otherEntry } from '../../support/stripe-payouts.ts'
import { StripeServer, secretKey } from '../../support/stripe-server.ts'

const server = new StripeServer()
let apiBase = ''
beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

const account = 'acct_environment'
const accountId = randomUUID()
const processor = stripe(async ({ kind, id }) => ({
  secretKey,
  apiBase,
  timeoutMs: 2_000,
  name: `payouts-test:${randomUUID()}`,
  id: kind === 'account' ? id : accountId,
  tenantId: kind === 'account' && id === null ? null : 'tn_own',
}))
const payouts = processor.payouts!
const at = (id: string) => `${id}@${accountId}`

const paid = async () => {
  const reference = randomUUID()
  await processor.createAttempt({
    method: 'card',
    reference,
    amountMinor: 120_000n,
    currency: 'mxn',
    merchantName: 'Café Azul',
    accountId,
    token: 'pm_approve',
    installmentMonths: 1,
    capture: 'automatic',
    threeDs: 'automatic',
    buyer: {},
    returnUrl: 'https://pay.example/back',
  })
  return server.intentFor(reference)!.id
}

const entry = (id: string) => server.lookup(id) as Stripe.BalanceTransaction
const fee = () =>
  otherEntry('fee', -500, { type: 'stripe_fee', reporting_category: 'fee', description: 'Radar' })

const facts = {
  accountId,
  tenantId: 'tn_own',
  state: 'pending',
  failureCode: null,
  amountMinor: -500n,
  currency: 'mxn',
  destination: { last4: '9719', bankName: 'BBVA BANCOMER' },
  claveRastreo: null,
  arrivesOn: '2026-11-27',
  entries: 'awaited',
}

test.each<[string, Partial<Stripe.Payout>, object]>([
  ['on its way', { status: 'in_transit' }, { state: 'in_transit' }],
  [
    'paid, with its trace and all entries',
    {
      status: 'paid',
      reconciliation_status: 'completed',
      trace_id: { status: 'supported', value: '085901234567890' },
    },
    { state: 'paid', entries: 'reported', claveRastreo: '085901234567890' },
  ],
  ['canceled', { status: 'canceled' }, { state: 'canceled' }],
  ['made by hand', { reconciliation_status: 'not_applicable' }, { entries: 'never' }],
  ['to nowhere that is reported', { destination: null }, { destination: null }],
])('a payout %s', async (_what, reported, expected) => {
  const { id } = server.payOut(account, [fee()], reported)
  expect(await payouts.fetchPayout(at(id))).toEqual({ ...facts, payoutRef: at(id), ...expected })
})

test.each([
  ['account_closed', 'account_closed'],
  ['no_account', 'account_not_found'],
  ['incorrect_account_holder_name', 'holder_mismatch'],
  ['declined', 'declined_by_bank'],
  ['could_not_process', 'processing_error'],
  [null, 'processing_error'],
])('one that failed by %s', async (failure_code, failureCode) => {
  const { id } = server.payOut(account, [fee()], { status: 'failed', failure_code })
  expect(await payouts.fetchPayout(at(id))).toMatchObject({ state: 'failed', failureCode })
})

test("no payout of the environment's account, none that Stripe has not, and no answer that is not one", async () => {
  const { id } = server.payOut(account, [fee()])
  expect(await payouts.fetchPayout(id)).toBeNull()
  expect(server.seen).toEqual([])
  expect(await payouts.fetchPayout(at('po_none'))).toBeNull()
  server.failNext(/payouts/, '500')
  expect(await payouts.fetchPayout(at(id))).toBe('unknown')
  server.movePayout(id, { livemode: false })
  expect(await payouts.fetchPayout(at(id))).toBe('unknown')
  server.movePayout(id, { livemode: true, status: 'what_stripe_adds' })
  expect(await payouts.fetchPayout(at(id))).toBe('unknown')
  server.failNext(/balance/, '500')
  expect(await payouts.entriesOf(at(id), null)).toBe('unknown')
})

test('a key that may not read the bank account reads the payout without it', async () => {
  const { id } = server.payOut(account, [fee()])
  server.failNext(/payouts/, '403')
  expect(await payouts.fetchPayout(at(id))).toEqual({ ...facts, payoutRef: at(id), destination: null })
})

test('each entry has its kind, the id of what moved, and the words of Stripe; the payout itself is none', async () => {
  const [sold, disputed] = [await paid(), await paid()]
  const refund = server.refundInDashboard(sold, 20_000)
  const dispute = server.dispute(disputed, 'needs_response')
  const taken = dispute.balance_transactions[0]!
  const back = server.payOut(account, [], { amount: 5_000, status: 'failed' })
  const made = [
    entry(`txn_ch${sold.slice(3)}`),
    entry(`txn_${refund.id.replace('_', '')}`),
    taken,
    { ...taken, id: 'txn_back', amount: 120_000, fee: 0, net: 120_000 },
    otherEntry('back', 5_000, {
      type: 'payout_failure',
      reporting_category: 'payout_reversal',
      source: back.id,
    }),
    fee(),
  ]
  const { id } = server.payOut(account, made, { reconciliation_status: 'completed' })
  const page = await payouts.entriesOf(at(id), null)
  if (page === 'unknown') throw new Error('no answer')
  expect(page.readOnFrom).toBeNull()
  expect(page.entries.map(({ kind, sourceRefs, type }) => [kind, sourceRefs, type])).toEqual([
    ['payment', [sold, at(sold)], 'charge'],
    ['refund', [refund.id, at(refund.id)], 'refund'],
    ['dispute_hold', [dispute.id, at(dispute.id)], 'adjustment'],
    ['dispute_release', [dispute.id, at(dispute.id)], 'adjustment'],
    ['payout_reversed', [back.id, at(back.id)], 'payout_failure'],
    ['other', [], 'stripe_fee'],
  ])
  expect(page.entries.map(({ netMinor }) => netMinor)).toEqual(made.map(({ net }) => BigInt(net)))
  for (const { grossMinor, feeMinor, netMinor } of page.entries) expect(grossMinor - feeMinor).toBe(netMinor)
  expect(page.entries.at(-1)).toMatchObject({ description: 'Radar', grossMinor: -500n, currency: 'mxn' })
})

test('a long list is read page by page, each once', async () => {
  const made = Array.from({ length: 7 }, (_, n) => ({ ...fee(), id: `txn_${n}` }))
  const { id } = server.payOut(account, made, { reconciliation_status: 'completed' })
  server.pageMax = 3
  const read: string[] = []
  for (let after: string | null = null; ; ) {
    const page = await payouts.entriesOf(at(id), after)
    if (page === 'unknown') throw new Error('no answer')
    read.push(...page.entries.map(({ entryRef }) => entryRef))
    if (page.readOnFrom === null) break
    after = page.readOnFrom
  }
  expect(read).toEqual(made.map((each) => each.id))
  expect(server.complaints).toEqual([])
})
