import { payments } from '../../../drizzle/schema/payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { changeEach, type Journal, type Plan, postEach } from '../../../src/kernel/plan.ts'
import { movementJournal, releaseJournal } from '../../../src/ledger/journals.ts'
import { about } from './plan.ts'
import { presentPayment } from './present.ts'
import type { PaymentRow } from './store.ts'

/** A change that is due at a certain time. */
export interface Due {
  readonly isDue: (payment: PaymentRow) => boolean
  readonly set: Partial<Pick<PaymentRow, 'status' | 'fundsStatus' | 'reserveReleaseOn'>>
  readonly eventType: EventType
  readonly journalOf?: (payment: PaymentRow, clock: Clock) => Journal
}

/** The bank days have passed: pending becomes available. */
export const release: Due = {
  isDue: ({ fundsStatus }) => fundsStatus === 'pending',
  set: { fundsStatus: 'available' },
  eventType: 'payment.funds_available',
  journalOf: releaseJournal,
}

/** The reserve's time has passed: it is available too. */
export const reserveRelease: Due = {
  isDue: ({ fundsStatus, reserveReleaseOn }) => fundsStatus === 'available' && reserveReleaseOn !== null,
  set: { reserveReleaseOn: null },
  eventType: 'payment.reserve_released',
  journalOf: (payment, clock) =>
    movementJournal('payment.reserve_release', payment, payment.reserveMinor, clock),
}

/** The buyer did not retry with another card. */
export const expiry: Due = {
  isDue: ({ status }) => status === 'requires_payment_method',
  set: { status: 'expired' },
  eventType: 'payment.expired',
}

/**
 * One publish for many payments of a merchant. The payments are locked before the accounts, as in every other plan, and
 * in the order of their ids, so that two sets do not wait for each other.
 */
export function planDue(
  rows: readonly PaymentRow[],
  { isDue, set: fields, eventType, journalOf }: Due,
  { now, newId }: Clock,
): Plan<object> | null {
  const due = rows.filter(isDue).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  if (due.length === 0) return null
  const set = { ...fields, updatedAt: now }
  return {
    writes: [
      changeEach(payments, due, set),
      ...(journalOf ? [postEach(due.map((payment) => journalOf(payment, { now, newId })))] : []),
    ],
    events: due.map((payment) =>
      event(
        newId(),
        eventType,
        about(payment),
        presentPayment({ ...payment, ...set }),
        presentPayment(payment),
      ),
    ),
    reply: {},
  }
}
