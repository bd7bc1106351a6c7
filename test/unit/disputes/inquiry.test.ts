import { describe, expect, test } from 'vitest'
import { disputeLifecycle } from '../../../functions/money/disputes/lifecycle.ts'
import { planFacts, planNextPoll } from '../../../functions/money/disputes/plan.ts'
import { planEvidence } from '../../../functions/money/disputes/plan-answer.ts'
import { allMoves } from '../../../src/kernel/lifecycle.ts'
import { isRefusal, type Plan } from '../../../src/kernel/plan.ts'
import { clockAt, now } from '../payments/samples.ts'
import {
  changed,
  disputed,
  facts,
  inquired,
  inquiryStatuses,
  paid,
  type Status,
  statuses,
} from './samples.ts'

const hourMs = 3_600_000
const learn = (known: Parameters<typeof planFacts>[1], state: Status) =>
  planFacts('simulator', known, facts(state), clockAt())
const typesOf = (plan: Plan<object>) => plan.events.map(({ type }) => type)
const kinds = (plan: Plan<object>) => plan.writes.map(({ kind }) => kind)
const journals = (plan: Plan<object>) =>
  plan.writes.flatMap((write) => (write.kind === 'post' ? [write.entryKind] : []))

describe('an inquiry that is new to us', () => {
  test.each([
    ['inquiry_needs_response', ['dispute.inquiry_created'], 1],
    ['inquiry_under_review', ['dispute.inquiry_created', 'dispute.inquiry_under_review'], 1],
    ['inquiry_closed', ['dispute.inquiry_created', 'dispute.inquiry_closed'], 24],
  ] as const)('%s: is recorded, and neither holds, counts nor books anything', (state, events, hours) => {
    const plan = learn({ payment: paid(), dispute: null }, state)!
    expect(kinds(plan)).toEqual(['insert'])
    expect(typesOf(plan)).toEqual(events)
    expect(plan.writes[0]).toMatchObject({
      rows: [{ status: state, heldMinor: 0n, nextCheckAt: new Date(now.getTime() + hours * hourMs) }],
    })
    expect(plan.reply).toMatchObject({
      status: state,
      amount: '10000',
      amount_held: '0',
      amount_uncovered: '0',
      resolved_at: state === 'inquiry_closed' ? now.toISOString() : null,
    })
  })
})

describe('an inquiry that we know', () => {
  const among: Record<string, string> = {
    'inquiry_needs_response inquiry_under_review': 'dispute.inquiry_under_review',
    'inquiry_needs_response inquiry_closed': 'dispute.inquiry_closed',
    'inquiry_under_review inquiry_needs_response': 'dispute.inquiry_reopened',
    'inquiry_under_review inquiry_closed': 'dispute.inquiry_closed',
    'inquiry_closed inquiry_needs_response': 'dispute.inquiry_reopened',
    'inquiry_closed inquiry_under_review': 'dispute.inquiry_reopened',
  }
  const table = inquiryStatuses.flatMap((from) => inquiryStatuses.map((to): [Status, Status] => [from, to]))
  test.each(table)('%s, and the processor says %s: no money moves', (from, to) => {
    const plan = learn(inquired(from), to)
    expect(plan ? [kinds(plan), typesOf(plan)] : null).toEqual(
      from === to ? null : [['change'], [among[`${from} ${to}`]]],
    )
  })

  const opened = { amountDisputedMinor: 10_000n, openDisputesCount: 1 }
  const claims: [to: Status, counted: object | undefined, booked: string[], events: string[]][] = [
    ['needs_response', opened, ['hold'], ['dispute.created', 'payment.disputed']],
    ['under_review', opened, ['hold'], ['dispute.created', 'dispute.under_review', 'payment.disputed']],
    [
      'lost',
      { amountDisputedMinor: 10_000n },
      ['hold', 'lost'],
      ['dispute.created', 'dispute.lost', 'payment.disputed'],
    ],
    ['won', undefined, [], ['dispute.created', 'dispute.won']],
  ]
  test.each(inquiryStatuses.flatMap((from) => claims.map((claim) => [from, ...claim] as const)))(
    '%s that becomes a dispute, %s: the same row claims, once',
    (from, to, counted, booked, events) => {
      const plan = learn(inquired(from), to)!
      const [deltas] = plan.writes.flatMap((write) => (write.kind === 'adjust' ? [write.deltas] : []))
      expect([deltas, journals(plan), typesOf(plan)]).toEqual([counted, booked, events])
      expect(changed(plan)).toMatchObject({ status: to, heldMinor: to === 'won' ? 0n : 10_000n })
      expect(plan.events[0]).toMatchObject({
        object: { id: inquired(from).dispute.id, status: to },
        previousAttributes: { status: from },
      })
    },
  )

  test.each(statuses.flatMap((from) => inquiryStatuses.map((to): [Status, Status] => [from, to])))(
    'a dispute, %s, of which an older answer says %s: it stays the dispute',
    (from, to) => {
      expect(learn(disputed(from), to)).toBeNull()
    },
  )

  test('the database allows exactly these moves', () => {
    const allowed = allMoves(disputeLifecycle).map(({ from, to }) => `${from} ${to}`)
    const becoming = inquiryStatuses.flatMap((from) => statuses.map((to) => `${from} ${to}`))
    expect(allowed.filter((pair) => pair.includes('inquiry'))).toEqual(
      [...Object.keys(among), ...becoming].sort(),
    )
  })
})

describe('evidence for an inquiry', () => {
  const evidence = { explanation: 'Signed for.' }
  test.each(inquiryStatuses)('%s', (status) => {
    const plan = planEvidence(inquired(status).dispute, { texts: evidence }, 'submit', now)
    if (status === 'inquiry_needs_response') expect(isRefusal(plan)).toBe(false)
    else expect(plan).toMatchObject({ refused: 'dispute_evidence_not_awaited' })
  })

  test('the bank has it once it looks at it', () => {
    const plan = learn(
      inquired('inquiry_needs_response', { evidence, pendingAction: 'submit' }),
      'inquiry_under_review',
    )!
    expect(changed(plan)).toMatchObject({ evidence, evidenceSubmittedAt: now })
  })

  test('what it never had is no evidence in the dispute; what it had stays', () => {
    const asked = inquired('inquiry_needs_response', { evidence, pendingAction: 'submit' })
    const unsent = learn(asked, 'needs_response')!
    expect(changed(unsent)).toMatchObject({ evidence: {}, evidenceSubmittedAt: null })
    const sent = inquired('inquiry_under_review', { evidence, evidenceSubmittedAt: now })
    expect(changed(learn(sent, 'needs_response')!)).toMatchObject({ evidence, evidenceSubmittedAt: now })
  })
})

test.each(inquiryStatuses)('%s: the processor is asked again', (status) => {
  const plan = planNextPoll(inquired(status, { checksCount: 0 }).dispute, now)!
  const hours = status === 'inquiry_closed' ? 48 : 1
  expect(changed(plan)).toMatchObject({ nextCheckAt: new Date(now.getTime() + hours * hourMs) })
})

describe('what was prevented', () => {
  const prevented = facts('won', { isPrevented: true })
  const told = (known: Parameters<typeof planFacts>[1]) => planFacts('simulator', known, prevented, clockAt())

  test('is not recorded where it is new to us', () => {
    expect(told({ payment: paid(), dispute: null })).toBeNull()
  })

  test('closes an inquiry, and gives back what a dispute holds', () => {
    expect(changed(told(inquired('inquiry_needs_response'))!)).toMatchObject({ status: 'inquiry_closed' })
    const plan = told(disputed('needs_response'))!
    expect([changed(plan), journals(plan)]).toMatchObject([{ status: 'won' }, ['release']])
  })
})
