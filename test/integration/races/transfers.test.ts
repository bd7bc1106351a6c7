import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { funded, payOut } from '../../support/payouts.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import {
  allWaits,
  approve,
  approverOf,
  cancelTransfer,
  endow,
  incomingOf,
  isNow,
  paidAtBank,
  reject,
  settleTransfers,
  statusesOf,
  tallyOf,
  toClabe,
  toTenant,
  transfer,
  transferOf,
} from '../../support/transfers.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

const availableOf = async ({ tenantId }: Merchant) => (await balancesOf(tenantId))['mxn/merchant_available']
const allIsWell = async (...merchants: Merchant[]) => {
  for (const { tenantId } of merchants) expect(await brokenRules(tenantId)).toEqual([])
}

test('50 transfers of 10.00 from 125.00: exactly twelve, and five pesos stay', async () => {
  const merchant = await newMerchant()
  await endow(merchant, 12_500n)
  const replies = await times(() => transfer(merchant))
  expect(tallyOf(replies)).toEqual({ '201 pending': 12, '409 insufficient_funds': 38 })
  expect(await availableOf(merchant)).toBe(500n)
  await allIsWell(merchant)
  await settleTransfers(merchant.tenantId)
  expect(await statusesOf(merchant.tenantId)).toEqual({ paid: 12 })
  expect(await paidAtBank(merchant.tenantId)).toBe(12_000n)
  await allIsWell(merchant)
})

test('one Idempotency-Key 50 times: one transfer, one reply', async () => {
  const merchant = await newMerchant()
  await endow(merchant, 12_500n)
  const key = randomUUID()
  const replies = await times(() => transfer(merchant, {}, key))
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(replies[0]!.status).toBe(201)
  expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') !== 'true')).toHaveLength(1)
  await settleTransfers(merchant.tenantId)
  expect(await statusesOf(merchant.tenantId)).toEqual({ paid: 1 })
  expect(await availableOf(merchant)).toBe(11_500n)
  await allIsWell(merchant)
})

test('50 transfers back and forth between two workspaces: every one arrives, without a deadlock', async () => {
  const [one, two] = [await newMerchant(), await newMerchant()]
  await endow(one, 100_000n)
  await endow(two, 100_000n)
  const replies = await times((at) => {
    const [from, to] = at % 2 === 0 ? [one, two] : [two, one]
    return transfer(from, { amount: String(1_000 + at), destination: toTenant(to) })
  })
  expect(tallyOf(replies)).toEqual({ '201 pending': 50 })
  // Some wait for the reconciler: what follows the reply is tried once.
  for (const { tenantId } of [one, two]) await settleTransfers(tenantId)
  for (const { tenantId } of [one, two]) expect(await statusesOf(tenantId)).toEqual({ paid: 25 })
  // Including its own endowment.
  for (const merchant of [one, two]) expect(await incomingOf(merchant)).toHaveLength(26)
  // The odd ones were 25 more than the even ones.
  expect([await availableOf(one), await availableOf(two)]).toEqual([100_025n, 99_975n])
  await allIsWell(one, two)
})

test("50 transfers of a tenth of the key's limit: ten go, forty wait for approval", async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  await endow(merchant, 10_000_000n)
  const replies = await times((at) =>
    transfer(merchant, { amount: '500000', ...(at % 2 === 0 ? { destination: toTenant(other) } : {}) }),
  )
  expect(tallyOf(replies)).toEqual({ '201 pending': 10, '201 pending_approval': 40 })
  expect(await availableOf(merchant)).toBe(5_000_000n)
  await settleTransfers(merchant.tenantId)
  expect(await statusesOf(merchant.tenantId)).toEqual({ paid: 10, pending_approval: 40 })
  await allIsWell(merchant, other)
})

test('50 transfers of many sizes: never more than the limit, and none waits that would have fitted', async () => {
  const merchant = await newMerchant()
  await endow(merchant, 100_000_000n)
  // However many of them go, they never add up to the limit itself.
  await times((at) => transfer(merchant, { amount: String(100_001 + at * 7_000) }))
  const went = 100_000_000n - (await availableOf(merchant))!
  expect(went).toBeLessThanOrEqual(5_000_000n)
  expect(went).toBeGreaterThan(5_000_000n - 443_002n)
  expect((await transfer(merchant, { amount: String(5_000_001n - went) })).body.status).toBe(
    'pending_approval',
  )
  expect((await transfer(merchant, { amount: String(5_000_000n - went) })).body.status).toBe('pending')
  await allIsWell(merchant)
})

test('approved 50 times at once, each with a proof of its own: debited and sent once', async () => {
  const merchant = await newMerchant()
  await endow(merchant, 12_500n)
  await allWaits(merchant)
  const customer = await approverOf(merchant)
  const { body } = await transfer(merchant)
  const replies = await times(() => approve(customer, merchant, body))
  expect(tallyOf(replies)).toEqual({ '200 pending': 1, '409 transfer_not_pending_approval': 49 })
  await settleTransfers(merchant.tenantId)
  expect(await statusesOf(merchant.tenantId)).toEqual({ paid: 1 })
  expect(await availableOf(merchant)).toBe(11_500n)
  await allIsWell(merchant)
})

test('approved, rejected and canceled at once: one of them, and the books say which', async () => {
  const merchant = await newMerchant()
  await endow(merchant, 12_500n)
  await allWaits(merchant)
  const customer = await approverOf(merchant)
  const { body } = await transfer(merchant, { destination: toClabe('18') })
  await times(
    (at): Promise<unknown> =>
      [
        () => approve(customer, merchant, body),
        () => reject(customer, merchant, body.id),
        () => cancelTransfer(merchant, body.id),
      ][at % 3]!(),
  )
  // The last cancel finds it canceled, or stops it at the bank.
  expect((await cancelTransfer(merchant, body.id)).body.status).toBe('canceled')
  await settleTransfers(merchant.tenantId)
  expect(await statusesOf(merchant.tenantId)).toEqual({ canceled: 1 })
  expect(await availableOf(merchant)).toBe(12_500n)
  const { transfer: debits = 0, transfer_reversed: reversals = 0 } = await journalsOf(merchant.tenantId)
  expect(reversals).toBe(debits)
  await allIsWell(merchant)
})

test('more is approved at once than there is: only what the balance covers goes', async () => {
  const merchant = await newMerchant()
  await endow(merchant, 2_500n)
  await allWaits(merchant)
  const customer = await approverOf(merchant)
  const waiting = await Promise.all(Array.from({ length: 10 }, () => transfer(merchant)))
  const replies = await Promise.all(waiting.map(({ body }) => approve(customer, merchant, body)))
  expect(tallyOf(replies)).toEqual({ '200 pending': 2, '409 insufficient_funds': 8 })
  await settleTransfers(merchant.tenantId)
  expect(await statusesOf(merchant.tenantId)).toEqual({ paid: 2, pending_approval: 8 })
  await allIsWell(merchant)
})

test('50 cancellations while the reconciler looks: paid or canceled, never both', async () => {
  const merchant = await newMerchant()
  await endow(merchant, 50_000n)
  const sent = await times(() => transfer(merchant))
  const due = () =>
    adminSql('sandbox')(
      `update transfers set next_check_at = now() - interval '1 second'
       where tenant_id = $1 and status in ('pending', 'processing')`,
      [merchant.tenantId],
    )
  const canceled = times(async (at) => cancelTransfer(merchant, sent[at]!.body.id))
  await due()
  await Promise.all([trigger('sandbox'), trigger('sandbox')])
  const told = tallyOf(await canceled)
  await settleTransfers(merchant.tenantId)
  const { canceled: stopped = 0, paid = 0 } = await statusesOf(merchant.tenantId)
  expect(stopped + paid).toBe(50)
  expect(told).toEqual({
    ...(stopped ? { '200 canceled': stopped } : {}),
    ...(paid ? { '409 transfer_not_cancelable': paid } : {}),
  })
  expect(await paidAtBank(merchant.tenantId)).toBe(BigInt(paid) * 1_000n)
  expect(await availableOf(merchant)).toBe(50_000n - BigInt(paid) * 1_000n)
  await allIsWell(merchant)
})

test('one transfer canceled 50 times at once: the money is back once', async () => {
  const merchant = await newMerchant()
  await endow(merchant, 12_500n)
  const { body } = await transfer(merchant, { destination: toClabe('18') })
  await isNow(merchant, body.id, 'processing')
  expect(tallyOf(await times(() => cancelTransfer(merchant, body.id)))).toEqual({ '200 canceled': 50 })
  expect(await availableOf(merchant)).toBe(12_500n)
  expect((await transferOf(merchant, body.id)).status).toBe('canceled')
  await allIsWell(merchant)
})

test('the test control of a returned transfer used 50 times at once: back once', async () => {
  const merchant = await newMerchant()
  await endow(merchant, 12_500n)
  const { body } = await transfer(merchant)
  await settleTransfers(merchant.tenantId)
  const pulled = await times(() =>
    call('POST', `/v1/sandbox/transfers/${body.id}/return`, { bearer: merchant.apiKey }),
  )
  expect(new Set(pulled.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await journalsOf(merchant.tenantId)).transfer_returned).toBe(1)
  expect(await availableOf(merchant)).toBe(12_500n)
  await allIsWell(merchant)
})

test('50 transfers and a payout of the whole balance at once: the balance goes once', async () => {
  const { merchant } = await funded([50_000])
  const before = (await availableOf(merchant))!
  const [payout, replies] = await Promise.all([payOut(merchant), times(() => transfer(merchant))])
  const taken = tallyOf(replies)['201 pending'] ?? 0
  const paidOut = payout.status === 201 ? BigInt(payout.body.amount) : 0n
  expect(
    Object.keys(tallyOf(replies)).filter((told) => !/^(201 pending|409 insufficient_funds)$/.test(told)),
  ).toEqual([])
  const left = before - BigInt(taken) * 1_000n - paidOut
  expect(await availableOf(merchant)).toBe(left)
  expect(left).toBeGreaterThanOrEqual(0n)
  // Each refusal was for lack of money, not by chance.
  expect(left).toBeLessThan(1_000n)
  await settleTransfers(merchant.tenantId)
  await allIsWell(merchant)
})
