import type { FeeSchedule } from '../../../functions/money/payments/fee-schedule.ts'
import { newSubmission } from '../../../functions/money/payments/plan.ts'
import type { Target } from '../../../functions/money/payments/plan-deposit.ts'
import type { AttemptRow, ClabeRow, PaymentRow } from '../../../functions/money/payments/store.ts'
import type { Plan, TableLike, Write } from '../../../src/kernel/plan.ts'
import type { Deposit } from '../../../src/processors/port.ts'
import { clockAt, idOf, now, order, publicId, schedule } from './samples.ts'

export const clabe = '646180000000000012'

export const speiSchedule: FeeSchedule = {
  ...schedule,
  spei: {
    rateBps: 100,
    fixedMinor: 500n,
    availabilityBankDays: 1,
    minimumAmountMinor: 1_000n,
    maximumAmountMinor: 10n ** 12n,
  },
}

/** A payment by SPEI with its attempt and CLABE, with the given changes. */
export function targetOf(
  payment: Partial<PaymentRow> = {},
  attempt: Partial<AttemptRow> = {},
  status: ClabeRow['status'] = 'assigned',
): Target {
  const instrument = {
    method: 'spei',
    accountId: null,
    details: null,
    expiresAt: now,
    graceEndsAt: now,
  } as const
  const fresh = newSubmission(order, publicId, instrument, 'simulator', speiSchedule, clockAt(now, 900))
  return {
    payment: { ...fresh.payment, status: 'requires_action', ...payment },
    attempt: { ...fresh.attempt, status: 'pending_customer', ...attempt },
    clabe: {
      tenantId: '',
      id: idOf(800),
      clabe,
      paymentId: fresh.payment.id,
      attemptId: fresh.attempt.id,
      status,
      quarantineEndsAt: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
  }
}

export const depositOf = (amountMinor: bigint, claveRastreo = 'ABC123'): Deposit => ({
  depositRef: 'dep_1',
  clabe,
  account: null,
  amountMinor,
  currency: 'mxn',
  claveRastreo,
  senderBank: '40012',
  senderClabe: null,
  senderName: null,
  operatedOn: '2026-06-12',
})

/** The rows that a plan inserts into a table. */
export const inserted = <T extends TableLike>(plan: Plan<unknown>, table: T): T['$inferInsert'][] =>
  plan.writes.flatMap((write) =>
    write.kind === 'insert' && write.table === table ? (write.rows as T['$inferInsert'][]) : [],
  )

/** The one write of that kind to a table. */
export const written = <Kind extends 'change' | 'adjust'>(
  plan: Plan<unknown>,
  table: TableLike,
  kind: Kind,
) =>
  plan.writes.find((write) => write.kind === kind && write.table === table) as
    | Extract<Write, { kind: Kind }>
    | undefined
