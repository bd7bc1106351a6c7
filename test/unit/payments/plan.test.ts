import { describe, expect, test } from 'vitest'
import { paymentLinks } from '../../../drizzle/schema/payment-links.ts'
import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { byCard, newSubmission, planRetry, planSubmission } from '../../../functions/money/payments/plan.ts'
import { expiry, planDue, release } from '../../../functions/money/payments/plan-due.ts'
import { receiptOf } from '../../../functions/money/payments/plan-mails.ts'
import { planNextPoll, planOutcome } from '../../../functions/money/payments/plan-outcome.ts'
import { presentPayment } from '../../../functions/money/payments/present.ts'
import type { PaymentRow } from '../../../functions/money/payments/store.ts'
import { expect as condition, type Plan, type Write } from '../../../src/kernel/plan.ts'
import {
  type AnswerName,
  answerNames,
  answers,
  attemptStatuses,
  card,
  clockAt,
  idOf,
  now,
  order,
  publicId,
  schedule,
  submission,
} from './samples.ts'

const nothing = () => ({ writes: [], events: [] })
const outcome = (attempt: object, name: AnswerName, payment: object = {}) =>
  planOutcome(submission(attempt, payment), answers[name], schedule, nothing, clockAt(now, 10))

/** The status that a plan gives the rows of a table; undefined when it leaves them unchanged. */
const statusIn = (plan: Plan<unknown> | null, table: object) =>
  plan?.writes
    .filter(
      (write): write is Extract<Write, { kind: 'change' | 'changeEach' }> =>
        (write.kind === 'change' || write.kind === 'changeEach') && write.table === table,
    )
    .map(({ set }) => (set as { status?: string }).status)[0]

const posts = (plan: Plan<unknown> | null) => (plan?.writes ?? []).filter(({ kind }) => kind === 'post')

describe('attempt status × answer of the processor', () => {
  const over = Array(8).fill('-')
  const integrity = ['amount_mismatch', 'amount_mismatch']
  //                  captured    ≠ amount, ≠ currency  pending_customer    declined    canceled    unknown    not_found
  const table: Record<(typeof attemptStatuses)[number], string[]> = {
    submitting: ['captured', ...integrity, 'pending_customer', 'declined', 'canceled', 'unknown', '-'],
    unknown: ['captured', ...integrity, 'pending_customer', 'declined', 'canceled', '-', '-'],
    pending_customer: ['captured', ...integrity, '-', 'declined', 'expired', '-', '-'],
    authorized: ['captured', ...integrity, '-', '-', 'expired', '-', '-'],
    captured: over,
    declined: over,
    // Late cash from a till, of another amount than was asked for.
    canceled: ['-', ...integrity, ...Array(5).fill('-')],
    expired: ['-', ...integrity, ...Array(5).fill('-')],
    // Numbers that agree again let the attempt continue; those that still contradict are asked about again.
    amount_mismatch: ['captured', '-', '-', '-', 'declined', 'canceled', '-', '-'],
  }
  test.each(attemptStatuses.map((status) => [status, table[status]] as const))('%s', (status, results) => {
    const got = answerNames.map((name) => statusIn(outcome({ status }, name), paymentAttempts) ?? '-')
    expect(got).toEqual(results)
  })

  test("the payment's new status, and what is booked", () => {
    const got = answerNames.map((name) => {
      const plan = outcome({}, name)
      const types = plan?.events.map(({ type }) => type) ?? []
      return [name, statusIn(plan, payments) ?? '-', posts(plan).length, ...types]
    })
    expect(got).toEqual([
      ['captured', 'succeeded', 1, 'payment.succeeded'],
      ['captured, another amount', '-', 0, 'payment.amount_mismatch'],
      ['captured, another currency', '-', 0, 'payment.amount_mismatch'],
      ['pending_customer', 'requires_action', 0, 'payment.requires_action'],
      ['declined', 'requires_payment_method', 0, 'payment.declined'],
      ['canceled', 'requires_payment_method', 0, 'payment.declined'],
      ['unknown', '-', 0],
      ['not_found', '-', 0],
    ])
  })
})

test('the first attempt is recorded before any call to the processor', () => {
  const planned = newSubmission(order, publicId, byCard(card), 'simulator', schedule, clockAt())
  const wanted = condition(paymentLinks, order.originId, { status: 'active', termsVersion: 1 }, 'expiresAt')
  const { payment, attempt } = planned
  expect(planSubmission(planned, wanted, clockAt(now, 3).newId)).toEqual({
    writes: [
      wanted,
      { kind: 'insert', table: payments, rows: [payment] },
      { kind: 'insert', table: paymentAttempts, rows: [attempt] },
    ],
    events: [
      {
        id: idOf(3),
        type: 'payment.created',
        resourceType: 'payment',
        resourceId: idOf(1),
        object: presentPayment(planned.payment),
        previousAttributes: {},
        counted: {
          table: payments,
          id: idOf(1),
          fields: {
            metadata: { column: 'metadata', delta: null },
            client_reference_id: { column: 'clientReferenceId', delta: null },
            customer_id: { column: 'customerId', delta: null },
          },
        },
      },
    ],
    reply: { public_id: publicId },
    subjectId: idOf(1),
  })
  expect(payment).toMatchObject({
    status: 'processing',
    amountMinor: 120_000n,
    amountCapturedMinor: 0n,
    exclusive: true,
  })
  expect(attempt).toMatchObject({
    paymentId: idOf(1),
    number: 1,
    status: 'submitting',
    amountMinor: 120_000n,
    nextCheckAt: new Date('2026-06-12T18:01:00.000Z'),
  })
})

const over = (status: string) => ({
  status,
  intent: null,
  intentAmountMinor: null,
  nextAction: null,
  nextCheckAt: null,
  resolvedAt: now,
  updatedAt: now,
})

test('a capture: fees, net, bank day, journal and what was sold, in one plan', () => {
  const sold: Write = condition(paymentLinks, order.originId, {})
  const { payment, attempt } = submission()
  const plan = planOutcome(
    { payment, attempt },
    answers.captured,
    schedule,
    () => ({ writes: [sold], events: [] }),
    clockAt(now, 10),
  )
  // 1,200.00 at 3.6 % is 43.20, IVA of it 6.91. A Friday's capture is available on Tuesday.
  const set = {
    status: 'succeeded' as const,
    amountAuthorizedMinor: 120_000n,
    amountCapturedMinor: 120_000n,
    feeProcessingMinor: 4_320n,
    feeInstallmentsMinor: 0n,
    feeIvaMinor: 691n,
    netMinor: 114_989n,
    availableOn: '2026-06-16',
    fundsStatus: 'pending' as const,
    reserveMinor: 0n,
    reserveReleaseOn: null,
    declineCode: null,
    succeededAt: now,
    updatedAt: now,
  }
  expect(plan).toEqual({
    writes: [
      sold,
      {
        kind: 'change',
        table: paymentAttempts,
        id: idOf(2),
        version: 1,
        fromStatus: 'submitting',
        set: { ...over('captured'), processorRef: 'sim_1' },
      },
      { kind: 'change', table: payments, id: idOf(1), version: 1, fromStatus: 'processing', set },
      {
        kind: 'post',
        id: idOf(10),
        sourceType: 'payment',
        sourceId: idOf(1),
        entryKind: 'capture',
        currency: 'mxn',
        createdAt: now,
        postings: [
          { account: 'merchant_pending', amountMinor: 114_989n },
          { account: 'fee_expense', amountMinor: 4_320n },
          { account: 'iva_on_fees', amountMinor: 691n },
          { account: 'processor_clearing', amountMinor: -120_000n },
        ],
      },
      receiptOf({ ...payment, ...set }, clockAt(now, 11)),
    ],
    events: [
      {
        id: idOf(12),
        type: 'payment.succeeded',
        resourceType: 'payment',
        resourceId: idOf(1),
        object: presentPayment({ ...payment, ...set }),
        previousAttributes: {
          status: 'processing',
          amount_authorized: '0',
          amount_captured: '0',
          amount_fee: '0',
          fee_details: { processing: '0', installments: '0', iva: '0' },
          amount_net: '0',
          available_on: null,
          funds_status: 'none',
          succeeded_at: null,
        },
      },
    ],
    reply: presentPayment({ ...payment, ...set }),
  })
})

test('a decline keeps its reason and waits a day for another card; a silent processor is asked again', () => {
  const declined = outcome({}, 'declined')
  expect(declined?.writes).toEqual([
    {
      kind: 'change',
      table: paymentAttempts,
      id: idOf(2),
      version: 1,
      fromStatus: 'submitting',
      set: { ...over('declined'), declineCode: 'insufficient_funds', declineCategory: 'soft' },
    },
    {
      kind: 'change',
      table: payments,
      id: idOf(1),
      version: 1,
      fromStatus: 'processing',
      set: {
        status: 'requires_payment_method',
        declineCode: 'insufficient_funds',
        expiresAt: new Date('2026-06-13T18:00:00.000Z'),
        updatedAt: now,
      },
    },
  ])
  const lost = outcome({}, 'unknown')
  expect(lost?.writes).toEqual([
    {
      kind: 'change',
      table: paymentAttempts,
      id: idOf(2),
      version: 1,
      fromStatus: 'submitting',
      set: {
        status: 'unknown',
        nextAction: null,
        nextCheckAt: new Date('2026-06-12T18:00:03.000Z'),
        updatedAt: now,
      },
    },
  ])
})

test('an unanswered challenge is a failed authentication, an attempt that never arrived a processing error', () => {
  const reason = (status: string) =>
    outcome({ status }, 'canceled')?.writes.map(
      (write) => (write as { set: { declineCode: string } }).set.declineCode,
    )
  expect(reason('pending_customer')).toEqual(['authentication_failed', 'authentication_failed'])
  expect(reason('submitting')).toEqual(['processing_error', 'processing_error'])
})

test('the reconciler looks at growing intervals, up to an hour', () => {
  const waits = [0, 1, 2, 5, 10, 11, 50, 2_000].map((checksCount) => {
    const [write] = planNextPoll(
      submission({ status: 'unknown', checksCount }).attempt,
      { state: 'unknown' },
      now,
    )!.writes
    const { set } = write as { set: { nextCheckAt: Date; checksCount: number } }
    expect(set.checksCount).toBe(checksCount + 1)
    return (set.nextCheckAt.getTime() - now.getTime()) / 1000
  })
  expect(waits).toEqual([3, 6, 12, 96, 3_072, 3_600, 3_600, 3_600])
})

test('an unanswered challenge is looked at when its time is over, not only at the look after it', () => {
  const secondsUntilLook = (expiresInSeconds: number, checksCount: number) => {
    const expiresAt = new Date(now.getTime() + expiresInSeconds * 1000)
    const { attempt } = submission({ status: 'pending_customer', expiresAt, checksCount })
    const [write] = planNextPoll(attempt, answers.pending_customer, now)!.writes
    return ((write as { set: { nextCheckAt: Date } }).set.nextCheckAt.getTime() - now.getTime()) / 1000
  }
  expect(secondsUntilLook(1_800, 0)).toBe(3)
  expect(secondsUntilLook(30, 9)).toBe(30)
  // If it cannot be closed then, the intervals grow as usual.
  expect(secondsUntilLook(0, 9)).toBe(1_536)
})

test('another card: the same payment on the current terms, its next attempt', () => {
  const { payment: before } = submission(
    {},
    { status: 'requires_payment_method', declineCode: 'expired_card', version: 2 },
  )
  const wanted = condition(paymentLinks, order.originId, { status: 'active' })
  const shown = { description: 'Silla', locationId: idOf(77), clientReferenceId: 'visit-2' }
  const terms = { ...order, ...shown, totalMinor: 131_436n, markupMinor: 11_436n, installmentMonths: 12 }
  const { submission: next, plan } = planRetry(
    before,
    terms,
    2,
    byCard(card),
    'simulator',
    schedule,
    wanted,
    clockAt(now, 20),
  )
  expect(next.payment).toMatchObject({
    id: before.id,
    publicId,
    status: 'processing',
    ...shown,
    amountMinor: 131_436n,
    declineCode: null,
    expiresAt: null,
    version: 3,
  })
  expect(next.attempt).toMatchObject({ id: idOf(20), number: 2, status: 'submitting', amountMinor: 131_436n })
  expect(plan.writes.map(({ kind }) => kind)).toEqual(['expect', 'change', 'insert'])
  expect(plan.writes[1]).toMatchObject({ id: before.id, version: 2, fromStatus: 'requires_payment_method' })
  expect(plan.events.map(({ type, previousAttributes }) => [type, previousAttributes])).toEqual([
    [
      'payment.processing',
      {
        status: 'requires_payment_method',
        amount: '120000',
        amount_markup: '0',
        installments: null,
        location_id: before.locationId,
        description: before.description,
        client_reference_id: before.clientReferenceId,
        decline_code: 'expired_card',
      },
    ],
  ])
})

test('funds are released once, only from pending, and one publish takes all of a merchant’s', () => {
  const paid = (at: number, fundsStatus: PaymentRow['fundsStatus'], netMinor = 114_989n): PaymentRow => ({
    ...submission({}, { status: 'succeeded', fundsStatus, netMinor }).payment,
    id: idOf(at),
  })
  const released = (sourceId: string, journalId: string, netMinor: bigint) => ({
    id: journalId,
    sourceType: 'payment',
    sourceId,
    entryKind: 'release',
    currency: 'mxn',
    createdAt: now,
    postings: [
      { account: 'merchant_pending', amountMinor: -netMinor },
      { account: 'merchant_available', amountMinor: netMinor },
    ],
  })
  const rows = [paid(4, 'pending', 500n), paid(3, 'available'), paid(2, 'none'), paid(1, 'pending')]
  const plan = planDue(rows, release, clockAt(now, 30))
  expect(plan?.writes).toEqual([
    {
      kind: 'changeEach',
      table: payments,
      rows: [
        { id: idOf(1), version: 1, fromStatus: 'succeeded' },
        { id: idOf(4), version: 1, fromStatus: 'succeeded' },
      ],
      set: { fundsStatus: 'available', updatedAt: now },
    },
    {
      kind: 'postEach',
      journals: [released(idOf(1), idOf(30), 114_989n), released(idOf(4), idOf(31), 500n)],
    },
  ])
  expect(plan?.events.map(({ type, resourceId }) => [type, resourceId])).toEqual([
    ['payment.funds_available', idOf(1)],
    ['payment.funds_available', idOf(4)],
  ])
  expect(planDue(rows.slice(1, 3), release, clockAt())).toBeNull()
})

test('only a payment that waits for a card expires', () => {
  const statuses = [
    'requires_payment_method',
    'requires_action',
    'processing',
    'succeeded',
    'expired',
  ] as const
  const ends = statuses.map((status) =>
    statusIn(planDue([submission({}, { status }).payment], expiry, clockAt()), payments),
  )
  expect(ends).toEqual(['expired', undefined, undefined, undefined, undefined])
})
