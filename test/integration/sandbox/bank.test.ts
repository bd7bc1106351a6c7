import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { BankState } from '../../../src/processors/port.ts'
import { refuseOrder, simulatedBank } from '../../../src/processors/simulator/bank.ts'
import { workerCall } from '../../support/stack.ts'

const bank = simulatedBank(workerCall)

const clabeOf = (account: string) => `646180${account.padStart(11, '0')}0`
const order = (clabe: string, reference: string = randomUUID()) => ({
  reference,
  amountMinor: 50_000n,
  currency: 'mxn',
  clabe,
  holder: 'Ana Ruiz',
  concept: 'Factura 12',
})
const told = ({ state, ...more }: BankState) => ('code' in more ? `${state} ${more.code}` : state)

describe('the simulated bank', () => {
  const accounts: [account: string, sent: string, first: string, second: string][] = [
    ['1', 'processing', 'paid', 'paid'],
    ['12345678901', 'processing', 'paid', 'paid'],
    ['11', 'processing', 'failed account_closed', 'failed account_closed'],
    ['12', 'processing', 'failed account_not_found', 'failed account_not_found'],
    ['13', 'processing', 'failed holder_mismatch', 'failed holder_mismatch'],
    ['14', 'processing', 'failed declined_by_bank', 'failed declined_by_bank'],
    ['15', 'unknown', 'paid', 'paid'],
    ['16', 'unknown', 'failed account_closed', 'failed account_closed'],
    ['17', 'processing', 'paid', 'returned account_closed'],
    ['18', 'processing', 'processing', 'processing'],
  ]
  test.each(accounts)('account %s: %s, then %s, then %s', async (account, ...expected) => {
    const one = order(clabeOf(account))
    const states = [await bank.send(one), await bank.fetchOrder(one.reference)]
    states.push(await bank.fetchOrder(one.reference))
    expect(states.map(told)).toEqual(expected)
  })

  test('an order sent 50 times under one reference is one order, with its first contents', async () => {
    const reference = randomUUID()
    const clabe = clabeOf('1')
    await Promise.all(Array.from({ length: 50 }, () => bank.send(order(clabe, reference))))
    const paid = await bank.fetchOrder(reference)
    expect(paid).toEqual({ state: 'paid', claveRastreo: expect.stringMatching(/^[0-9A-Z]{27}$/) })
    expect(await bank.send({ ...order(clabe, reference), amountMinor: 1n })).toEqual(paid)
  })

  test('an order on its way can be stopped, one that arrived cannot', async () => {
    const [waiting, arrived, unheard] = [order(clabeOf('1')), order(clabeOf('1')), order(clabeOf('1'))]
    await bank.send(waiting)
    expect(await bank.cancelOrder(waiting.reference)).toEqual({ state: 'canceled' })
    expect(told(await bank.fetchOrder(waiting.reference))).toBe('canceled')
    await bank.send(arrived)
    await bank.fetchOrder(arrived.reference)
    expect(told(await bank.cancelOrder(arrived.reference))).toBe('paid')
    // The bank never received it and closes its reference, so that a late order finds it closed.
    expect(told(await bank.fetchOrder(unheard.reference))).toBe('not_found')
    expect(told(await bank.cancelOrder(unheard.reference))).toBe('canceled')
    expect(told(await bank.send(unheard))).toBe('canceled')
  })

  test('the receiving bank refuses what is on its way and returns what was paid, nothing else', async () => {
    const one = order(clabeOf('1'))
    await bank.send(one)
    expect(told(await refuseOrder(workerCall, one.reference, 'returned'))).toBe('processing')
    await bank.fetchOrder(one.reference)
    expect(told(await refuseOrder(workerCall, one.reference, 'failed'))).toBe('paid')
    expect(await refuseOrder(workerCall, one.reference, 'returned')).toMatchObject({
      state: 'returned',
      claveRastreo: expect.stringMatching(/^SBX/),
      returnClaveRastreo: expect.stringMatching(/^DEV/),
    })
    expect(told(await bank.fetchOrder(one.reference))).toBe('returned account_closed')
    const other = order(clabeOf('18'))
    await bank.send(other)
    expect(told(await refuseOrder(workerCall, other.reference, 'failed'))).toBe('failed account_closed')
    expect(told(await bank.fetchOrder(other.reference))).toBe('failed account_closed')
  })
})
