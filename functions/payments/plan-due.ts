import { payments } from '../../drizzle/schema/payments.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { event } from '../../src/kernel/events.ts'
import { change, type Plan, post } from '../../src/kernel/plan.ts'
import { releaseJournal, reserveReleaseJournal } from '../../src/ledger/journals.ts'
import { about } from './plan.ts'
import { presentPayment } from './present.ts'
import type { PaymentRow } from './store.ts'

/** The bank days have passed: pending becomes available. */
export function planRelease(payment: PaymentRow, { now, newId }: Clock): Plan<object> | null {
  if (payment.fundsStatus !== 'pending') return null
  const set = { fundsStatus: 'available', updatedAt: now }
  const presented = presentPayment({ ...payment, ...set })
  const journal = releaseJournal(
    { journalId: newId(), sourceId: payment.id, currency: payment.currency, now },
    payment.netMinor,
    payment.reserveMinor,
  )
  return {
    writes: [change(payments, payment, set), post(journal)],
    events: [event(newId(), 'payment.funds_available', about(payment), presented, presentPayment(payment))],
    reply: {},
  }
}

/** Nobody came with another card. */
export function planExpire(payment: PaymentRow, { now, newId }: Clock): Plan<object> | null {
  if (payment.status !== 'requires_payment_method') return null
  const set = { status: 'expired', updatedAt: now }
  const presented = presentPayment({ ...payment, ...set })
  return {
    writes: [change(payments, payment, set)],
    events: [event(newId(), 'payment.expired', about(payment), presented, presentPayment(payment))],
    reply: {},
  }
}

/** The reserve's time has passed: it is available too. */
export function planReserveRelease(payment: PaymentRow, { now, newId }: Clock): Plan<object> | null {
  if (payment.fundsStatus !== 'available' || payment.reserveReleaseOn === null) return null
  const set = { reserveReleaseOn: null, updatedAt: now }
  const presented = presentPayment({ ...payment, ...set })
  const journal = reserveReleaseJournal(
    { journalId: newId(), sourceId: payment.id, currency: payment.currency, now },
    payment.reserveMinor,
  )
  return {
    writes: [change(payments, payment, set), post(journal)],
    events: [event(newId(), 'payment.reserve_released', about(payment), presented, presentPayment(payment))],
    reply: {},
  }
}
