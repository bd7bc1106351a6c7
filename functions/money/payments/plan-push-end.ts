import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import { vouchers } from '../../../drizzle/schema/push-payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { isPushMethod } from '../../../src/kernel/payment-methods.ts'
import { change, type Plan } from '../../../src/kernel/plan.ts'
import type { ProcessorState } from '../../../src/processors/port.ts'
import { about, agreed, isClosed, resolved, type Submission } from './plan.ts'
import { endBankTransfer } from './plan-bank-transfer.ts'
import { planDeposit, planUnapplied } from './plan-unapplied.ts'
import { endVoucher } from './plan-voucher.ts'
import { type PresentedPayment, presentPayment } from './present.ts'
import type { PaymentRow } from './store.ts'

/** The buyer did not pay the voucher or CLABE in time, or the merchant canceled the payment. */
export function planUnpaid(
  submission: Submission,
  clock: Clock,
  status: 'canceled' | 'expired' = submission.attempt.intent === 'cancel' ? 'canceled' : 'expired',
): Plan<PresentedPayment> {
  const { payment, attempt, voucher = null } = submission
  const { now, newId } = clock
  const set: Partial<PaymentRow> = { status, amountReceivedMinor: 0n, updatedAt: now }
  const received = endBankTransfer(submission, clock)
  const presented = presentPayment({ ...payment, ...set })
  return {
    writes: [
      change(paymentAttempts, attempt, { ...resolved(status, now), ...agreed(attempt) }),
      change(payments, payment, set),
      ...endVoucher(voucher, status, now),
      ...received.writes,
    ],
    events: [
      event(newId(), `payment.${status}`, about(payment), presented, presentPayment(payment)),
      ...received.events,
    ],
    reply: presented,
  }
}

/**
 * A buyer pays another way: the processor has closed the voucher or CLABE, and the payment ends with it. Who pays now is
 * not known to be who took the voucher, so what they pay is a payment of their own.
 */
export const planReplaced = (submission: Submission, clock: Clock): Plan<PresentedPayment> =>
  planUnpaid(submission, clock, 'canceled')

/**
 * A till took cash for an attempt that was over: the money becomes unapplied funds until the merchant decides, and the
 * payment keeps its status. Null when the answer has nothing new.
 */
export function planLate(
  { payment, attempt, voucher = null }: Submission,
  answer: ProcessorState,
  clock: Clock,
): Plan<{ public_id: string }> | null {
  const contradicted = attempt.status === 'amount_mismatch'
  // Captured with an unpaid voucher: other money paid it. `amount_mismatch` with `resolvedAt`: it was over before.
  const over =
    ['expired', 'canceled', 'captured'].includes(attempt.status) ||
    (contradicted && attempt.resolvedAt !== null)
  if (answer.state !== 'captured' || !over || !voucher || voucher.status === 'paid') return null
  const { method, amountMinor, currency } = attempt
  if (isClosed(attempt.resolution) || !isPushMethod(method)) return null
  if (answer.amountMinor !== amountMinor || answer.currency !== currency) return null
  const { now } = clock
  const source = { kind: 'voucher', id: voucher.id } as const
  const paid = payment.status === 'succeeded' || payment.status === 'partially_captured'
  const reason = paid ? 'already_paid' : 'paid_late'
  const funds = { reason, method, amountMinor, currency, paymentId: payment.id, source } as const
  const kept = planUnapplied(funds, clock)
  return {
    writes: [
      ...(contradicted
        ? [change(paymentAttempts, attempt, { ...resolved('expired', now), ...agreed(attempt) })]
        : []),
      change(vouchers, voucher, { status: 'paid', paidAt: now, updatedAt: now }),
      planDeposit(source, funds, clock),
      ...kept.writes,
    ],
    events: kept.events,
    reply: { public_id: payment.publicId },
  }
}
