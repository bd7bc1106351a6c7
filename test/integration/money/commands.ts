import fc from 'fast-check'
import type { SandboxCardToken } from '../../../src/processors/simulator/cards.ts'

/**
 * Everything that moves a merchant's money, as data. A number selects the payment, refund … by position, modulo their
 * count.
 */
export type Command =
  | { kind: 'card'; token: SandboxCardToken; manual: boolean; amount: number; months: number }
  | { kind: 'oxxo' | 'spei'; amount: number }
  | { kind: 'voucher'; which: number; what: 'pay' | 'pay_late' | 'expire' }
  | { kind: 'deposit'; which: number; part: Part; twice: boolean }
  | { kind: 'bank'; which: number; outcome: 'approve' | 'fail' }
  | { kind: 'capture'; which: number; part: Part }
  | { kind: 'cancel'; which: number }
  | {
      kind: 'refund'
      which: number
      part: Part
      method: 'original' | 'recorded_offline'
      destination: boolean
    }
  | { kind: 'dashboard_refund'; which: number; part: Part }
  | { kind: 'refund_cancel' | 'refund_destination'; which: number }
  | { kind: 'dispute'; which: number }
  | { kind: 'resolve'; which: number; outcome: 'won' | 'lost' }
  | { kind: 'reconsider'; which: number; status: 'needs_response' | 'under_review' | 'won' | 'lost' }
  | { kind: 'evidence'; which: number }
  | { kind: 'transfer'; part: Part; to: 'clabe' | 'closed_clabe' | 'returning_clabe' | 'tenant' }
  | { kind: 'transfer_return'; which: number }
  | { kind: 'payout' }
  | { kind: 'payout_return' | 'payout_fail'; which: number }
  | { kind: 'apply' | 'refund_unapplied'; which: number; part: Part }
  | { kind: 'clock'; hours: number }
  | { kind: 'reconciler' }

/** Which part of an amount: also more than all, nothing, and what is no amount at all. */
export type Part = 'all' | 'half' | 'third' | 'one' | 'more' | 'zero' | 'negative'

const which = fc.nat(9)
const part = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<Part>('all', 'half', 'half', 'third', 'one') },
  { weight: 2, arbitrary: fc.constantFrom<Part>('more', 'zero', 'negative') },
)
const amount = fc.oneof(fc.integer({ min: 1_000, max: 20_000 }), fc.integer({ min: 1_000, max: 900_000 }))

const tokens: readonly SandboxCardToken[] = [
  'tok_sbx_approve',
  'tok_sbx_approve',
  'tok_sbx_approve',
  'tok_sbx_msi_3_6_9_12',
  'tok_sbx_3ds_challenge',
  'tok_sbx_decline_funds',
  'tok_sbx_timeout_then_paid',
  'tok_sbx_timeout_then_failed',
  'tok_sbx_amount_mismatch',
  'tok_sbx_dispute_next_day',
  'tok_sbx_refund_fails',
]

const only = <K extends string>(...kinds: [K, ...K[]]) => fc.constantFrom(...kinds)

export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      kind: only('card'),
      token: fc.constantFrom(...tokens),
      manual: fc.boolean(),
      amount,
      months: fc.constantFrom(1, 1, 3, 12),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: only('oxxo', 'spei', 'spei'), amount }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: only('voucher'), which, what: only('pay', 'pay', 'pay_late', 'expire') }),
  },
  { weight: 4, arbitrary: fc.record({ kind: only('deposit'), which, part, twice: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: only('bank'), which, outcome: only('approve', 'fail') }) },
  { weight: 4, arbitrary: fc.record({ kind: only('capture'), which, part }) },
  { weight: 2, arbitrary: fc.record({ kind: only('cancel'), which }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: only('refund'),
      which,
      part,
      method: only('original', 'original', 'recorded_offline'),
      destination: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: only('dashboard_refund'), which, part }) },
  { weight: 2, arbitrary: fc.record({ kind: only('refund_cancel', 'refund_destination'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: only('dispute'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: only('resolve'), which, outcome: only('won', 'lost') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: only('reconsider'),
      which,
      status: only('needs_response', 'under_review', 'won', 'lost', 'lost'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: only('evidence'), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: only('transfer'),
      part,
      to: only('clabe', 'closed_clabe', 'returning_clabe', 'tenant'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: only('transfer_return'), which }) },
  { weight: 3, arbitrary: fc.record({ kind: only('payout') }) },
  { weight: 2, arbitrary: fc.record({ kind: only('payout_return', 'payout_fail'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: only('apply', 'refund_unapplied'), which, part }) },
  { weight: 4, arbitrary: fc.record({ kind: only('clock'), hours: fc.constantFrom(1, 24, 24, 72, 240) }) },
  { weight: 5, arbitrary: fc.record({ kind: only('reconciler') }) },
) as fc.Arbitrary<Command>

/** What every history begins with: something to send away, to refund and to dispute. */
export const beginning: readonly Command[] = [
  { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 900_000, months: 1 },
  { kind: 'card', token: 'tok_sbx_approve', manual: true, amount: 300_000, months: 1 },
  { kind: 'clock', hours: 240 },
]
