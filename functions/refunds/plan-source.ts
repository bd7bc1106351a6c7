import { unappliedFunds } from '../../drizzle/schema/cash.ts'
import { payments } from '../../drizzle/schema/payments.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { event } from '../../src/kernel/events.ts'
import { adjust, change, type EventDraft, expect, post, type Write } from '../../src/kernel/plan.ts'
import { refundReturnedJournal, refundReversedJournal } from '../../src/ledger/journals.ts'
import { presentPayment } from '../payments/published-pure.ts'
import type { FundsRow, RefundablePayment, RefundRow } from './store.ts'

/** What a refund is of, as it now is. */
export type SourceRow =
  | { readonly kind: 'payment'; readonly payment: RefundablePayment }
  | { readonly kind: 'funds'; readonly funds: FundsRow }

export const refundableMinor = (payment: RefundablePayment): bigint =>
  payment.amountCapturedMinor - payment.amountRefundedMinor - payment.amountDisputedMinor

export const about = ({ id }: { readonly id: string }) => ({ type: 'refund', id })

/**
 * Whether the ledger has the money on its way: of a payment once it is sent, of unapplied funds from the beginning, since
 * they are nobody's balance that could grow meanwhile.
 */
export const isTaken = ({ status, method, unappliedFundsId }: RefundRow): boolean =>
  method !== 'recorded_offline' && (unappliedFundsId !== null || status === 'processing')

export const journalAbout = (refund: RefundRow, { now, newId }: Clock) => ({
  journalId: newId(),
  sourceId: refund.id,
  currency: refund.currency,
  now,
})

/**
 * Counts an amount as refunded by its payment (a negative one no longer), blindly, so that refunds made at once do not
 * wait for each other's version. The event's object is exact all the same: the payment must be as it was read but for
 * its counters, and those the door puts in. `unheldMinor`: what disputes hold less for it.
 */
export function countRefunded(
  payment: RefundablePayment,
  amountMinor: bigint,
  { newId }: Clock,
  condition: { readonly openDisputesCount?: number } = {},
  unheldMinor = 0n,
): { writes: Write[]; events: EventDraft[] } {
  const type = amountMinor > 0n ? 'payment.refunded' : 'payment.refund_reversed'
  return {
    // Locked first, then looked at: the other way round two of them would wait for each other.
    writes: [
      adjust(payments, payment.id, {
        amountRefundedMinor: amountMinor,
        ...(unheldMinor === 0n ? {} : { amountDisputedMinor: -unheldMinor }),
      }),
      expect(payments, payment.id, { ...condition, version: payment.version }),
    ],
    events: [
      {
        ...event(newId(), type, { type: 'payment', id: payment.id }, presentPayment(payment)),
        counted: {
          table: payments,
          id: payment.id,
          fields: {
            amount_refunded: { column: 'amountRefundedMinor', delta: amountMinor },
            amount_disputed: { column: 'amountDisputedMinor', delta: -unheldMinor },
          },
        },
      },
    ],
  }
}

/**
 * The amount counts as refunded no longer, and the ledger has it back where it was taken from: `refund_reversed` of
 * what was on its way, `refund_returned` of what a bank had paid out and sent back.
 */
export function giveBack(
  refund: RefundRow,
  source: SourceRow,
  kind: 'refund_reversed' | 'refund_returned',
  clock: Clock,
): { writes: Write[]; events: EventDraft[] } {
  const { amountMinor } = refund
  const to = source.kind === 'payment' ? 'merchant_available' : 'unapplied_funds'
  const journal = kind === 'refund_returned' ? refundReturnedJournal : refundReversedJournal
  const booked = kind === 'refund_returned' || isTaken(refund)
  const reversal = booked ? [post(journal(journalAbout(refund, clock), amountMinor, to))] : []
  if (source.kind === 'payment') {
    const { writes, events } = countRefunded(source.payment, -amountMinor, clock)
    return { writes: [...writes, ...reversal], events }
  }
  const { funds } = source
  // Settled funds have nothing left: they are open again before something is put back.
  const reopened =
    funds.status === 'settled'
      ? [change(unappliedFunds, funds, { status: 'open', updatedAt: clock.now })]
      : []
  const restored = adjust(unappliedFunds, funds.id, { remainingMinor: amountMinor })
  return { writes: [...reopened, restored, ...reversal], events: [] }
}
