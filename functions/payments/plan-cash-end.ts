import { paymentAttempts, payments } from '../../drizzle/schema/payments.ts'
import { event } from '../../src/kernel/events.ts'
import { change, type Plan } from '../../src/kernel/plan.ts'
import { about, type Clock, retryMs, type Submission } from './plan.ts'
import { endVoucher } from './plan-voucher.ts'
import { presentPayment } from './present.ts'

/** Nobody paid the voucher or the CLABE in time. */
export function planUnpaid(
  { payment, attempt, voucher = null }: Submission,
  { now, newId }: Clock,
): Plan<{ public_id: string }> {
  const set = { status: 'expired', updatedAt: now }
  return {
    writes: [
      change(paymentAttempts, attempt, {
        status: 'expired',
        nextCheckAt: null,
        resolvedAt: now,
        updatedAt: now,
      }),
      change(payments, payment, set),
      ...endVoucher(voucher, 'expired', now),
    ],
    events: [
      event(newId(), 'payment.expired', about(payment), presentPayment({ ...payment, ...set }), {
        status: payment.status,
      }),
    ],
    reply: { public_id: payment.publicId },
  }
}

/** The buyer pays in another way: what was issued is closed at the processor, and the payment waits for the next attempt. */
export function planReplaced(
  { payment, attempt, voucher = null }: Submission,
  { now, newId }: Clock,
): Plan<{ public_id: string }> {
  const set = {
    status: 'requires_payment_method',
    expiresAt: new Date(now.getTime() + retryMs),
    updatedAt: now,
  }
  return {
    writes: [
      change(paymentAttempts, attempt, {
        status: 'canceled',
        nextCheckAt: null,
        resolvedAt: now,
        updatedAt: now,
      }),
      change(payments, payment, set),
      ...endVoucher(voucher, 'canceled', now),
    ],
    events: [
      event(
        newId(),
        'payment.requires_payment_method',
        about(payment),
        presentPayment({ ...payment, ...set }),
        {
          status: payment.status,
        },
      ),
    ],
    reply: { public_id: payment.publicId },
  }
}
