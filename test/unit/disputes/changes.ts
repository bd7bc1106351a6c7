import { planFacts } from '../../../functions/money/disputes/plan.ts'
import { planOtherAmount } from '../../../functions/money/disputes/plan-amount.ts'
import { planTold } from '../../../functions/money/disputes/plan-answer.ts'
import { planHoldDecreased } from '../../../functions/money/disputes/plan-hold.ts'
import { presentDispute } from '../../../functions/money/disputes/present.ts'
import { presentPayment } from '../../../functions/money/payments/present.ts'
import type { Case, Subject } from '../former-values.ts'
import { clockAt, now } from '../payments/samples.ts'
import { disputed, facts, inquired } from './samples.ts'

const later = new Date(now.getTime() + 3_600_000)
const clock = clockAt(later, 50)
const thePayment = (row: Parameters<typeof presentPayment>[0]): Subject => ({ row, present: presentPayment })

/** Each change of a dispute that tells former values. */
export function ofDisputes(): Case[] {
  const evidence = { explanation: 'Signed for.' }
  const learn = (
    from: Parameters<typeof disputed>[0],
    to: typeof from,
    heldMinor: bigint,
    said = {},
  ): Case => {
    const over = from === 'won' || from === 'lost'
    const known = disputed(from, { heldMinor, evidence, resolvedAt: over ? now : null })
    const subjects = [{ row: known.dispute, present: presentDispute }, thePayment(known.payment)]
    const payment = { ...known.payment, amountDisputedMinor: from === 'won' ? 0n : heldMinor }
    return [
      `${from}, then ${to}`,
      planFacts('simulator', { ...known, payment }, facts(to, said), clock),
      ...subjects,
    ]
  }
  const { dispute } = disputed('needs_response')
  const learnOfInquiry = (from: Parameters<typeof inquired>[0], to: typeof from): Case => {
    const known = inquired(from, { evidence, resolvedAt: from === 'inquiry_closed' ? now : null })
    const subjects = [{ row: known.dispute, present: presentDispute }, thePayment(known.payment)]
    return [`${from}, then ${to}`, planFacts('simulator', known, facts(to), clock), ...subjects]
  }
  const sent = disputed('needs_response', { evidence, pendingAction: 'submit' }).dispute
  return [
    ['refused', planTold(sent, 'too_long', clock), { row: sent, present: presentDispute }],
    learnOfInquiry('inquiry_needs_response', 'inquiry_under_review'),
    learnOfInquiry('inquiry_under_review', 'inquiry_closed'),
    learnOfInquiry('inquiry_closed', 'inquiry_needs_response'),
    learnOfInquiry('inquiry_under_review', 'needs_response'),
    learn('needs_response', 'under_review', 10_000n),
    learn('under_review', 'won', 4_000n),
    learn('under_review', 'lost', 4_000n),
    learn('won', 'needs_response', 4_000n, { evidenceDueBy: later }),
    learn('lost', 'won', 10_000n),
    learn('lost', 'lost', 4_000n),
    learn('needs_response', 'needs_response', 10_000n, { evidenceDueBy: later }),
    ...[4_000n, 12_000n].map((amountMinor): Case => {
      const known = disputed('needs_response')
      const subjects = [{ row: known.dispute, present: presentDispute }, thePayment(known.payment)]
      const plan = planOtherAmount(known, facts('needs_response', { amountMinor }), clock)!
      return [`then ${amountMinor}`, plan, ...subjects]
    }),
    [
      'reduced',
      { ...planHoldDecreased(dispute, 4_000n, clock), reply: {} },
      { row: dispute, present: presentDispute },
    ],
  ]
}
