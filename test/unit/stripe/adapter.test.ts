import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, mexicoCityDate, mexicoCityInstant } from '../../../src/kernel/bank-days.ts'
import { isClabe } from '../../../src/kernel/clabe.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import type { RefundOrder } from '../../../src/processors/port.ts'
import { laterSeconds } from '../../support/stripe-answers.ts'
import { clabeOf, depositOf } from '../../support/stripe-cash.ts'
import { costs } from '../../support/stripe-charges.ts'
import { cardCharge, processorAt, pushCharge, refundOrder } from '../../support/stripe-orders.ts'
import { type Fault, StripeServer } from '../../support/stripe-server.ts'

const server = new StripeServer()
let apiBase = ''

beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

const processor = (timeoutMs?: number) => processorAt(apiBase, timeoutMs)

const card = { brand: 'visa', last4: '4242', bin6: '', funding: 'credit' }
const posts = () => server.seen.filter(({ method }) => method === 'POST')

test('a card is one request, under our attempt id, with the amount in minor units', async () => {
  const charge = cardCharge('pm_approve')
  const answer = await processor().createAttempt(charge)
  const { id: processorRef, created } = server.intentFor(charge.reference)!
  expect(answer).toEqual({
    state: 'captured',
    amountMinor: 120_000n,
    currency: 'mxn',
    card,
    processorRef,
    settledOn: addDays(mexicoCityDate(new Date(created * 1000 - 1)), costs.card.days + 1),
  })
  expect(server.seen).toHaveLength(1)
  expect(server.seen[0]).toMatchObject({
    key: charge.reference,
    fields: {
      amount: '120000',
      'metadata[attempt_id]': charge.reference,
      capture_method: 'automatic',
      payment_method: 'pm_approve',
      return_url: charge.returnUrl,
    },
  })
  expect(server.complaints).toEqual([])
})

test.each([
  ['pm_funds', 'insufficient_funds', 'soft'],
  ['pm_stolen', 'suspected_fraud', 'fraud'],
  ['pm_unknown', 'processing_error', 'hard'],
])('%s is declined: %s, %s', async (token, code, category) => {
  expect(await processor().createAttempt(cardCharge(token))).toMatchObject({
    state: 'declined',
    code,
    category,
  })
  expect(server.complaints).toEqual([])
})

test('a confirmation token goes as one', async () => {
  expect(await processor().createAttempt(cardCharge('ctoken_approve'))).toMatchObject({ state: 'captured' })
  expect(server.seen[0]!.fields).toMatchObject({ confirmation_token: 'ctoken_approve' })
  expect(server.complaints).toEqual([])
})

test('3-D Secure is asked for where it is required, and nowhere else', async () => {
  for (const threeDs of ['required', 'automatic'] as const)
    await processor().createAttempt(cardCharge('pm_approve', { threeDs }))
  const asked = 'payment_method_options[card][request_three_d_secure]'
  expect(server.seen.map(({ fields }) => fields[asked])).toEqual(['any', undefined])
  expect(server.complaints).toEqual([])
})

test('how the bank authenticated the buyer is read from the charge', async () => {
  const threeDs = {
    eci: '05',
    trans_status: 'authenticated',
    ds_trans_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  }
  const charge = cardCharge('pm_challenge')
  const { createAttempt, fetchAttempt } = processor()
  await createAttempt(charge)
  server.move(server.intentFor(charge.reference)!.id, { status: 'succeeded' })
  expect(await fetchAttempt(charge.reference)).toMatchObject({ state: 'captured', threeDs })
})

test('a term goes as a fixed plan; the terms of a card are asked with a PaymentIntent that is ended', async () => {
  const sale = {
    amountMinor: 120_000n,
    currency: 'mxn',
    installments: true,
    publicId: `splink_${'0'.repeat(32)}`,
  }
  const told = await processor().describe('pm_msi', sale)
  expect(told).toMatchObject({ installmentMonths: [3, 6, 9, 12], card: { last4: '0008' } })
  expect(server.seen.map(({ path }) => path.split('/').at(-1))).toEqual(['payment_intents', 'cancel'])
  expect(await processor().describe('pm_approve', sale)).toMatchObject({ installmentMonths: [] })
  expect([...server.intents.values()].map(({ status }) => status)).toEqual(['canceled', 'canceled'])
  expect(await processor().describe('pm_unknown', sale)).toBeNull()
  expect(await processor().describe('tok_sbx_approve', sale)).toBeNull()
  const charge = cardCharge('pm_msi', { installmentMonths: 6 })
  await processor().createAttempt(charge)
  expect(server.seen.at(-1)!.fields).toMatchObject({
    'payment_method_options[card][installments][plan][count]': '6',
    'payment_method_options[card][installments][plan][interval]': 'month',
    'payment_method_options[card][installments][plan][type]': 'fixed_count',
  })
  expect(server.complaints).toEqual([])
})

test('without terms a card is only looked up', async () => {
  const sale = { amountMinor: 5_000n, currency: 'usd', installments: true, publicId: '' }
  const facts = { card, fingerprint: 'fp4242', installmentMonths: [], accountId: null }
  expect(await processor().describe('pm_approve', sale)).toEqual(facts)
  expect(await processor().describe('ctoken_approve', sale)).toEqual(facts)
  expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'GET'])
  expect(server.complaints).toEqual([])
})

test('authorized, captured in part, and the rest voided; a second capture is the same one', async () => {
  const charge = cardCharge('pm_approve', { capture: 'manual' })
  const { createAttempt, capture } = processor()
  const authorized = await createAttempt(charge)
  expect(authorized).toMatchObject({
    state: 'authorized',
    amountMinor: 120_000n,
    captureBefore: new Date(laterSeconds * 1000),
  })
  const known = server.intentFor(charge.reference)!.id
  for (const _ of [1, 2])
    expect(await capture(charge.reference, 70_000n, known)).toMatchObject({
      state: 'captured',
      amountMinor: 70_000n,
    })
  expect(posts().map(({ key }) => key)).toEqual([
    charge.reference,
    expect.stringContaining(`${charge.reference}:capture:`),
  ])
  expect(server.complaints).toEqual([])
})

test('a failure that Stripe keeps repeating under its key prevents neither capture nor void', async () => {
  const { createAttempt, capture, cancel } = processor()
  const [taken, letGo] = [
    cardCharge('pm_approve', { capture: 'manual' }),
    cardCharge('pm_approve', { capture: 'manual' }),
  ]
  for (const charge of [taken, letGo]) await createAttempt(charge)
  server.failNext(/capture$/, '500_kept')
  expect(await capture(taken.reference, 120_000n)).toEqual({ state: 'unknown' })
  expect(await capture(taken.reference, 120_000n)).toMatchObject({ state: 'captured' })
  server.failNext(/cancel$/, '500_kept')
  expect(await cancel(letGo.reference)).toEqual({ state: 'unknown' })
  expect(await cancel(letGo.reference)).toEqual({ state: 'canceled' })
  expect(server.complaints).toEqual([])
})

test('an authorization is voided; a captured one stays captured', async () => {
  const { createAttempt, cancel } = processor()
  const held = cardCharge('pm_approve', { capture: 'manual' })
  await createAttempt(held)
  expect(await cancel(held.reference)).toEqual({ state: 'canceled' })
  const paid = cardCharge('pm_approve')
  await createAttempt(paid)
  expect(await cancel(paid.reference)).toMatchObject({ state: 'captured' })
  expect(server.complaints).toEqual([])
})

test('a challenge sends the buyer to the bank; a failed one is closed before it counts as declined', async () => {
  const charge = cardCharge('pm_challenge')
  const { createAttempt, fetchAttempt } = processor()
  const answer = await createAttempt(charge)
  expect(answer).toMatchObject({ state: 'pending_customer', action: { type: 'redirect' } })
  const { id } = server.intentFor(charge.reference)!
  server.move(id, {
    status: 'requires_payment_method',
    error: { code: 'payment_intent_authentication_failure' },
  })
  const declined = { state: 'declined', code: 'authentication_failed', category: 'auth' }
  expect(await fetchAttempt(charge.reference)).toMatchObject(declined)
  expect(server.intents.get(id)!.status).toBe('canceled')
  expect(await fetchAttempt(charge.reference, id)).toMatchObject(declined)
  expect(server.complaints).toEqual([])
})

test('OXXO: a voucher; unpaid it ends without money', async () => {
  const charge = pushCharge('oxxo')
  const { createAttempt, fetchAttempt } = processor()
  const expiresAt = new Date(mexicoCityInstant(mexicoCityDate(charge.expiresAt), '23:59').getTime() + 59_000)
  expect(await createAttempt(charge)).toMatchObject({
    state: 'pending_customer',
    action: { type: 'voucher', reference: expect.stringMatching(/^\d{32}$/), expiresAt },
  })
  expect(server.seen[0]!.fields).toMatchObject({
    'payment_method_options[oxxo][expires_after_days]': '3',
    'payment_method_data[billing_details][name]': 'Ana Prueba',
    return_url: charge.returnUrl,
  })
  const { id } = server.intentFor(charge.reference)!
  server.move(id, {
    status: 'requires_payment_method',
    error: { code: 'payment_intent_payment_attempt_expired' },
  })
  // Ended before its time, it never was a voucher; after it, cash that was taken in time may still be reported.
  const put = (expiresAt: Date) =>
    server.move(id, { metadata: { attempt_id: charge.reference, expires_at: expiresAt.toISOString() } })
  put(new Date(Date.now() - 3_600_000))
  expect(await fetchAttempt(charge.reference)).toEqual({ state: 'unknown' })
  expect(server.intents.get(id)!.status).toBe('requires_payment_method')
  put(new Date(Date.now() - 30 * 86_400_000))
  expect(await fetchAttempt(charge.reference)).toEqual({ state: 'canceled' })
  expect(server.intents.get(id)!.status).toBe('canceled')
  const paid = pushCharge('oxxo')
  await createAttempt(paid)
  server.move(server.intentFor(paid.reference)!.id, { status: 'succeeded' })
  expect(await fetchAttempt(paid.reference)).toMatchObject({
    state: 'captured',
    amountMinor: 120_000n,
    card: null,
  })
  expect(server.complaints).toEqual([])
})

test('SPEI: a customer and a CLABE for every attempt; deposits are read by customer', async () => {
  const charge = pushCharge('spei')
  const { createAttempt, fetchAttempt, deposits } = processor()
  const pending = await createAttempt(charge)
  const customer = server.intentFor(charge.reference)!.customer!
  const clabe = clabeOf(customer)
  const action = { type: 'clabe', clabe, bankName: 'CITI MEXICO', expiresAt: charge.expiresAt }
  expect(pending).toMatchObject({ state: 'pending_customer', action })
  expect(isClabe(clabe)).toBe(true)
  expect(posts().map(({ key }) => key)).toEqual([`${charge.reference}:customer`, charge.reference])
  expect(posts()[0]!.fields['cash_balance[settings][reconciliation_mode]']).toBe('automatic')
  expect(posts()[1]!.fields.return_url).toBe(charge.returnUrl)
  expect(await fetchAttempt(charge.reference)).toMatchObject({ state: 'pending_customer', action })
  const ref = `${customer}/ccsbtxn_1AbC`
  server.deposits.set(ref, depositOf(customer, 'ccsbtxn_1AbC', 50_000, Date.UTC(2026, 5, 13, 3) / 1000))
  expect(await deposits.fetchDeposit(ref)).toMatchObject({
    depositRef: ref,
    clabe,
    amountMinor: 50_000n,
    currency: 'mxn',
    claveRastreo: 'ccsbtxn1AbC',
    operatedOn: '2026-06-12',
    attemptReference: charge.reference,
  })
  expect(await deposits.fetchDeposit('cus_1/ccsbtxn_2')).toBeNull()
  const all = await deposits.depositsOf!(charge.reference)
  expect(all).toMatchObject([{ depositRef: ref, amountMinor: 50_000n, attemptReference: charge.reference }])
  // Deposits may have reached even a payment that search does not show: Stripe's own id finds it.
  server.searchable = false
  await expect(deposits.depositsOf!(charge.reference)).rejects.toThrow('is not found')
  const processorRef = server.intentFor(charge.reference)!.id
  expect(await deposits.depositsOf!(charge.reference, processorRef)).toEqual(all)
  expect(server.complaints).toEqual([])
})

test('SPEI is paid when Stripe has applied the whole amount, and not before', async () => {
  const [charge, other] = [pushCharge('spei'), pushCharge('spei')]
  const { createAttempt, fetchAttempt, deposits } = processor()
  for (const each of [charge, other]) await createAttempt(each)
  const [{ id, customer }, second] = [server.intentFor(charge.reference)!, server.intentFor(other.reference)!]
  expect(clabeOf(customer!)).not.toBe(clabeOf(second.customer!))
  server.deposit(customer!, 'ccsbtxn_a', 50_000)
  expect(await fetchAttempt(charge.reference, id)).toMatchObject({ state: 'pending_customer' })
  server.deposit(customer!, 'ccsbtxn_b', 80_000)
  expect(await fetchAttempt(charge.reference, id)).toMatchObject({
    state: 'captured',
    amountMinor: 120_000n,
    card: null,
  })
  expect(server.balanceOf(customer!)).toBe(10_000)
  expect(await deposits.depositsOf!(charge.reference, id)).toHaveLength(2)
  expect(await fetchAttempt(other.reference)).toMatchObject({ state: 'pending_customer' })
  expect(server.complaints).toEqual([])
})

test.each([
  ['Café de Olla', 'Cafe de Ol'],
  ['<Ñandú> "S.A." & Co*', 'Nandu S.A.'],
  ['  2 × 4  ', null],
  ['東京', null],
  ['Y', 'Y'],
])('the statement shows the merchant %s as %s', async (merchantName, suffix) => {
  await processor().createAttempt(cardCharge('pm_approve', { merchantName }))
  expect(server.seen[0]!.fields.statement_descriptor_suffix).toBe(suffix ?? undefined)
  expect(server.complaints).toEqual([])
})

const faults: Fault[] = ['time_out', 'time_out_after', 'cut', 'cut_after', '500', '500_after', '409']

test.each(faults)('a charge that met "%s" is unknown, and then found or closed for good', async (fault) => {
  const charge = cardCharge('pm_approve')
  const { createAttempt, fetchAttempt, cancel } = processor(300)
  server.failNext(/POST \/v1\/payment_intents$/, fault)
  expect(await createAttempt(charge)).toEqual({ state: 'unknown' })
  const arrived = fault.endsWith('_after')
  expect(await fetchAttempt(charge.reference)).toMatchObject({ state: arrived ? 'captured' : 'not_found' })
  expect(await cancel(charge.reference)).toMatchObject({ state: arrived ? 'captured' : 'canceled' })
  // The charge itself arrives late, and finds its reference closed.
  const late = await createAttempt(charge)
  expect(late).toMatchObject({ state: arrived ? 'captured' : 'unknown' })
  const taken = [...server.intents.values()].filter(({ status }) => status === 'succeeded')
  expect(taken).toHaveLength(arrived ? 1 : 0)
  expect(server.complaints).toEqual([])
})

test('search that is behind closes no charge that arrived', async () => {
  const charge = cardCharge('pm_approve')
  const { createAttempt, fetchAttempt, cancel } = processor()
  await createAttempt(charge)
  server.searchable = false
  expect(await fetchAttempt(charge.reference)).toEqual({ state: 'not_found' })
  expect(await cancel(charge.reference)).toEqual({ state: 'unknown' })
  server.searchable = true
  expect(await fetchAttempt(charge.reference)).toMatchObject({ state: 'captured' })
  expect(server.intents.size).toBe(1)
})

test('the reference of a charge that never arrived stays closed', async () => {
  const reference = uuidv7(Date.now())
  const { cancel, fetchAttempt } = processor()
  for (const _ of [1, 2]) expect(await cancel(reference)).toEqual({ state: 'canceled' })
  expect(await fetchAttempt(reference)).toEqual({ state: 'canceled' })
  expect(server.intents.size).toBe(1)
  expect(server.complaints).toEqual([])
})

async function paidOrder(amountMinor: bigint): Promise<RefundOrder> {
  const charge = cardCharge('pm_approve')
  await processor().createAttempt(charge)
  return refundOrder(server, charge, amountMinor)
}

test('a refund is one, however often it is sent, even after Stripe forgot its key', async () => {
  const order = await paidOrder(50_000n)
  const { refunds } = processor()
  const done = { state: 'succeeded', amountMinor: 50_000n, currency: 'mxn' }
  expect(await refunds.fetchRefund(order.reference, order)).toEqual({ state: 'not_found' })
  for (const _ of [1, 2]) expect(await refunds.refund(order)).toMatchObject(done)
  server.forgetKeys()
  expect(await refunds.refund({ ...order, processorRef: null })).toMatchObject(done)
  expect(await refunds.fetchRefund(order.reference, order)).toMatchObject(done)
  expect(server.refunds.size).toBe(1)
  expect(posts().at(-1)!.key).toBe(`${order.reference}:refund`)
  expect(server.complaints).toEqual([])
})

test.each([
  ['pending', { state: 'processing' }],
  ['failed', { state: 'failed', code: 'declined_by_bank' }],
])('a refund that is %s', async (status, expected) => {
  const order = await paidOrder(50_000n)
  server.refundStatus = status
  expect(await processor().refunds.refund(order)).toMatchObject(expected)
})

test('a refund above what was paid fails; one without an answer is unknown', async () => {
  const { refunds } = processor(300)
  const order = await paidOrder(120_001n)
  expect(await refunds.refund(order)).toEqual({ state: 'failed', code: 'processing_error' })
  const quiet = await paidOrder(1_000n)
  server.failNext(/POST \/v1\/refunds/, 'time_out_after')
  expect(await refunds.refund(quiet)).toEqual({ state: 'unknown' })
  expect(await refunds.fetchRefund(quiet.reference, quiet)).toMatchObject({ state: 'succeeded' })
})

test('after several charges without an answer no further one is sent; reads still are', async () => {
  const { createAttempt, fetchAttempt } = processor()
  for (let at = 0; at < 5; at++) {
    server.failNext(/POST/, '500')
    expect(await createAttempt(cardCharge('pm_approve'))).toEqual({ state: 'unknown' })
  }
  const sent = server.seen.length
  expect(await createAttempt(cardCharge('pm_approve'))).toMatchObject({
    state: 'declined',
    code: 'processing_error',
    category: 'soft',
  })
  expect(server.seen).toHaveLength(sent)
  expect(await fetchAttempt(uuidv7(Date.now()))).toEqual({ state: 'not_found' })
})

test('after several reads without an answer charges still go out', async () => {
  const { createAttempt, fetchAttempt } = processor()
  server.failNext(/GET/, '500', 5)
  for (let at = 0; at < 6; at++) expect(await fetchAttempt(uuidv7(Date.now()))).toEqual({ state: 'unknown' })
  expect(server.seen).toHaveLength(5)
  expect(await createAttempt(cardCharge('pm_approve'))).toMatchObject({ state: 'captured' })
})
