import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CashType } from '../../support/stripe-cash.ts'
import { processorAt, pushCharge, refundOrder } from '../../support/stripe-orders.ts'
import { StripeServer } from '../../support/stripe-server.ts'

const server = new StripeServer()
let apiBase = ''
beforeAll(async () => {
  apiBase = await server.start()
})
afterAll(() => server.stop())
beforeEach(() => server.reset())

/** A SPEI payment that waits, at its own customer. */
async function waiting() {
  const processor = processorAt(apiBase)
  const charge = pushCharge('spei')
  await processor.createAttempt(charge)
  const { id, customer = '' } = server.intentFor(charge.reference)!
  return { ...processor, charge, id, customer, reference: charge.reference }
}

test('every transfer of an attempt is read, whatever Stripe has applied of it', async () => {
  const { deposits, reference, id, customer, cancel } = await waiting()
  const read = async () =>
    (await deposits.depositsOf(reference, id)).map(({ depositRef, amountMinor }) => [depositRef, amountMinor])
  const [first, second] = [`${customer}/ccsbtxn_1`, `${customer}/ccsbtxn_2`]
  server.deposit(customer, 'ccsbtxn_1', 50_000)
  server.deposit(customer, 'ccsbtxn_2', 30_000)
  const both = [
    [second, 30_000n],
    [first, 50_000n],
  ]
  expect(await read()).toEqual(both)
  expect(await cancel(reference, id)).toEqual({ state: 'canceled' })
  expect(await read()).toEqual(both)
  expect(server.balanceOf(customer)).toBe(80_000)
  expect(server.complaints).toEqual([])
})

test('a transfer to a customer that we did not make is not ours', async () => {
  const { deposits, customer } = await waiting()
  server.deposit(customer, 'ccsbtxn_1', 50_000)
  for (const metadata of [{}, { attempt_id: 'invoice 12' }]) {
    server.customers.set(customer, { ...server.customers.get(customer)!, metadata })
    expect(await deposits.fetchDeposit(`${customer}/ccsbtxn_1`)).toBeNull()
  }
  expect(await deposits.fetchDeposit('cus_none/ccsbtxn_1')).toBeNull()
})

test('a transfer is given back in part and in full, once each, while Stripe asks the buyer for an account', async () => {
  const { refunds, charge, customer } = await waiting()
  server.deposit(customer, 'ccsbtxn_1', 120_000)
  const part = refundOrder(server, charge, 50_000n)
  server.refundStatus = 'requires_action'
  for (const _ of [1, 2]) expect(await refunds.refund(part)).toMatchObject({ state: 'processing' })
  const [made] = server.refunds.values()
  expect(made).toMatchObject({ amount: 50_000, instructions_email: 'ana@example.com', customer })
  server.refundStatus = 'pending'
  const rest = refundOrder(server, charge, 70_000n)
  expect(await refunds.refund(rest)).toMatchObject({ state: 'processing' })
  expect([...server.refunds.values()][1]).toMatchObject({ instructions_email: 'ana@example.com' })
  for (const { id } of server.refunds.values()) server.moveRefund(id, 'succeeded')
  for (const order of [part, rest])
    expect(await refunds.fetchRefund(order.reference, order)).toMatchObject({
      state: 'succeeded',
      amountMinor: order.amountMinor,
    })
  expect(await refunds.refund(refundOrder(server, charge, 1n))).toMatchObject({ state: 'failed' })
  expect(server.complaints).toEqual([])
})

test('after 45 days without an account the money of a refund lies with the customer: it is kept', async () => {
  const { refunds, charge, customer } = await waiting()
  server.deposit(customer, 'ccsbtxn_1', 120_000)
  const order = refundOrder(server, charge, 50_000n)
  server.refundStatus = 'requires_action'
  await refunds.refund(order)
  const processorRef = server.refunds.keys().next().value!
  server.moveRefund(processorRef, 'canceled')
  const kept = { state: 'kept', processorRef }
  for (const ask of [refunds.fetchRefund(order.reference, order), refunds.refund(order)])
    expect(await ask).toEqual(kept)
  expect(server.refunds.size).toBe(1)
  expect(server.balanceOf(customer)).toBe(50_000)
})

test('what leaves a customer’s balance, or comes back, is reported with its own kind', async () => {
  const { deposits, reference, customer } = await waiting()
  server.customers.set(customer, { ...server.customers.get(customer)!, mode: 'manual' })
  server.deposit(customer, 'ccsbtxn_1', 50_000)
  const told = async (type: CashType, amount: number) => {
    const { id } = server.cash(customer, type, amount)
    return deposits.fetchMovement!(`${customer}/${id}`)
  }
  const types = [
    ['funding_reversed', 'reversed', -700n],
    ['return_initiated', 'returned', -700n],
    ['return_canceled', 'return_failed', 700n],
    ['refunded_from_payment', 'refund_kept', 700n],
    ['unapplied_from_payment', 'unapplied', 700n],
    ['transferred_to_balance', 'taken', -700n],
    ['adjusted_for_overdraft', 'overdraft_covered', 700n],
  ] as const
  for (const [type, kind, changeMinor] of types)
    expect(await told(type, 700)).toMatchObject({
      kind,
      changeMinor,
      belowZeroMinor: 0n,
      currency: 'mxn',
      attemptReference: reference,
    })
  expect(await told('applied_to_payment', 700)).toBeNull()
  expect(await deposits.fetchMovement!(`${customer}/ccsbtxn_1`)).toBeNull()
  expect(await deposits.fetchMovement!(`${customer}/ccsbtxn_none`)).toBeNull()
  const { id } = server.cash(customer, 'funding_reversed', 700)
  expect(await deposits.fetchDeposit(`${customer}/${id}`)).toBeNull()
  server.customers.set(customer, { ...server.customers.get(customer)!, metadata: {} })
  expect(await deposits.fetchMovement!(`${customer}/${id}`)).toBeNull()
  expect(server.complaints).toEqual([])
})

test('a movement says which part of it is below zero; a transfer is one where it fills such a balance', async () => {
  const { deposits, customer } = await waiting()
  const move = async (type: CashType, amount: number) => {
    const { id } = server.cash(customer, type, amount)
    const movement = await deposits.fetchMovement!(`${customer}/${id}`)
    return movement && [movement.kind, movement.changeMinor, movement.belowZeroMinor]
  }
  expect(await move('funded', 500)).toBeNull()
  expect(await move('funding_reversed', 700)).toEqual(['reversed', -700n, 200n])
  expect(await move('funding_reversed', 100)).toEqual(['reversed', -100n, 100n])
  expect(await move('adjusted_for_overdraft', 50)).toEqual(['overdraft_covered', 50n, 50n])
  expect(await move('unapplied_from_payment', 100)).toEqual(['unapplied', 100n, 100n])
  const { id } = server.cash(customer, 'funded', 400)
  const ref = `${customer}/${id}`
  expect(await deposits.fetchDeposit(ref)).toMatchObject({ amountMinor: 400n, belowZeroMinor: 150n })
  expect(await deposits.fetchMovement!(ref)).toMatchObject({ kind: 'refilled', belowZeroMinor: 150n })
  expect(server.complaints).toEqual([])
})
