import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { paidInCash, type Refund, refund, settleRefunds } from '../../support/refunds.ts'
import { deposit, fundsOf } from '../../support/spei.ts'
import { adminSql } from '../../support/stack.ts'
import {
  cancelTransfer,
  clabeOf,
  endow,
  incomingOf,
  settleTransfers,
  toTenant,
  transfer,
} from '../../support/transfers.ts'

/** The thief's account, and the default limits of a key for a day. */
const clabe = clabeOf('666')
const [transfersMinor, refundsMinor] = [5_000_000n, 2_000_000n]

/** What the simulated bank paid to the thief's account, or will. */
const taken = async (): Promise<bigint> => {
  const [row] = await adminSql('sandbox')<{ sum: string }>(
    `select coalesce(sum(amount_minor), 0)::text as sum from simulator.bank_orders
     where clabe = $1 and state in ('processing', 'paid')`,
    [clabe],
  )
  return BigInt(row!.sum)
}

const at = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

test('100 calls at once with a stolen key, in every possible way, take at most a day’s limit', async () => {
  const [merchant, thief] = [await newMerchant(), await newMerchant()]
  await endow(merchant, 100_000_000n)
  const payment = await paidInCash(merchant, 50_000_000)
  await deposit(merchant, '012914002014112176', 50_000_000, { sender_clabe: clabeOf('5') })
  const [funds] = await fundsOf(merchant)
  const destination = { clabe, holder: 'Nobody' }
  const ways: ((index: number) => Promise<unknown>)[] = [
    (index) =>
      transfer(merchant, { amount: String(400_000 + index), destination: { type: 'clabe', ...destination } }),
    (index) => transfer(merchant, { amount: String(300_000 + index), destination: toTenant(thief) }),
    (index) => refund(merchant, { payment_id: payment, amount: String(200_000 + index), destination }),
    (index) => toldLater(merchant, payment, String(150_000 + index), destination),
    (index) =>
      call('POST', `/v1/payment-operations/unapplied-funds/${funds!.id}/refund`, {
        bearer: merchant.apiKey,
        body: { destination, amount: String(250_000 + index) },
      }),
  ]
  await at(100, (index) => ways[index % ways.length]!(index))
  await settleTransfers(merchant.tenantId)
  await settleRefunds(merchant.tenantId)
  const arrived = (await incomingOf(thief)).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const stolen = arrived + (await taken())
  expect(stolen).toBeLessThanOrEqual(transfersMinor + refundsMinor)
  // The key still works: what fits goes.
  expect(stolen).toBeGreaterThan(transfersMinor + refundsMinor - 1_000_000n)
  for (const { tenantId } of [merchant, thief]) expect(await brokenRules(tenantId)).toEqual([])
})

test('a key that cancels, repeats itself and changes the currency gets no second day', async () => {
  const [merchant, thief] = [await newMerchant(), await newMerchant()]
  await endow(merchant, 100_000_000n)
  await endow(merchant, 100_000_000n, 'usd')
  const key = randomUUID()
  const first = await transfer(merchant, { amount: '5000000', destination: toTenant(thief) }, key)
  expect(first.body.status).toBe('pending')
  const again = await transfer(merchant, { amount: '5000000', destination: toTenant(thief) }, key)
  expect(again.body.id).toBe(first.body.id)
  const statuses = await at(20, async () => {
    const { body } = await transfer(merchant, { amount: '1', destination: toTenant(thief) })
    await cancelTransfer(merchant, body.id)
    return body.status
  })
  expect(new Set(statuses)).toEqual(new Set(['pending_approval']))
  // Dollars have a limit of their own.
  const dollars = await at(10, () =>
    transfer(merchant, { amount: '50000', currency: 'usd', destination: toTenant(thief) }),
  )
  expect(dollars.filter(({ body }) => body.status === 'pending')).toHaveLength(5)
  await settleTransfers(merchant.tenantId)
  expect((await incomingOf(thief)).reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(5_250_000n)
  for (const { tenantId } of [merchant, thief]) expect(await brokenRules(tenantId)).toEqual([])
})

async function toldLater(merchant: Merchant, payment: string, amount: string, destination: object) {
  const { body } = await refund(merchant, { payment_id: payment, amount })
  return call<Refund>('POST', `/v1/refunds/${body.id}/destination`, {
    bearer: merchant.apiKey,
    body: destination,
  })
}
