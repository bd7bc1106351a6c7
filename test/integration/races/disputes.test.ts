import { expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import {
  dispute,
  disputeFeeMinor,
  disputeOf,
  disputesOf,
  evidence,
  reconsider,
  resolve,
} from '../../support/disputes.ts'
import { newMerchant } from '../../support/merchant.ts'
import {
  paidByCard,
  paymentOf,
  refund,
  refundedAtProcessor,
  refundsOf,
  settleRefunds,
} from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

type Answer = { status: number; body: unknown }
const codeOf = ({ status, body }: Answer) =>
  (body as { error?: { code: string } }).error?.code ?? String(status)

/** How many at a time: all at once, or in rounds, so that the dispute opens in the middle of them. */
const lanes = [50, 10, 5]

test.each(lanes)(
  '50 refunds, %i at a time, against a dispute of the whole that opens: never more than was captured',
  async (wide) => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const answers: string[] = []
    const lane = async () => {
      for (let sent = 0; sent < copies / wide; sent++)
        answers.push(codeOf(await refund(merchant, { payment_id: payment, amount: '100' })))
    }
    const [opened] = await Promise.all([
      dispute(merchant, payment),
      ...Array.from({ length: wide }, () => lane()),
    ])
    const made = answers.filter((answer) => answer === '201').length
    expect(answers).toHaveLength(copies)
    expect(answers.filter((answer) => answer === 'refund_blocked_by_dispute')).toHaveLength(copies - made)
    expect(opened.status, opened.text).toBe(201)
    await settleRefunds(merchant.tenantId)
    expect(await refundsOf(merchant.tenantId)).toHaveLength(made)
    const held = BigInt((await disputeOf(merchant, opened.body.id)).amount_held)
    expect(held).toBe(10_000n - 100n * BigInt(made))
    expect(await refundedAtProcessor(merchant.tenantId)).toBe(100n * BigInt(made))
    expect(await paymentOf(merchant, payment)).toMatchObject({
      amount_refunded: String(100 * made),
      amount_disputed: String(held),
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    await resolve(merchant, opened.body.id, 'lost')
    expect((await refund(merchant, { payment_id: payment, amount: '1' })).body).toMatchObject({
      error: { code: 'refund_exceeds_captured' },
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    console.log(`refunds beside an opening dispute, ${wide} at a time: ${made} of ${copies} came before it`)
  },
)

test('the same notification 50 times at once: one dispute, one hold, one end', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const { id } = (await dispute(merchant, payment)).body
  const replies = await times(() => resolve(merchant, id, 'won'))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await disputesOf(merchant)).toHaveLength(1)
  expect(await journalsOf(merchant.tenantId)).toEqual({
    capture: 1,
    fee: 1,
    fee_returned: 1,
    hold: 1,
    release: 1,
  })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('won and lost at once: the bank decides once, and so do we', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const { id } = (await dispute(merchant, payment)).body
  const replies = await times((at) => resolve(merchant, id, at % 2 ? 'won' : 'lost'))
  const { status } = await disputeOf(merchant, id)
  expect(replies.map(codeOf).sort()).toEqual([
    ...Array.from({ length: copies / 2 }, () => '200'),
    ...Array.from({ length: copies / 2 }, () => 'dispute_over'),
  ])
  expect(await journalsOf(merchant.tenantId)).toEqual({
    capture: 1,
    fee: 1,
    hold: 1,
    ...(status === 'won' ? { fee_returned: 1, release: 1 } : { lost: 1 }),
  })
  expect(await balancesOf(merchant.tenantId)).toMatchObject({ 'mxn/dispute_hold': 0n })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

const again: [status: string, kinds: Record<string, number>][] = [
  ['lost', { capture: 1, fee: 2, fee_returned: 1, hold: 2, release: 1, lost: 1 }],
  ['needs_response', { capture: 1, fee: 2, fee_returned: 1, hold: 2, release: 1 }],
]
test.each(again)('50 notifications at once that what was won is %s', async (status, kinds) => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const { id } = (await dispute(merchant, payment)).body
  await resolve(merchant, id, 'won')
  const replies = await times(() => reconsider(merchant, id, status))
  expect(new Set(replies.map(codeOf))).toEqual(new Set(['200']))
  expect(await journalsOf(merchant.tenantId)).toEqual(kinds)
  expect(await balancesOf(merchant.tenantId)).toMatchObject({
    'mxn/merchant_available': -10_000n - disputeFeeMinor,
  })
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '10000' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 refunds of what was won, while the bank takes it after all: never more than was captured', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const { id } = (await dispute(merchant, payment)).body
  await resolve(merchant, id, 'won')
  const [lost, ...answers] = await Promise.all([
    reconsider(merchant, id, 'lost'),
    ...Array.from({ length: copies }, () => refund(merchant, { payment_id: payment, amount: '200' })),
  ])
  const made = answers.map(codeOf).filter((answer) => answer === '201').length
  expect(lost.status, lost.text).toBe(200)
  await settleRefunds(merchant.tenantId)
  const { amount_held: held, amount_uncovered: uncovered } = await disputeOf(merchant, id)
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(200n * BigInt(made))
  expect(BigInt(held)).toBe(10_000n - 200n * BigInt(made))
  expect(BigInt(uncovered)).toBe(200n * BigInt(made))
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('the bank changes its decision while 50 notifications arrive: its latest state stands', async () => {
  const merchant = await newMerchant()
  const { id } = (await dispute(merchant, await paidByCard(merchant))).body
  await resolve(merchant, id, 'won')
  const words = ['lost', 'won', 'needs_response']
  await times((at) => reconsider(merchant, id, words[at % 3]!))
  await trigger('sandbox')
  const [bank] = await adminSql('sandbox')<{ state: string }>(
    'select state from simulator.disputes where dispute_ref = (select processor_ref from disputes where id = $1)',
    [id],
  )
  expect((await disputeOf(merchant, id)).status).toBe(bank!.state)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 answers at once, each with its own key: one is taken', async () => {
  const merchant = await newMerchant()
  const { id } = (await dispute(merchant, await paidByCard(merchant))).body
  const replies = await times((at) => evidence(merchant, id, { explanation: `Answer ${at}` }))
  const answers = replies.map(codeOf)
  expect(answers.filter((answer) => answer === '200')).toHaveLength(1)
  expect(new Set(answers)).toEqual(new Set(['200', 'dispute_evidence_not_awaited']))
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
