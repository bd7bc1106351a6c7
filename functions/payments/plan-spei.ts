import { clabes } from '../../drizzle/schema/cash.ts'
import { insert } from '../../src/kernel/plan.ts'
import type { CustomerAction } from '../../src/processors/port.ts'
import type { Clock, Submission } from './plan.ts'
import { graceEnd, type Issued } from './plan-cash.ts'

type ClabeAction = Extract<CustomerAction, { type: 'clabe' }>

/** The processor lent a CLABE. */
export function assignClabe(
  { payment, attempt }: Submission,
  { clabe, bankName, beneficiary, expiresAt }: ClabeAction,
  { now, newId }: Clock,
): Issued {
  return {
    details: {
      clabe,
      bank_name: bankName,
      beneficiary,
      expires_at: expiresAt.toISOString(),
      clave_rastreo: null,
    },
    expiresAt,
    graceEndsAt: graceEnd('spei', expiresAt),
    writes: [
      insert(clabes, {
        id: newId(),
        clabe,
        paymentId: payment.id,
        attemptId: attempt.id,
        status: 'assigned',
        quarantineEndsAt: null,
        version: 1,
        createdAt: now,
        updatedAt: now,
      }),
    ],
    events: [],
  }
}
