import { vouchers } from '../../../drizzle/schema/push-payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { change, insert, type Write } from '../../../src/kernel/plan.ts'
import type { CustomerAction } from '../../../src/processors/port.ts'
import type { Submission } from './plan.ts'
import { graceEnd, type Issued } from './plan-push.ts'
import type { VoucherRow } from './store.ts'

type VoucherAction = Extract<CustomerAction, { type: 'voucher' }>

/** The processor issued a voucher: its reference and its expiry are the processor's, the grace is ours. */
export function issueVoucher(
  { payment, attempt }: Submission,
  { reference, expiresAt }: VoucherAction,
  { now, newId }: Clock,
): Issued {
  const graceEndsAt = graceEnd(attempt.method, expiresAt)
  return {
    details: { reference, expires_at: expiresAt.toISOString() },
    expiresAt,
    graceEndsAt,
    writes: [
      insert(vouchers, {
        id: newId(),
        paymentId: payment.id,
        attemptId: attempt.id,
        reference,
        status: 'issued',
        amountMinor: attempt.amountMinor,
        currency: attempt.currency,
        expiresAt,
        graceEndsAt,
        paidAt: null,
        version: 1,
        createdAt: now,
        updatedAt: now,
      }),
    ],
    events: [],
  }
}

/** The voucher ends with its attempt; one that was never issued has no row. */
export const endVoucher = (
  voucher: VoucherRow | null,
  status: 'paid' | 'expired' | 'canceled',
  now: Date,
): Write[] =>
  voucher
    ? [change(vouchers, voucher, { status, paidAt: status === 'paid' ? now : null, updatedAt: now })]
    : []
