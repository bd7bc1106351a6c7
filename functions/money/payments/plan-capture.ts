import { paymentAttempts, payments } from '../../../drizzle/schema/payments.ts'
import type { IsoDate } from '../../../src/kernel/bank-days.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, type EventDraft, post, type Write } from '../../../src/kernel/plan.ts'
import { captureJournal } from '../../../src/ledger/journals.ts'
import type { CardFacts } from '../../../src/processors/port.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { about, agreed, resolved, type Submission } from './plan.ts'
import { receiptOf } from './plan-mails.ts'
import { endVoucher } from './plan-voucher.ts'
import { presentPayment } from './present.ts'
import { availableOn, feesOf, reserveOf } from './pricing.ts'
import type { PaymentRow } from './store.ts'

/** The selling origin's writes and events on success, in the same publish. */
export type OnSuccess = (payment: PaymentRow) => {
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
}

export interface Captured {
  /** In minor units; less than the attempt's amount is a partial capture, and the rest is never taken. */
  readonly capturedMinor: bigint
  readonly processorRef: string | null
  /** The card that paid, where it was not known before. */
  readonly card?: CardFacts | null
  readonly threeDs?: Readonly<Record<string, string>> | undefined
  /** The day on which the processor's money is there, where it says so; else the schedule's bank days count. */
  readonly settledOn?: IsoDate | undefined
  /** Where the gross is: with the processor, or in deposits received earlier. */
  readonly from?: 'processor_clearing' | 'unapplied_funds'
  /** Writes that book the money's arrival, before it is moved. */
  readonly brought?: readonly Write[]
  /** Further fields to set on the payment. */
  readonly also?: Partial<Pick<PaymentRow, 'amountReceivedMinor' | 'methodDetails'>>
}

/** A card that the processor named with the charge alone. */
export const toldNow = (
  { methodDetails }: Pick<PaymentRow, 'methodDetails'>,
  card: CardFacts | null | undefined,
): Partial<Pick<PaymentRow, 'methodDetails'>> =>
  methodDetails === null && card ? { methodDetails: card } : {}

/** Plans fees, net, bank day, journal and what was sold, all from the captured amount. */
export function planCapture(
  { payment, attempt, voucher = null }: Submission,
  {
    capturedMinor,
    processorRef,
    threeDs,
    settledOn,
    card,
    from = 'processor_clearing',
    brought = [],
    also,
  }: Captured,
  schedule: FeeSchedule,
  onSuccess: OnSuccess,
  { now, newId }: Clock,
) {
  const { method } = payment
  const months = attempt.installmentMonths
  const fees = feesOf({ method, amountMinor: capturedMinor, months, schedule })
  const available = settledOn ?? availableOn(now, schedule, method)
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
    fundsStatus: 'pending' as const,
    ...reserveOf(fees.netMinor, available, schedule),
    declineCode: null,
    succeededAt: now,
    updatedAt: now,
    ...toldNow(payment, card),
    ...also,
  }
  const paid = { ...payment, ...set }
  const origin = onSuccess(paid)
  const journal = captureJournal(
    payment,
    {
      grossMinor: capturedMinor,
      feeMinor: fees.processingMinor + fees.installmentsMinor,
      ivaMinor: fees.ivaMinor,
    },
    { now, newId },
    from,
  )
  const presented = presentPayment(paid)
  return {
    writes: [
      // Lock what was sold before the payment, as submissions do, so that the two cannot deadlock.
      ...origin.writes,
      change(paymentAttempts, attempt, {
        ...resolved('captured', now),
        ...agreed(attempt),
        ...(processorRef === null ? {} : { processorRef }),
        ...toldNow(attempt, card),
        ...(threeDs ? { threeDs: { ...threeDs } } : {}),
      }),
      change(payments, payment, set),
      ...endVoucher(voucher, 'paid', now),
      ...brought,
      post(journal),
      receiptOf(paid, { now, newId }),
    ],
    events: [
      event(newId(), `payment.${set.status}`, about(payment), presented, presentPayment(payment)),
      ...origin.events,
    ],
    reply: presented,
  }
}
