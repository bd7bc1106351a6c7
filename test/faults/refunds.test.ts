import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { brokenRules, survivors } from '../support/books.ts'
import { failures, inTurn, onceAndTwice } from '../support/drills.ts'
import type { FaultOrder } from '../support/gateways/faults.ts'
import type { NeonFaultMode } from '../support/gateways/neon.ts'
import { type Merchant, newMerchant } from '../support/merchant.ts'
import {
  approvalOf,
  paidByCard,
  paidInCash,
  paymentOf,
  refund,
  refundedAtProcessor,
  refundsOf,
  refundsWait,
  settleRefunds,
} from '../support/refunds.ts'
import { share } from '../support/share.ts'
import { control, faults } from '../support/stack.ts'
import { approverOf } from '../support/transfers.ts'

afterEach(() => faults.clear())

const destination = { clabe: '646180000000000012', holder: 'Ana Torres' }
const closed = { clabe: '646180000000000119', holder: 'Ana Torres' }
const byCard = (token: string) => (merchant: Merchant) => paidByCard(merchant, { token })
const inCash = (merchant: Merchant) => paidInCash(merchant)

/** What is refunded, which call that makes, and how it must end, whatever is killed meanwhile. */
const stories = [
  { name: 'card', pays: byCard('tok_sbx_approve'), asks: 'simulator.refund(', ends: 'succeeded', more: {} },
  {
    name: 'card, fails',
    pays: byCard('tok_sbx_refund_fails'),
    asks: 'simulator.refund(',
    ends: 'failed',
    more: {},
  },
  {
    name: 'card, slow',
    pays: byCard('tok_sbx_refund_timeout'),
    asks: 'simulator.refund(',
    ends: 'succeeded',
    more: {},
  },
  { name: 'CLABE', pays: inCash, asks: 'simulator.bank_send', ends: 'succeeded', more: { destination } },
  {
    name: 'CLABE, closed',
    pays: inCash,
    asks: 'simulator.bank_send',
    ends: 'failed',
    more: { destination: closed },
  },
] as const

type Story = (typeof stories)[number]

/** The calls of a refund in their order: the intent, the processor, the outcome. */
const boundaries = ({ asks }: Story) => [
  { contains: 'door.publish', skip: 0 },
  { contains: asks, skip: 0 },
  { contains: 'door.publish', skip: 1 },
]

async function begun({ pays, more }: Story) {
  const merchant = await newMerchant()
  const payment = await pays(merchant)
  const key = { 'idempotency-key': randomUUID() }
  const send = () => refund(merchant, { payment_id: payment, amount: '6000', ...more }, key)
  return { merchant, payment, send }
}

async function ended(merchant: Merchant, payment: string, { ends }: Story): Promise<void> {
  await settleRefunds(merchant.tenantId)
  const rows = await refundsOf(merchant.tenantId)
  expect(rows.map(({ status, amount_minor }) => [status, amount_minor])).toEqual([[ends, '6000']])
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(ends === 'succeeded' ? 6_000n : 0n)
  expect((await paymentOf(merchant, payment)).amount_refunded).toBe(ends === 'succeeded' ? '6000' : '0')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
}

test('the Worker is killed in each step of a refund', async () => {
  const cases = stories.flatMap((story) =>
    boundaries(story).flatMap((at) =>
      (['hang', 'late-commit'] as const).map((mode) => ({ story, ...at, mode })),
    ),
  )
  await survivors('Worker killed over a refund', cases, async ({ story, contains, skip, mode }) => {
    const { merchant, payment, send } = await begun(story)
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
    const answered = send().catch((error: unknown) => error)
    await fault.hit()
    const intent = contains === 'door.publish' && skip === 0
    // Past the intent the merchant has its reply: the kill hits the work after it.
    if (!intent) expect(await answered).toMatchObject({ status: 201 })
    await control.crash('sandbox')
    if (intent) expect(await answered).toBeInstanceOf(Error)
    await faults.clear()
    if (intent && mode === 'late-commit')
      await expect.poll(async () => (await refundsOf(merchant.tenantId)).length).toBe(1)
    if (!intent || mode === 'late-commit') await ended(merchant, payment, story)
    // The merchant, who saw no answer or lost it, sends the same again.
    expect((await send()).status).toBe(201)
    await ended(merchant, payment, story)
  })
})

test('time-out, 500, cut connection at each boundary, once and twice', async () => {
  await control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '1500' } })
  const ways = [0, 1, 2].flatMap((boundary) => failures.map((failure) => ({ boundary, failure })))
  const cases = inTurn(ways, onceAndTwice).map(({ boundary, failure, times }) => ({
    boundary,
    story: stories[(boundary + times) % 5]!,
    failure: { ...failure, times },
  }))
  await survivors(
    'refund under a failing network',
    cases,
    async ({ boundary, story, failure }) => {
      const { merchant, payment, send } = await begun(story)
      const { contains, skip } = boundaries(story)[boundary]!
      const order = {
        ...failure,
        skip,
        match: { database: 'sandbox', contains },
      } as FaultOrder<NeonFaultMode>
      const fault = await faults.neon(order)
      const first = await send()
      expect([201, 503], first.text).toContain(first.status)
      await fault.hit(failure.times)
      await faults.clear()
      const again = await send()
      expect(again.status, again.text).toBe(201)
      await ended(merchant, payment, story)
    },
    ({ boundary }) => boundary,
  )
  await control.reconfigure('sandbox')
})

test('the Worker is killed in each step of an approval', async () => {
  const cases = boundaries(stories[3]).flatMap((at) =>
    (['hang', 'late-commit'] as const).map((mode) => ({ ...at, mode })),
  )
  await survivors('Worker killed in the approval of a refund', cases, async ({ contains, skip, mode }) => {
    const merchant = await newMerchant()
    await refundsWait(merchant)
    const customer = await approverOf(merchant)
    const payment = await paidInCash(merchant)
    const { body } = await refund(merchant, { payment_id: payment, amount: '6000', destination })
    expect(body.status).toBe('pending_approval')
    const approve = await approvalOf(customer, merchant, body)
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
    const answer = approve().catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    await answer
    await faults.clear()
    // Sent again with the same proof: it was spent together with its effect, or not at all.
    const again = await approve()
    expect(again.status, again.text).toBe(200)
    await ended(merchant, payment, stories[3])
  })
})

test('one key 20 times over a Worker that is killed: one refund', async () => {
  await survivors('refund asked for 20 times', share(stories, 3), async (story) => {
    const { merchant, payment, send } = await begun(story)
    const fault = await faults.neon({ mode: 'hang', match: { database: 'sandbox', contains: story.asks } })
    const answers = Array.from({ length: 20 }, () => send().catch((error: unknown) => error))
    await fault.hit()
    await control.crash('sandbox')
    await Promise.all(answers)
    await faults.clear()
    expect((await send()).status).toBe(201)
    await ended(merchant, payment, story)
  })
})
