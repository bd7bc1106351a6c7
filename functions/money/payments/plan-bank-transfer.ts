import type { SpeiDetails } from '../../../drizzle/schema/payments.ts'
import { clabes } from '../../../drizzle/schema/push-payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { transferMethod } from '../../../src/kernel/payment-methods.ts'
import { change, type EventDraft, insert, type Write } from '../../../src/kernel/plan.ts'
import type { CustomerAction } from '../../../src/processors/port.ts'
import type { Submission } from './plan.ts'
import { graceEnd, type Issued } from './plan-push.ts'
import { byFunds, planUnapplied, takeFunds } from './plan-unapplied.ts'
import type { AppliedFunds, ClabeRow, DepositRow } from './store.ts'

type ClabeAction = Extract<CustomerAction, { type: 'clabe' }>

/** How long a CLABE rests after its payment before it may be lent again. */
const quarantineMs = 90 * 86_400_000

/** The CLABE of an attempt by SPEI, and what was counted towards its amount: transfers and unapplied funds. */
export interface BankTransfer {
  readonly clabe: ClabeRow | null
  readonly counted: readonly DepositRow[]
  readonly applied: readonly AppliedFunds[]
}

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
    graceEndsAt: graceEnd(attempt.method, expiresAt),
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

/** The payment is over: its CLABE rests. One that was never lent has no row. */
export const restClabe = (clabe: ClabeRow | null, now: Date): Write[] =>
  clabe?.status === 'assigned'
    ? [
        change(clabes, clabe, {
          status: 'quarantined',
          quarantineEndsAt: new Date(now.getTime() + quarantineMs),
          updatedAt: now,
        }),
      ]
    : []

/** The quarantine is over: the processor may lend the CLABE to another payment. */
export const releaseClabe = (clabe: ClabeRow, now: Date): Write[] =>
  clabe.status === 'quarantined' ? [change(clabes, clabe, { status: 'released', updatedAt: now })] : []

/**
 * The attempt ends unpaid: what was counted towards it is unapplied again. A transfer becomes new funds; applied funds
 * return to their source. The money does not move in the ledger. The caller sets the received amount to zero.
 */
export function endBankTransfer(
  { payment, bankTransfer }: Submission,
  clock: Clock,
): { readonly writes: readonly Write[]; readonly events: readonly EventDraft[] } {
  if (!bankTransfer) return { writes: [], events: [] }
  const kept = bankTransfer.counted.map(({ id, appliedMinor, currency }) =>
    planUnapplied(
      {
        reason: 'incomplete',
        method: transferMethod,
        amountMinor: appliedMinor,
        currency,
        paymentId: payment.id,
        source: { kind: 'spei_deposit', id },
      },
      clock,
    ),
  )
  const taken = new Map<string, AppliedFunds>()
  for (const each of bankTransfer.applied) {
    const before = taken.get(each.id)?.takenMinor ?? 0n
    taken.set(each.id, { ...each, takenMinor: before + each.takenMinor })
  }
  const restored = [...taken.values()]
    .map(({ takenMinor, ...funds }) => ({
      fundsId: funds.id,
      ...takeFunds(
        { funds, amountMinor: -takenMinor },
        'unapplied_funds.application_reversed',
        { applied_to: payment.id },
        clock,
      ),
    }))
    .toSorted(byFunds)
  return {
    writes: [
      ...restored.flatMap(({ writes }) => writes),
      ...kept.flatMap(({ writes }) => writes),
      ...restClabe(bankTransfer.clabe, clock.now),
    ],
    events: [...restored, ...kept].flatMap(({ events }) => events),
  }
}

/** The details of a payment by SPEI, with the transfer that completed it. */
export const completedBy = (submission: Submission, claveRastreo: string): SpeiDetails | null => {
  const details = submission.payment.methodDetails as SpeiDetails | null
  return details && { ...details, clave_rastreo: claveRastreo }
}
