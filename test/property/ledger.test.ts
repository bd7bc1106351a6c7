import './seed.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Submission } from '../../functions/money/payments/plan.ts'
import type { OnSuccess } from '../../functions/money/payments/plan-capture.ts'
import { planDue, release } from '../../functions/money/payments/plan-due.ts'
import { planOutcome } from '../../functions/money/payments/plan-outcome.ts'
import type { Plan, Write } from '../../src/kernel/plan.ts'
import type { ProcessorState } from '../../src/processors/port.ts'
import { attemptStatuses, card, clockAt, schedule, submission } from '../unit/payments/samples.ts'

const amount = fc.bigInt(1_000n, 10n ** 10n)
const months = fc.constantFrom(1, 3, 6, 9, 12)
const code = fc.constantFrom('insufficient_funds' as const, 'card_declined' as const, 'expired_card' as const)

const answerAbout = (amountMinor: bigint): fc.Arbitrary<ProcessorState> =>
  fc.oneof(
    fc.record({
      state: fc.constant('captured' as const),
      amountMinor: fc.oneof(fc.constant(amountMinor), amount),
      currency: fc.constantFrom('mxn', 'mxn', 'usd'),
      card: fc.constant(card),
      processorRef: fc.constant('sim'),
    }),
    fc.constant({
      state: 'pending_customer' as const,
      action: { type: 'redirect' as const, url: 'https://bank.example', card },
      processorRef: 'sim',
    }),
    code.map((each) => ({ state: 'declined' as const, code: each, category: 'soft' as const, card })),
    fc.constantFrom(
      { state: 'canceled' as const },
      { state: 'unknown' as const },
      { state: 'not_found' as const },
    ),
  )

const nothing: OnSuccess = () => ({ writes: [], events: [] })

const started = (amountMinor: bigint, installmentMonths: number): Submission =>
  submission({ amountMinor, installmentMonths }, { amountMinor, installmentMonths })

const journalsIn = (plan: Plan<unknown> | null) =>
  (plan?.writes ?? []).filter((write): write is Extract<Write, { kind: 'post' }> => write.kind === 'post')

/** The rows as the door would leave them. */
function applied({ payment, attempt }: Submission, plan: Plan<unknown>): Submission {
  let after: Submission = { payment, attempt }
  for (const write of plan.writes) {
    if (write.kind !== 'change') continue
    const version = { version: write.version + 1 }
    if (write.id === payment.id) after = { ...after, payment: { ...after.payment, ...write.set, ...version } }
    if (write.id === attempt.id) after = { ...after, attempt: { ...after.attempt, ...write.set, ...version } }
  }
  return after
}

describe('outcomes of the processor', () => {
  it('every status and every answer has a plan or changes nothing', () => {
    const any = fc.tuple(amount, months, fc.constantFrom(...attemptStatuses))
    fc.assert(
      fc.property(
        any.chain((known) => fc.tuple(fc.constant(known), answerAbout(known[0]))),
        ([[amountMinor, term, status], answer]) => {
          const { payment, attempt } = started(amountMinor, term)
          const plan = planOutcome(
            { payment, attempt: { ...attempt, status } },
            answer,
            schedule,
            nothing,
            clockAt(),
          )
          for (const journal of journalsIn(plan)) {
            expect(journal.postings.reduce((sum, { amountMinor: each }) => sum + each, 0n)).toBe(0n)
            expect(journal.postings.every(({ amountMinor: each }) => each !== 0n)).toBe(true)
          }
          const contradicts =
            answer.state === 'captured' && (answer.amountMinor !== amountMinor || answer.currency !== 'mxn')
          if (answer.state !== 'captured' || contradicts) expect(journalsIn(plan)).toEqual([])
        },
      ),
    )
  })

  it('however answers come, late, twice or in any order: one end, at most one journal, nothing after it', () => {
    const histories = fc
      .tuple(amount, months)
      .chain(([amountMinor, term]) =>
        fc.tuple(
          fc.constant(amountMinor),
          fc.constant(term),
          fc.array(answerAbout(amountMinor), { maxLength: 12 }),
        ),
      )
    fc.assert(
      fc.property(histories, ([amountMinor, term, history]) => {
        let rows = started(amountMinor, term)
        let journals = 0
        let ended: string | null = null
        for (const answer of history) {
          const plan = planOutcome(rows, answer, schedule, nothing, clockAt())
          if (ended !== null) expect(plan).toBeNull()
          if (!plan) continue
          journals += journalsIn(plan).length
          rows = applied(rows, plan)
          if (rows.attempt.nextCheckAt === null) ended = rows.attempt.status
          // The same answer again is a late duplicate.
          if (answer.state !== 'unknown')
            expect(planOutcome(rows, answer, schedule, nothing, clockAt())).toBeNull()
        }
        expect(journals).toBe(ended === 'captured' ? 1 : 0)
        expect(rows.payment.status === 'succeeded').toBe(ended === 'captured')
        const { payment } = rows
        expect(payment.amountCapturedMinor).toBe(ended === 'captured' ? amountMinor : 0n)
        const kept = payment.feeProcessingMinor + payment.feeInstallmentsMinor + payment.feeIvaMinor
        expect(kept + payment.netMinor).toBe(payment.amountCapturedMinor)
        const released = planDue([payment], release, clockAt())
        expect(released === null).toBe(ended !== 'captured')
        const again = { ...payment, fundsStatus: 'available' as const }
        expect(planDue([again], release, clockAt())).toBeNull()
      }),
    )
  })
})
