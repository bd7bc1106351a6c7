import { payments } from '../../../drizzle/schema/payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { adjust, type EventDraft, expect, post, type Write } from '../../../src/kernel/plan.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import { presentPayment, takeFunds } from '../payments/api-pure.ts'
import type { FundsRow, RefundablePayment, RefundRow } from './store.ts'

/** What is refunded, as it now is. */
export type SourceRow =
  | { readonly kind: 'payment'; readonly payment: RefundablePayment }
  | { readonly kind: 'funds'; readonly funds: FundsRow }

export const refundableMinor = (payment: RefundablePayment): bigint =>
  payment.amountCapturedMinor - payment.amountRefundedMinor - payment.amountDisputedMinor

export const about = ({ id }: { readonly id: string }) => ({ type: 'refund', id })

/** What a payment says of the sale, for its refunds. */
export const saleOf = ({ clientReferenceId, originType, originId }: RefundablePayment) => ({
  clientReferenceId,
  checkoutSessionId: originType === 'checkout_session' ? originId : null,
  paymentLinkId: originType === 'payment_link' ? originId : null,
})

/**
 * Whether the ledger has moved the money to in flight: for a payment once the refund is sent; for unapplied funds from
 * the start, since they are in no merchant's balance.
 */
export const isTaken = ({ status, method, unappliedFundsId }: RefundRow): boolean =>
  method !== 'recorded_offline' && (unappliedFundsId !== null || status === 'processing')

/**
 * Counts an amount as refunded at its payment (a negative one uncounts) without a version check, so that concurrent
 * refunds do not wait for each other's version. The event's object is still exact: `expect` allows only the counters to
 * have changed, and the database fills those in. `unheldMinor`: how much less disputes hold.
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
    // Lock first, then compare: in the other order two refunds could deadlock.
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
            refund_status: {
              column: 'amountRefundedMinor',
              whole: 'amountCapturedMinor',
              delta: amountMinor,
            },
            amount_disputed: { column: 'amountDisputedMinor', delta: -unheldMinor },
          },
        },
      },
    ],
  }
}

/**
 * Uncounts the amount, and the ledger returns it to where it was taken from: `refund_reversed` for money in flight,
 * `refund_returned` for what a bank had paid out and sent back.
 */
export function voidOrRefund(
  refund: RefundRow,
  source: SourceRow,
  kind: 'refund_reversed' | 'refund_returned',
  clock: Clock,
): { writes: Write[]; events: EventDraft[] } {
  const { amountMinor } = refund
  const to = source.kind === 'payment' ? 'merchant_available' : 'unapplied_funds'
  const booked = kind === 'refund_returned' || isTaken(refund)
  const reversal = booked ? [post(movementJournal(`refund.${kind}`, refund, amountMinor, clock, to))] : []
  if (source.kind === 'payment') {
    const { writes, events } = countRefunded(source.payment, -amountMinor, clock)
    return { writes: [...writes, ...reversal], events }
  }
  const adds = { refund_id: refund.id }
  const restored = takeFunds(
    { funds: source.funds, amountMinor: -amountMinor },
    'unapplied_funds.refund_reversed',
    adds,
    clock,
  )
  return { writes: [...restored.writes, ...reversal], events: [...restored.events] }
}
