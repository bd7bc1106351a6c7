import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { brokenRules, journalsOf, survivors } from '../support/books.ts'
import { dispute } from '../support/disputes.ts'
import { beforeAndAfter, failures, inTurn, onceAndTwice } from '../support/drills.ts'
import type { FaultOrder } from '../support/gateways/faults.ts'
import type { NeonFaultMode } from '../support/gateways/neon.ts'
import { type Merchant, newMerchant } from '../support/merchant.ts'
import {
  madeIs,
  paidByCard,
  paymentOf,
  refundAtProcessor,
  refundsOf,
  settleRefunds,
  unseenExternalRefunds,
} from '../support/refunds.ts'
import { control, faults } from '../support/stack.ts'

afterEach(() => faults.clear())

const modes = ['hang', 'late-commit'] as const
type At = { contains: string; mode: (typeof modes)[number] }

/** The calls of learning about a refund made at the processor, in order. */
const hearing = [
  'simulator.unconfirmed_refunds',
  'simulator.refund_made',
  'door.attempt_tenant',
  'door.publish',
  'simulator.confirm_refund',
]

async function dies({ contains, mode }: At, work: () => Promise<unknown>): Promise<void> {
  const fault = await faults.neon({ mode, match: { database: 'sandbox', contains } })
  const unanswered = work().catch((error: unknown) => error)
  await fault.hit()
  await control.crash('sandbox')
  await unanswered
  await faults.clear()
}

async function stands(merchant: Merchant, payment: string, status: string, kinds: object): Promise<void> {
  await expect
    .poll(
      async () => {
        await settleRefunds(merchant.tenantId, 1)
        await control.trigger('sandbox')
        return (await refundsOf(merchant.tenantId)).map((one) => one.status)
      },
      { timeout: 60_000 },
    )
    .toEqual([status])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, ...kinds })
  expect((await paymentOf(merchant, payment)).amount_refunded).toBe(status === 'failed' ? '0' : '6000')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
}

const ends = [
  ['succeeded', { refund: 1, refund_paid: 1 }],
  ['processing', { refund: 1 }],
  ['failed', { refund: 1, refund_paid: 1, refund_returned: 1 }],
] as const

test('killed while it learns of a refund made at the processor, or of its return', async () => {
  const ways = ends.flatMap((end) => hearing.map((contains) => ({ end, contains })))
  const cases = inTurn(ways, beforeAndAfter).map(({ end, ...at }) => ({ end, at }))
  await survivors('Worker killed learning of a refund made at the processor', cases, async ({ end, at }) => {
    const [status, kinds] = end
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const ref = await unseenExternalRefunds(payment, 6_000, status === 'processing' ? status : 'succeeded')
    if (status === 'failed') {
      await control.trigger('sandbox')
      await madeIs(ref, `state = 'failed', failure_code = 'account_closed'`)
    }
    await dies(at, () => control.trigger('sandbox'))
    await stands(merchant, payment, status, kinds)
  })
})

test('killed while it takes from what a dispute holds', { timeout: 300_000 }, async () => {
  const cases = modes.map((mode) => ({ contains: 'door.publish', mode }))
  await survivors('Worker killed beside a dispute', cases, async (at) => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    await dispute(merchant, payment)
    await unseenExternalRefunds(payment, 6_000)
    await dies(at, () => control.trigger('sandbox'))
    await stands(merchant, payment, 'succeeded', { fee: 1, hold: 1, reduced: 1, refund: 1, refund_paid: 1 })
    expect((await paymentOf(merchant, payment)).amount_disputed).toBe('4000')
  })
})

test('time-out, 500, cut connection at each boundary, once and twice', { timeout: 300_000 }, async () => {
  await control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '1500' } })
  const cases = hearing.slice(1).flatMap((contains) => failures.map((failure) => ({ contains, failure })))
  await survivors(
    'refund made at the processor, failing network',
    inTurn(cases, onceAndTwice),
    async ({ contains, failure, times }) => {
      const merchant = await newMerchant()
      const payment = await paidByCard(merchant)
      const order = {
        ...failure,
        times,
        match: { database: 'sandbox', contains },
      } as FaultOrder<NeonFaultMode>
      const key = { 'idempotency-key': randomUUID() }
      await faults.neon(order)
      // Whatever the reply to the test control: the processor has refunded, and we must learn it.
      await refundAtProcessor(merchant, payment, '6000', key)
      await faults.clear()
      await stands(merchant, payment, 'succeeded', { refund: 1, refund_paid: 1 })
      expect((await refundAtProcessor(merchant, payment, '6000', key)).status).toBe(201)
      await stands(merchant, payment, 'succeeded', { refund: 1, refund_paid: 1 })
    },
  )
  await control.reconfigure('sandbox')
})
