import './seed.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { paymentAttempts, payments } from '../../drizzle/schema/payments.ts'
import { clabes, speiDeposits, unappliedFunds } from '../../drizzle/schema/push-payments.ts'
import { planArrival, type Target } from '../../functions/money/payments/plan-deposit.ts'
import { planUnpaid } from '../../functions/money/payments/plan-push-end.ts'
import type { DepositRow } from '../../functions/money/payments/store.ts'
import type { Plan } from '../../src/kernel/plan.ts'
import { clockAt } from '../unit/payments/samples.ts'
import { depositOf, inserted, speiSchedule, targetOf, written } from '../unit/payments/spei-samples.ts'

const nothingSold = () => ({ writes: [], events: [] })

/** The rows as a plan leaves them: the test's own version of what the database does. */
function after(target: Target, plan: Plan<unknown>): Target {
  const payment = {
    ...target.payment,
    ...(written(plan, payments, 'change')?.set ?? {}),
  } as Target['payment']
  const delta = (written(plan, payments, 'adjust')?.deltas ?? {}) as { amountReceivedMinor?: bigint }
  return {
    payment: {
      ...payment,
      amountReceivedMinor: payment.amountReceivedMinor + (delta.amountReceivedMinor ?? 0n),
    },
    attempt: {
      ...target.attempt,
      ...(written(plan, paymentAttempts, 'change')?.set ?? {}),
    } as Target['attempt'],
    clabe: { ...target.clabe, ...(written(plan, clabes, 'change')?.set ?? {}) } as Target['clabe'],
  }
}

const balance = (plans: readonly Plan<unknown>[], account: string) =>
  plans
    .flatMap(({ writes }) => writes.flatMap((write) => (write.kind === 'post' ? write.postings : [])))
    .filter((posting) => posting.account === account)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)

it('whatever arrives in whatever order: counted plus unapplied is all that arrived, and nothing is counted beyond the amount', () => {
  const amount = fc.bigInt(1n, 200_000n)
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 12 }), fc.array(amount, { maxLength: 4 }), (intime, late) => {
      const clock = clockAt()
      let target = targetOf()
      const plans: Plan<unknown>[] = []
      const counted: DepositRow[] = []
      const take = (amountMinor: bigint) => {
        const plan = planArrival(depositOf(amountMinor), target, speiSchedule, nothingSold, clock)
        target = after(target, plan)
        plans.push(plan)
        counted.push(...(inserted(plan, speiDeposits) as DepositRow[]).filter((row) => row.appliedMinor > 0n))
        expect(target.payment.amountReceivedMinor).toBeLessThanOrEqual(target.payment.amountMinor)
      }
      for (const one of intime) take(one)
      const whole = target.payment.status === 'succeeded'
      expect(whole).toBe(intime.reduce((sum, one) => sum + one, 0n) >= target.payment.amountMinor)
      if (!whole) {
        const bankTransfer = { clabe: target.clabe, counted, applied: [] }
        const plan = planUnpaid({ ...target, bankTransfer }, clock)
        target = after(target, plan)
        plans.push(plan)
        expect(target.payment.amountReceivedMinor).toBe(0n)
      }
      for (const one of late) take(one)

      const arrived = [...intime, ...late].reduce((sum, one) => sum + one, 0n)
      const unapplied = plans
        .flatMap((plan) => inserted(plan, unappliedFunds))
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
      const captured = whole ? target.payment.amountMinor : 0n
      expect(captured + unapplied).toBe(arrived)
      expect(balance(plans, 'unapplied_funds')).toBe(unapplied)
      expect(balance(plans, 'processor_clearing')).toBe(-arrived)
      const captures = plans.flatMap(({ writes }) =>
        writes.filter((write) => write.kind === 'post' && write.entryKind === 'capture'),
      )
      expect(captures).toHaveLength(whole ? 1 : 0)
    }),
  )
})
