import { payments } from '../../../drizzle/schema/payments.ts'
import { clabes, speiDeposits } from '../../../drizzle/schema/push-payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { flowOf, transferMethod } from '../../../src/kernel/payment-methods.ts'
import { adjust, type EventDraft, expect, insert, type Plan, type Write } from '../../../src/kernel/plan.ts'
import type { Deposit } from '../../../src/processors/port.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { about, type Submission } from './plan.ts'
import { completedBy, restClabe } from './plan-bank-transfer.ts'
import { type Captured, type OnSuccess, planCapture } from './plan-capture.ts'
import { type NewUnappliedFunds, planUnapplied, planDeposit as postDeposit } from './plan-unapplied.ts'
import { presentPayment } from './present.ts'
import type { ClabeRow } from './store.ts'

/** The CLABE that a deposit was sent to, lent or resting, with the attempt and the payment it was lent for. */
export interface Target extends Submission {
  readonly clabe: ClabeRow
}

/** The amount that a payment by SPEI still waits for. */
export const missingOf = ({ payment }: Pick<Submission, 'payment'>): bigint =>
  payment.amountMinor - payment.amountReceivedMinor

/** The payment waits for money on this very CLABE. */
export const awaits = ({ payment, attempt, clabe }: Target): boolean =>
  clabe.status === 'assigned' && payment.status === 'requires_action' && attempt.status === 'pending_customer'

/** What of a deposit is there for a payment: the rest fills a balance below zero, and a movement of its own takes it. */
const usableOf = ({ amountMinor, belowZeroMinor = 0n }: Deposit): bigint => amountMinor - belowZeroMinor

/** True when the deposit completes the payment: only then the plan needs what was sold. */
export const completes = (target: Target | null, deposit: Deposit): boolean =>
  target !== null && awaits(target) && usableOf(deposit) >= missingOf(target)

/**
 * A transfer with the day on which the processor's money of the payment that it completes is there, where
 * known.
 */
export type Arrived = Deposit & Pick<Captured, 'settledOn'>

/**
 * Books an arrived transfer at once, as a row and a journal of its own. At most what the payment waits for
 * counts towards it; the rest is unapplied funds. `target` is null for a CLABE that was not lent.
 */
export function planArrival(
  deposit: Arrived,
  target: Target | null,
  schedule: FeeSchedule | null,
  onSuccess: OnSuccess,
  clock: Clock,
): Plan<object> {
  const { amountMinor, currency } = deposit
  const waits = target !== null && awaits(target)
  const missingMinor = waits ? missingOf(target) : 0n
  const usableMinor = usableOf(deposit)
  const appliedMinor = usableMinor < missingMinor ? usableMinor : missingMinor
  const id = clock.newId()
  const source = { kind: 'spei_deposit', id } as const
  const kept =
    appliedMinor === amountMinor
      ? { writes: [], events: [] }
      : planUnapplied(
          {
            reason: reasonOf(target),
            method: transferMethod,
            amountMinor: amountMinor - appliedMinor,
            currency,
            paymentId: target?.payment.id ?? null,
            source,
          },
          clock,
        )
  const brought = [
    insert(speiDeposits, rowOf(deposit, id, target, appliedMinor, clock.now)),
    postDeposit(source, { amountMinor, currency }, clock),
  ]
  const funded =
    !waits || appliedMinor === 0n
      ? { writes: brought, events: [] }
      : appliedMinor < missingMinor
        ? planPart(target, appliedMinor, brought, clock)
        : planWhole(target, { ...deposit, brought }, schedule!, onSuccess, clock)
  return {
    writes: [...funded.writes, ...kept.writes],
    events: [...funded.events, ...kept.events],
    reply: {},
  }
}

function reasonOf(target: Target | null): NewUnappliedFunds['reason'] {
  if (target === null) return 'unknown_clabe'
  if (awaits(target)) return 'overpaid'
  return target.payment.status === 'succeeded' ? 'already_paid' : 'paid_late'
}

interface Funded {
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
}

/**
 * An unconditional increment, so that concurrent transfers do not wait for each other: the database refuses when this
 * one would complete the payment after all, or the payment no longer waits. Plans on an earlier read of the payment are
 * stale.
 */
export function planPart(
  { payment, clabe }: Target,
  countedMinor: bigint,
  brought: readonly Write[],
  { newId }: Clock,
): Funded {
  const amountReceivedMinor = payment.amountReceivedMinor + countedMinor
  return {
    writes: [
      adjust(payments, payment.id, { amountReceivedMinor: countedMinor, version: 1 }),
      // The payment may now wait for another attempt, on another CLABE.
      expect(clabes, clabe.id, { status: 'assigned' }),
      ...brought,
    ],
    events: [
      {
        ...event(
          newId(),
          'payment.partially_funded',
          about(payment),
          presentPayment({ ...payment, amountReceivedMinor }),
        ),
        counted: {
          table: payments,
          id: payment.id,
          fields: { amount_received: { column: 'amountReceivedMinor', delta: countedMinor } },
        },
      },
    ],
  }
}

/** The amount is complete: it moves from received to the merchant, and the CLABE rests. */
export function planWhole(
  target: Submission & { readonly clabe: ClabeRow | null },
  {
    claveRastreo,
    settledOn,
    brought,
  }: Pick<Captured, 'settledOn'> & {
    readonly claveRastreo: string | null
    readonly brought: readonly Write[]
  },
  schedule: FeeSchedule,
  onSuccess: OnSuccess,
  clock: Clock,
): Funded & { readonly reply: ReturnType<typeof presentPayment> } {
  const { amountMinor, method } = target.payment
  const methodDetails = claveRastreo === null ? null : completedBy(target, claveRastreo)
  const captured = planCapture(
    target,
    {
      capturedMinor: amountMinor,
      processorRef: null,
      settledOn,
      from: 'unapplied_funds',
      brought,
      also: {
        // A voucher is paid at once or not at all: only transfers are received in parts.
        ...(flowOf(method) === 'bank_transfer' ? { amountReceivedMinor: amountMinor } : {}),
        ...(methodDetails ? { methodDetails } : {}),
      },
    },
    schedule,
    onSuccess,
    clock,
  )
  return { ...captured, writes: [...captured.writes, ...restClabe(target.clabe, clock.now)] }
}

const rowOf = (deposit: Deposit, id: string, target: Target | null, appliedMinor: bigint, now: Date) => ({
  id,
  clabe: deposit.clabe,
  paymentId: target?.payment.id ?? null,
  amountMinor: deposit.amountMinor,
  currency: deposit.currency,
  claveRastreo: deposit.claveRastreo,
  senderBank: deposit.senderBank,
  senderClabe: deposit.senderClabe,
  senderName: deposit.senderName,
  operatedOn: deposit.operatedOn,
  appliedMinor,
  createdAt: now,
})
