import { paymentContacts } from '../../../drizzle/schema/payment-contacts.ts'
import { payments } from '../../../drizzle/schema/payments.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { change, expect } from '../../../src/kernel/plan.ts'
import { remind } from './contract.ts'
import { instructionsFor } from './plan-mails.ts'
import { contactById, paymentOfContact } from './store.ts'

/** How long before the end, as drizzle/sql/058_mails.sql has it. */
const aheadMs = 86_400_000

/** Scheduled: a day before a voucher or CLABE expires, its buyer is reminded, unless it was paid or has ended. */
export const remindBuyers = (run: JobRun): Promise<void> =>
  eachDue(run, 'payment_reminders', async ({ read, publish, now }, id) => {
    const [[contact], [payment]] = await read(
      remind,
      contactById({ id }),
      paymentOfContact({ contactId: id }),
    )
    if (!contact || !payment || contact.remindAt === null) return
    const { status, methodDetails } = payment
    // A payment waits longer than its voucher is valid: a late run reminds of nothing that cannot be paid any more.
    const hasExpired = contact.remindAt.getTime() + aheadMs <= now.getTime()
    const mails =
      status === 'requires_action' && !hasExpired
        ? [
            expect(payments, payment.id, { status }),
            ...instructionsFor(payment, methodDetails, 'payment_reminder', clockOf(now)),
          ]
        : []
    await publish(remind, {
      writes: [change(paymentContacts, contact, { remindAt: null, updatedAt: now }), ...mails],
      events: [],
      reply: null,
      subjectId: payment.id,
    })
  })
