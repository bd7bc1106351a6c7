import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import type { CardCharge } from '../../../src/processors/port.ts'
import { accountFacts, keyPair, stripe } from '../../../src/processors/stripe/index.ts'
import { disputeOf } from '../../support/stripe-aftermath.ts'
import { intentOf } from '../../support/stripe-intents.ts'
import { pushCharge } from '../../support/stripe-orders.ts'
import { publishableKey, StripeServer, secretKey } from '../../support/stripe-server.ts'

const server = new StripeServer()
let apiBase = ''

beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

const chargeAt = (accountId: string | null): CardCharge => ({
  method: 'card',
  reference: uuidv7(Date.now()),
  amountMinor: 120_000n,
  currency: 'mxn',
  merchantName: 'Café de Olla',
  accountId,
  buyer: {},
  token: 'pm_approve',
  installmentMonths: 1,
  capture: 'automatic',
  threeDs: 'automatic',
  returnUrl: 'https://pay.spindle.example/back',
})

const of = (id: string | null) => ({
  secretKey,
  apiBase,
  timeoutMs: 2_000,
  name: `accounts-test:${id}`,
  id,
  tenantId: id && 'tn',
})

test('every call about an attempt goes to the account that the attempt names', async () => {
  const asked: unknown[] = []
  const { describe, accountOf, createAttempt, fetchAttempt, capture, cancel, refunds, deposits } = stripe(
    async (subject) => {
      asked.push(subject.kind === 'account' ? subject.id : subject)
      return of(subject.kind === 'sale' ? 'active' : subject.id)
    },
  )
  const known = { processorRef: null, accountId: 'a' }
  const reason = 'requested_by_customer' as const
  const order = { ...known, reference: 'r', attemptReference: 'x', reason, amountMinor: 1n, currency: 'mxn' }
  const charge = chargeAt('a')
  await createAttempt(charge)
  await fetchAttempt(charge.reference, known)
  await capture!(charge.reference, 1n, known)
  await cancel(charge.reference, known)
  await refunds!.refund(order)
  await refunds!.fetchRefund('r', order)
  await deposits!.depositsOf!(charge.reference, known)
  expect(asked).toEqual(Array(7).fill('a'))
  const sale = { amountMinor: 1_000n, currency: 'mxn', installments: false, publicId: 'splink_1' }
  expect(await describe('pm_approve', sale)).toMatchObject({ accountId: 'active' })
  expect(await accountOf!('splink_1')).toBe('active')
  expect(asked.slice(7)).toEqual(Array(2).fill({ kind: 'sale', id: 'splink_1' }))
})

test('an account says what it may do, and what is missing', async () => {
  const { name, timeoutMs } = of(null)
  const facts = (key = secretKey) => accountFacts({ name, secretKey: key, apiBase, timeoutMs })
  const all = {
    accountRef: 'acct_environment',
    livemode: true,
    country: 'MX',
    chargesEnabled: true,
    methods: { card: 'active', oxxo: 'active', spei: 'active' },
  }
  expect(await facts()).toEqual(all)
  const settings = server.settings()
  settings.country = 'US'
  settings.chargesEnabled = false
  settings.capabilities = { card_payments: 'active', oxxo_payments: 'pending' }
  settings.off.add('card')
  expect(await facts()).toEqual({
    ...all,
    country: 'US',
    chargesEnabled: false,
    methods: { card: 'off', oxxo: 'pending', spei: null },
  })
  // A restricted key without the right to read the switches.
  server.failNext(/configurations/, '403')
  expect(await facts()).toMatchObject({ methods: { card: 'active' } })
  server.accounts.set('rk_test_stand-in', 'acct_environment')
  expect(await facts('rk_test_stand-in')).toMatchObject({ livemode: false })
  server.accounts.delete('rk_test_stand-in')
  expect(await facts('sk_live_of-nobody')).toBe('refused')
  server.failNext(/account$/, '500')
  await expect(facts()).rejects.toThrow()
})

test('a publishable key belongs to the account of the secret key, or does not; the question is ended', async () => {
  const { name, timeoutMs } = of(null)
  const pair = (publishable: string, key = secretKey) =>
    keyPair({ name, secretKey: key, apiBase, timeoutMs }, publishable)
  server.pages.set('pk_live_other', 'acct_other')
  expect(await pair(publishableKey)).toBe('one_account')
  expect(await pair('pk_live_other')).toBe('two_accounts')
  expect(await pair('pk_live_of-nobody')).toBe('publishable_refused')
  expect([...server.intents.values()].map(({ status }) => status)).toEqual(Array(3).fill('canceled'))
  expect(await pair(publishableKey, 'sk_live_of-nobody')).toBe('secret_refused')
  server.failNext(/POST \/v1\/payment_intents$/, '403')
  expect(await pair(publishableKey)).toBe('secret_refused')
  server.failNext(/GET \/v1\/payment_intents/, '500')
  await expect(pair(publishableKey)).rejects.toThrow()
  expect(server.intents.size).toBe(4)
  expect([...server.intents.values()].every(({ status }) => status === 'canceled')).toBe(true)
})

test('without an account nothing is sent and nothing is unknown', async () => {
  const { createAttempt } = stripe(() => Promise.reject(new Error('none')))
  expect(await createAttempt(chargeAt('a'))).toMatchObject({ state: 'declined', category: 'soft' })
  expect(server.seen).toEqual([])
})

test('a dispute of this attempt that another account reports is not trusted', async () => {
  const charge = chargeAt(null)
  await stripe(async () => of(null)).createAttempt(charge)
  server.disputes.set(
    'dp_1',
    disputeOf('dp_1', intentOf(server.intentFor(charge.reference)!), 'needs_response'),
  )
  const taken = (by: string | null) =>
    stripe(async ({ kind, id }) => of(kind === 'attempt' ? by : id)).disputes!
  const [told, evidence] = ['dp_1@a', { product_description: 'Coffee' }]
  expect(await taken('b').fetchDispute(told)).toBeNull()
  expect(await taken(null).fetchDispute(told)).toBeNull()
  expect(await taken('b').submitEvidence(told, evidence)).toBeNull()
  expect(await taken('a').fetchDispute(told)).toMatchObject({ disputeRef: told })
  expect(await taken(null).fetchDispute('dp_1')).toMatchObject({ disputeRef: 'dp_1' })
})

test('what another account reports of the balance of this attempt’s buyer is not trusted', async () => {
  const charge = pushCharge('spei')
  await stripe(async () => of(null)).createAttempt(charge)
  const { customer = '' } = server.intentFor(charge.reference)!
  const told = `${customer}/${server.cash(customer, 'funding_reversed', 700).id}`
  const taken = (by: string | null) =>
    stripe(async ({ kind, id }) => of(kind === 'attempt' ? by : id)).deposits!
  expect(await taken('b').fetchMovement!(`${told}@a`)).toBeNull()
  expect(await taken(null).fetchMovement!(`${told}@a`)).toBeNull()
  expect(await taken('a').fetchMovement!(`${told}@a`)).toMatchObject({ movementRef: `${told}@a` })
  expect(await taken(null).fetchMovement!(told)).toMatchObject({ movementRef: told, kind: 'reversed' })
  const arrived = `${customer}/${server.deposit(customer, 'ccsbtxn_1', 700).id}`
  expect(await taken('b').fetchDeposit(`${arrived}@a`)).toBeNull()
  expect(await taken(null).fetchDeposit(`${arrived}@a`)).toBeNull()
  expect(await taken('a').fetchDeposit(`${arrived}@a`)).toMatchObject({ depositRef: `${arrived}@a` })
  expect(await taken(null).fetchDeposit(arrived)).toMatchObject({ depositRef: arrived, account: null })
})
