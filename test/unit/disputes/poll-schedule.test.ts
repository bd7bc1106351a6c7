import { describe, expect, test } from 'vitest'
import {
  awaitsConfirmation,
  planEvidence,
  planFacts,
  planNextPoll,
} from '../../../functions/disputes/plan.ts'
import type { DisputeRow } from '../../../functions/disputes/store.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import { clockAt, now } from '../payments/samples.ts'
import { changed, disputed, facts, type Status } from './samples.ts'

describe('evidence', () => {
  const evidence = { explanation: 'Signed for.' }
  const table: [what: string, changes: Partial<DisputeRow>, refused: string | null][] = [
    ['asked for', {}, null],
    ['without a last day', { evidenceDueBy: null }, null],
    ['asked for again', { evidence, evidenceSubmittedAt: now }, null],
    ['too late', { evidenceDueBy: now }, 'dispute_evidence_overdue'],
    ['on its way', { evidence }, 'dispute_evidence_not_awaited'],
    ['looked at', { status: 'under_review' }, 'dispute_evidence_not_awaited'],
    ['won', { status: 'won' }, 'dispute_evidence_not_awaited'],
    ['lost', { status: 'lost' }, 'dispute_evidence_not_awaited'],
  ]
  test.each(table)('%s', (_what, changes, refused) => {
    const plan = planEvidence(disputed('needs_response', changes).dispute, evidence, now)
    expect(isRefusal(plan) ? plan.refused : null).toBe(refused)
    if (!isRefusal(plan))
      expect(plan.reply).toMatchObject({ status: 'needs_response', evidence, evidence_submitted_at: null })
  })

  test('counts as sent once the processor reviews it', () => {
    const { payment, dispute } = disputed('needs_response', { evidence })
    expect(awaitsConfirmation(dispute)).toBe(true)
    const plan = planFacts('simulator', { payment, dispute }, facts('under_review'), clockAt())!
    expect(plan.writes[0]).toMatchObject({ set: { status: 'under_review', evidenceSubmittedAt: now } })
  })
})

describe('asked for evidence again', () => {
  const evidence = { explanation: 'Signed for.' }
  const over: Status[] = ['won', 'lost']
  test.each(over)('%s before: the evidence that the bank had stays shown, and more is taken', (from) => {
    const { payment, dispute } = disputed(from, { evidence, evidenceSubmittedAt: now })
    const plan = planFacts('simulator', { payment, dispute }, facts('needs_response'), clockAt())!
    expect(changed(plan)).toMatchObject({ evidence, evidenceSubmittedAt: now })
    const after = { ...dispute, ...changed(plan) }
    expect(isRefusal(planEvidence(after, { explanation: 'More.' }, now))).toBe(false)
  })

  test.each(over)(
    '%s before the bank had the evidence: it is not sent by itself, and other evidence is taken',
    (from) => {
      const { payment, dispute } = disputed(from, { evidence })
      const plan = planFacts('simulator', { payment, dispute }, facts('needs_response'), clockAt())!
      expect(changed(plan)).toMatchObject({ evidence: {}, evidenceSubmittedAt: null })
      const after = { ...dispute, ...changed(plan) }
      expect(awaitsConfirmation(after)).toBe(false)
      expect(isRefusal(planEvidence(after, { explanation: 'More.' }, now))).toBe(false)
    },
  )
})

describe('the next look', () => {
  const hour = 3_600_000
  const evidence = { explanation: 'Signed for.' }
  const table: [what: string, changes: Partial<DisputeRow>, wait: number][] = [
    ['open', {}, hour],
    ['open, looked at four times', { checksCount: 4 }, 16 * hour],
    ['open, for ever', { checksCount: 1_000 }, 24 * hour],
    ['evidence on its way', { evidence }, 60_000],
    ['evidence on its way, for ever', { evidence, checksCount: 1_000 }, hour],
    ['over', { status: 'won' }, 48 * hour],
    ['over, looked at twice', { status: 'lost', checksCount: 2 }, 7 * 24 * hour],
    ['lost beyond what was left', { status: 'lost', heldMinor: 1n, checksCount: 50 }, 24 * hour],
    ['over, looked at fourteen times', { status: 'won', checksCount: 13 }, 7 * 24 * hour],
  ]
  test.each(table)('%s', (_what, changes, wait) => {
    const plan = planNextPoll(disputed('needs_response', changes).dispute, now)
    expect(changed(plan!)).toMatchObject({ nextCheckAt: new Date(now.getTime() + wait) })
  })

  const ends: [what: string, status: Status, heldMinor: bigint][] = [
    ['won', 'won', 10_000n],
    ['lost', 'lost', 10_000n],
    ['lost beyond what was left', 'lost', 3_000n],
  ]
  test.each(ends)('%s: the last one is three months after the end', (_what, status, heldMinor) => {
    const start = now.getTime()
    let dispute = disputed(status, { heldMinor, nextCheckAt: new Date(start + 24 * hour) }).dispute
    let last = start
    for (let looks = 0; dispute.nextCheckAt && looks < 100; looks++) {
      last = dispute.nextCheckAt.getTime()
      dispute = { ...dispute, ...changed(planNextPoll(dispute, dispute.nextCheckAt)!) }
    }
    expect((last - start) / (24 * hour)).toBe(91)
    expect(planNextPoll(dispute, now)).toBeNull()
  })
})
