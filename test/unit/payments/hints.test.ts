import { describe, expect, test } from 'vitest'
import { planNextPoll as lookAtDispute } from '../../../functions/money/disputes/plan.ts'
import { handleNotification } from '../../../functions/money/notifications/handle.ts'
import type { PaymentOrigins } from '../../../functions/money/payments/payment-origin.ts'
import { planContradicted, planNextPoll } from '../../../functions/money/payments/plan-outcome.ts'
import { handlePaymentNotification } from '../../../functions/money/payments/reconcile.ts'
import { planNextPoll as lookAtRefund } from '../../../functions/money/refunds/plan-outcome.ts'
import { handleRefundNotification } from '../../../functions/money/refunds/send.ts'
import type { Services } from '../../../src/http/services.ts'
import type { Plan } from '../../../src/kernel/plan.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import { disputed } from '../disputes/samples.ts'
import { payment, refundRow } from '../refunds/samples.ts'
import { answers, now, submission } from './samples.ts'

/** Rows that exist, at a processor that does not answer. */
function silent(...rows: readonly (readonly object[])[]): { services: Services; published: object[] } {
  const published: object[] = []
  const db = {
    call: async (text: string) => {
      if (text.includes('door.')) return 'tn_1'
      throw new Error('the processor does not answer')
    },
    read: async () => ({ rows }),
    publish: async (publication: object) => {
      published.push(publication)
      return { expected: [], tenantId: 'tn_1' }
    },
  }
  const settings = { environment: 'sandbox', baseUrl: 'https://spindle.example', feeSchedules: '[]' }
  return { services: { db, settings } as unknown as Services, published }
}

// A hint that is confirmed is never repeated.
test('late cash: a hint whose facts could not be read is not confirmed', async () => {
  const { payment: expired, attempt } = submission({ status: 'expired', resolvedAt: now, nextCheckAt: null })
  const { services, published } = silent([attempt], [expired], [])
  await expect(
    handlePaymentNotification({ services, requestId: 'req_1' }, {} as PaymentOrigins, attempt.id),
  ).rejects.toBeInstanceOf(OutcomeUnknown)
  expect(published).toEqual([])
})

test('a refund that a bank sent back: a hint whose facts could not be read is not confirmed', async () => {
  const refund = refundRow({ status: 'succeeded', resolvedAt: now, nextCheckAt: null })
  const { services, published } = silent([refund], [payment()], [])
  await expect(handleRefundNotification({ services, requestId: 'req_1' }, refund.id)).rejects.toBeInstanceOf(
    OutcomeUnknown,
  )
  expect(published).toEqual([])
})

test('a refund that was made at the processor: a hint whose facts could not be read is not confirmed', async () => {
  const { services, published } = silent()
  const hint = { processor: 'simulator', kind: 'processor_refund', reference: 'sbx_re_1' } as const
  const work = { services, requestId: 'req_1' }
  await expect(handleNotification(work, {} as PaymentOrigins, hint)).rejects.toBeInstanceOf(OutcomeUnknown)
  expect(published).toEqual([])
})

test.each(['deposit', 'dispute', 'fraud_warning', 'processor_refund', 'payout'] as const)(
  'a hint of a %s is read at the processor that gave it, or it waits',
  async (kind) => {
    const { services, published } = silent()
    const hint = { processor: 'another', kind, reference: 'ref_1' }
    await expect(
      handleNotification({ services, requestId: 'req_1' }, {} as PaymentOrigins, hint),
    ).rejects.toMatchObject({ code: 'payments_not_configured' })
    expect(published).toEqual([])
  },
)

test('where the reconciler asks anyway, an unread hint changes nothing', async () => {
  const refund = refundRow({ status: 'processing', nextCheckAt: now })
  const { services, published } = silent([refund], [payment()], [])
  await handleRefundNotification({ services, requestId: 'req_1' }, refund.id)
  expect(published).toEqual([])
})

describe('an answer that repeats what we know', () => {
  const contradiction = {
    state: 'captured',
    amount: '120001',
    currency: 'mxn',
    asked: '120000',
    void_or_refund_failure: null,
  } as const
  const told = answers['captured, another amount']
  const cases = [
    ['unknown', answers.unknown],
    ['pending_customer', answers.pending_customer],
    ['authorized', answers.unknown],
    ['amount_mismatch', told],
  ] as const

  test.each(cases)('a hint about %s writes nothing', (status, answer) => {
    const { attempt } = submission({ status, contradiction, nextCheckAt: now })
    expect(planContradicted(attempt, answer, now)).toBeNull()
  })

  test.each(cases)('a look at %s sets the next look, and records no other change', (status, answer) => {
    const { attempt } = submission({ status, contradiction, nextCheckAt: now, checksCount: 1 })
    const [write] = planNextPoll(attempt, answer, now)!.writes
    const nextCheckAt = new Date(now.getTime() + 6_000)
    expect(write).toMatchObject({ kind: 'change', set: { checksCount: 2, nextCheckAt } })
    expect(Object.keys((write as { set: object }).set)).toEqual(['checksCount', 'nextCheckAt'])
  })

  test('what is over gets no further look', () => {
    const { attempt } = submission({ status: 'captured', nextCheckAt: null })
    expect(planNextPoll(attempt, answers.captured, now)).toBeNull()
  })

  test('other numbers than before are recorded', () => {
    const { attempt } = submission({ status: 'amount_mismatch', contradiction, nextCheckAt: now })
    const other = { ...told, amountMinor: 130_000n }
    const set = { contradiction: { ...contradiction, amount: '130000' }, updatedAt: now }
    for (const plan of [planContradicted(attempt, other, now), planNextPoll(attempt, other, now)])
      expect(plan!.writes).toMatchObject([{ set }])
  })

  const looks: [what: string, plan: Plan<object> | null][] = [
    ['a refund', lookAtRefund(refundRow({ status: 'succeeded' }), { state: 'unknown' }, now)],
    ['a dispute', lookAtDispute(disputed('lost').dispute, now)],
  ]
  test.each(looks)('a look at %s leaves its update time', (_, plan) => {
    const [write] = plan!.writes
    expect((write as { set: object }).set).not.toHaveProperty('updatedAt')
  })
})
