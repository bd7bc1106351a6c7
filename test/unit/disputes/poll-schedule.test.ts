import { describe, expect, test } from 'vitest'
import { planFacts, planNextPoll } from '../../../functions/money/disputes/plan.ts'
import { planAccept, planEvidence, planTold } from '../../../functions/money/disputes/plan-answer.ts'
import type { DisputeRow } from '../../../functions/money/disputes/store.ts'
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
    ['after a draft', { evidence, pendingAction: 'draft' }, null],
    ['on its way', { evidence, pendingAction: 'submit' }, 'dispute_evidence_not_awaited'],
    ['accepted', { pendingAction: 'accept' }, 'dispute_evidence_not_awaited'],
    ['looked at', { status: 'under_review' }, 'dispute_evidence_not_awaited'],
    ['won', { status: 'won' }, 'dispute_evidence_not_awaited'],
    ['lost', { status: 'lost' }, 'dispute_evidence_not_awaited'],
  ]
  test.each(table)('%s', (_what, changes, refused) => {
    for (const action of ['submit', 'draft'] as const) {
      const plan = planEvidence(disputed('needs_response', changes).dispute, { texts: evidence }, action, now)
      expect(isRefusal(plan) ? plan.refused : null).toBe(refused)
      if (!isRefusal(plan))
        expect(plan.reply).toMatchObject({
          status: 'needs_response',
          evidence,
          evidence_submitted_at: null,
          pending_action: action,
        })
    }
  })

  test('counts as sent once the processor reviews it', () => {
    const { payment, dispute } = disputed('needs_response', { evidence, pendingAction: 'submit' })
    const plan = planFacts('simulator', { payment, dispute }, facts('under_review'), clockAt())!
    expect(plan.writes[0]).toMatchObject({
      set: { status: 'under_review', evidenceSubmittedAt: now, pendingAction: null },
    })
  })

  test('a draft that the bank never saw does not', () => {
    for (const pendingAction of ['draft', null] as const) {
      const known = disputed('needs_response', { evidence, pendingAction })
      const plan = planFacts('simulator', known, facts('under_review'), clockAt())!
      expect(changed(plan)).toMatchObject({ evidence, evidenceSubmittedAt: null, pendingAction: null })
    }
  })

  test('what the processor does not take can be sent again, and says why', () => {
    const { dispute } = disputed('needs_response', { evidence, pendingAction: 'submit' })
    const plan = planTold(dispute, 'too_long', clockAt())
    expect(plan.events).toMatchObject([
      {
        type: 'dispute.evidence_refused',
        object: { evidence_failure: 'too_long', pending_action: null },
        previousAttributes: { evidence_failure: null, pending_action: 'submit' },
      },
    ])
    const after = { ...dispute, ...changed(plan) }
    const again = planEvidence(after, { texts: evidence }, 'submit', now)
    expect(isRefusal(again) ? again : again.reply).toMatchObject({ evidence_failure: null })
    expect(planTold(dispute, null, clockAt()).events).toEqual([])
  })
})

describe('accepting', () => {
  const table: [what: string, changes: Partial<DisputeRow>, taken: boolean][] = [
    ['asked for', {}, true],
    ['after a draft', { pendingAction: 'draft' }, true],
    ['too late for evidence', { evidenceDueBy: now }, true],
    ['answered', { pendingAction: 'submit' }, false],
    ['accepted', { pendingAction: 'accept' }, false],
    ['looked at', { status: 'under_review' }, false],
    ['won', { status: 'won' }, false],
    ['lost', { status: 'lost' }, false],
    ['an inquiry', { status: 'inquiry_needs_response' }, false],
  ]
  test.each(table)('%s', (_what, changes, taken) => {
    const plan = planAccept(disputed('needs_response', changes).dispute, now)
    expect(isRefusal(plan) ? plan.refused : plan.reply.pending_action).toBe(
      taken ? 'accept' : 'dispute_not_acceptable',
    )
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
    expect(isRefusal(planEvidence(after, { texts: { explanation: 'More.' } }, 'submit', now))).toBe(false)
  })

  test.each(over)(
    '%s before the bank had the evidence: it is not sent by itself, and other evidence is taken',
    (from) => {
      const { payment, dispute } = disputed(from, { evidence })
      const plan = planFacts('simulator', { payment, dispute }, facts('needs_response'), clockAt())!
      expect(changed(plan)).toMatchObject({ evidence: {}, evidenceSubmittedAt: null })
      const after = { ...dispute, ...changed(plan) }
      expect(after.pendingAction).toBeNull()
      expect(isRefusal(planEvidence(after, { texts: { explanation: 'More.' } }, 'submit', now))).toBe(false)
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
    ['evidence on its way', { evidence, pendingAction: 'submit' }, 60_000],
    ['evidence on its way, for ever', { evidence, pendingAction: 'accept', checksCount: 1_000 }, hour],
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
