import { describe, expect, test } from 'vitest'
import { planFacts } from '../../../functions/money/disputes/plan.ts'
import type { DisputeRow } from '../../../functions/money/disputes/store.ts'
import type { Plan } from '../../../src/kernel/plan.ts'
import { clockAt } from '../payments/samples.ts'
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

const fee = { feeMinor: 15_000n, ivaMinor: 2_400n }
const charged = { feeMinor: 15_000n, feeIvaMinor: 2_400n }
const none = { feeMinor: 0n, feeIvaMinor: 0n }

/** The journals of the fee, as the account that they move: `available`, fees, IVA. */
const booked = (plan: Plan<object>) =>
  plan.writes.flatMap((write) =>
    write.kind === 'post' && /^fee/.test(write.entryKind)
      ? [[write.entryKind, write.round, ...write.postings.map(({ amountMinor }) => amountMinor)]]
      : [],
  )

const taken = (round: number) => ['fee', round, -17_400n, 15_000n, 2_400n]
const returned = (round: number) => ['fee_returned', round, 17_400n, -15_000n, -2_400n]

describe('a dispute that is new to us costs its fee, unless it is won already', () => {
  test.each(statuses)('%s', (state) => {
    const plan = planFacts('simulator', { payment: paid(), dispute: null, fee }, facts(state), clockAt())!
    const [row] = plan.writes.flatMap((write) => (write.kind === 'insert' ? write.rows : []))
    expect(row).toMatchObject(state === 'won' ? none : charged)
    expect(booked(plan)).toEqual(state === 'won' ? [] : [taken(1)])
    expect(plan.events[0]!.object).toMatchObject({
      amount_fee: state === 'won' ? '0' : '17400',
      fee_details: state === 'won' ? { amount: '0', iva: '0' } : { amount: '15000', iva: '2400' },
    })
  })

  test('also where all of the payment was refunded before', () => {
    const payment = paid({ amountRefundedMinor: 10_000n })
    const plan = planFacts('simulator', { payment, dispute: null, fee }, facts('lost'), clockAt())!
    expect(plan.writes.flatMap((write) => (write.kind === 'post' ? [write.entryKind] : []))).toEqual(['fee'])
  })

  test('a schedule without a fee takes none', () => {
    for (const of of [{}, { fee: { feeMinor: 0n, ivaMinor: 0n } }]) {
      const plan = planFacts(
        'simulator',
        { payment: paid(), dispute: null, ...of },
        facts('lost'),
        clockAt(),
      )!
      expect(booked(plan)).toEqual([])
      expect(plan.reply.fee_details).toEqual({ amount: '0', iva: '0' })
    }
  })
})

describe('a dispute that we know: the fee comes back with the win, and is taken again with what follows it', () => {
  const moves: [from: Status, to: Status, journal: unknown[] | null][] = [
    ['needs_response', 'under_review', null],
    ['needs_response', 'won', returned(1)],
    ['needs_response', 'lost', null],
    ['under_review', 'needs_response', null],
    ['under_review', 'won', returned(1)],
    ['under_review', 'lost', null],
    ['lost', 'needs_response', null],
    ['lost', 'under_review', null],
    ['lost', 'won', returned(1)],
    ['won', 'needs_response', taken(2)],
    ['won', 'under_review', taken(2)],
    ['won', 'lost', taken(2)],
  ]
  const known = (from: Status, changes: Partial<DisputeRow> = {}) => ({
    ...disputed(from, { ...(from === 'won' ? none : charged), ...changes }),
    fee,
  })
  test.each(moves)('%s, then %s', (from, to, journal) => {
    const plan = planFacts('simulator', known(from), facts(to), clockAt())!
    expect(changed(plan)).toMatchObject(to === 'won' ? none : charged)
    expect(booked(plan)).toEqual(journal === null ? [] : [journal])
    const was = from === 'won' ? { amount: '0', iva: '0' } : { amount: '15000', iva: '2400' }
    const { previousAttributes } = plan.events[0]!
    expect(previousAttributes?.fee_details).toEqual(journal === null ? undefined : was)
  })

  test.each(moves.filter(([from, to]) => from !== 'won' && to !== 'won'))(
    '%s, then %s: a fee that the schedule has only now is not taken in between',
    (from, to) => {
      const plan = planFacts('simulator', known(from, none), facts(to), clockAt())!
      expect([booked(plan), changed(plan)]).toMatchObject([[], none])
    },
  )
})

describe('an inquiry costs nothing until it becomes a dispute', () => {
  test.each(inquiryStatuses)('%s', (state) => {
    const asked = planFacts('simulator', { payment: paid(), dispute: null, fee }, facts(state), clockAt())!
    expect([booked(asked), asked.reply.fee_details]).toEqual([[], { amount: '0', iva: '0' }])
    for (const status of statuses) {
      const plan = planFacts('simulator', { ...inquired(state), fee }, facts(status), clockAt())!
      expect(changed(plan)).toMatchObject(status === 'won' ? none : charged)
      expect(booked(plan)).toHaveLength(status === 'won' ? 0 : 1)
    }
  })
})
