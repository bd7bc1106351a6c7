import { paymentAttempts, payments } from '../../drizzle/schema/payments.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { event } from '../../src/kernel/events.ts'
import { change, type EventDraft, post, type Write } from '../../src/kernel/plan.ts'
import { captureJournal } from '../../src/ledger/journals.ts'
import type { Method } from '../../src/processors/port.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { about, agreed, resolved, type Submission } from './plan.ts'
import { endVoucher } from './plan-voucher.ts'
import { presentPayment } from './present.ts'
import { availableOn, feesOf, reserveOf } from './pricing.ts'
import type { PaymentRow } from './store.ts'

/** What a success means to the surface that sold: its writes and events, in the same publish. */
export type OnSuccess = (payment: PaymentRow) => {
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
}

export interface Captured {
  /** In minor units; less than the attempt's amount is a partial capture, and the rest is never taken. */
  readonly capturedMinor: bigint
  readonly processorRef: string | null
  readonly threeDs?: Readonly<Record<string, string>> | undefined
  /** Where the gross is: with the processor, or in deposits that waited for the rest. */
  readonly from?: 'processor_clearing' | 'unapplied_funds'
  /** What brings the money, booked before it moves on. */
  readonly brought?: readonly Write[]
  /** What else is then true of the payment. */
  readonly also?: Partial<Pick<PaymentRow, 'amountReceivedMinor' | 'methodDetails'>>
}

/** The money is there: fees, net, bank day, journal and what was sold, in one plan. Everything is of what was captured. */
export function planCapture(
  { payment, attempt, voucher = null }: Submission,
  { capturedMinor, processorRef, threeDs, from = 'processor_clearing', brought = [], also }: Captured,
  schedule: FeeSchedule,
  onSuccess: OnSuccess,
  { now, newId }: Clock,
) {
  const method = payment.method as Method
  const months = attempt.installmentMonths
  const fees = feesOf({ method, amountMinor: capturedMinor, months, schedule })
  const available = availableOn(now, schedule, method)
  const whole = capturedMinor === attempt.amountMinor
  const set = {
    status: whole ? ('succeeded' as const) : ('partially_captured' as const),
    amountAuthorizedMinor: attempt.amountMinor,
    amountCapturedMinor: capturedMinor,
    feeProcessingMinor: fees.processingMinor,
    feeInstallmentsMinor: fees.installmentsMinor,
    feeIvaMinor: fees.ivaMinor,
    netMinor: fees.netMinor,
    availableOn: available,
    fundsStatus: 'pending',
    ...reserveOf(fees.netMinor, available, schedule),
    declineCode: null,
    succeededAt: now,
    updatedAt: now,
    ...also,
  }
  const paid = { ...payment, ...set }
  const surface = onSuccess(paid)
  const journal = captureJournal(
    { journalId: newId(), sourceId: payment.id, currency: payment.currency, now },
    {
      grossMinor: capturedMinor,
      feeMinor: fees.processingMinor + fees.installmentsMinor,
      ivaMinor: fees.ivaMinor,
    },
    from,
  )
  const presented = presentPayment(paid)
  return {
    writes: [
      // What was sold comes first, as in a submission: both lock it before the payment, so that neither waits in a ring.
      ...surface.writes,
      change(paymentAttempts, attempt, {
        ...resolved('captured', now),
        ...agreed(attempt),
        ...(processorRef === null ? {} : { processorRef }),
        ...(threeDs ? { threeDs: { ...threeDs } } : {}),
      }),
      change(payments, payment, set),
      ...endVoucher(voucher, 'paid', now),
      ...brought,
      post(journal),
    ],
    events: [
      event(newId(), `payment.${set.status}`, about(payment), presented, presentPayment(payment)),
      ...surface.events,
    ],
    reply: presented,
  }
}
