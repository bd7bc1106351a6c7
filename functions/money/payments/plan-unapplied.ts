import { unappliedFunds } from '../../../drizzle/schema/push-payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import type { PushMethod } from '../../../src/kernel/payment-methods.ts'
import { adjust, type EventDraft, insert, post, type Write } from '../../../src/kernel/plan.ts'
import { movementJournal } from '../../../src/ledger/journals.ts'
import { presentUnappliedFunds } from './present.ts'
import type { UnappliedRow } from './store.ts'

type Arrival =
  | { readonly kind: 'voucher'; readonly id: string }
  | { readonly kind: 'spei_deposit'; readonly id: string }

/** `takenBy`: the movement of the buyer's balance for which this part of a transfer is set apart. */
type Source =
  | (Arrival & { readonly takenBy?: string })
  | { readonly kind: 'buyer_balance_movement'; readonly id: string }

/** Money that is here and belongs to no payment: its reason, amount and source. */
export interface NewUnappliedFunds {
  readonly reason: UnappliedRow['reason']
  readonly method: PushMethod
  readonly amountMinor: bigint
  readonly currency: string
  /** The payment it was meant for, if known. */
  readonly paymentId: string | null
  readonly source: Source
}

interface Kept {
  readonly funds: Omit<UnappliedRow, 'tenantId'>
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
}

/** Keeps money as unapplied funds. The caller books its arrival. */
export function planUnapplied(
  { reason, method, amountMinor, currency, paymentId, source }: NewUnappliedFunds,
  { now, newId }: Clock,
): Kept {
  const funds: Kept['funds'] = {
    id: newId(),
    status: 'open',
    reason,
    method,
    amountMinor,
    remainingMinor: amountMinor,
    currency,
    paymentId,
    depositId: source.kind === 'spei_deposit' ? source.id : null,
    voucherId: source.kind === 'voucher' ? source.id : null,
    movementId: source.kind === 'buyer_balance_movement' ? source.id : (source.takenBy ?? null),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return {
    funds,
    writes: [insert(unappliedFunds, funds)],
    events: [
      event(
        newId(),
        'unapplied_funds.created',
        { type: 'unapplied_funds', id: funds.id },
        presentUnappliedFunds(funds),
      ),
    ],
  }
}

/**
 * Takes from unapplied funds, or puts back (a negative amount), without a version check, so that concurrent requests do
 * not wait for each other: the database refuses more than is left. It fills in `remaining` and `status` of the event.
 * @param adds what the event's object says beside the funds
 */
export function takeFunds(
  { funds, amountMinor }: { readonly funds: Omit<UnappliedRow, 'tenantId'>; readonly amountMinor: bigint },
  type: `unapplied_funds.${'applied' | 'application_reversed' | 'refunded' | 'refund_reversed' | 'withdrawn'}`,
  adds: JsonObject,
  { newId }: Pick<Clock, 'newId'>,
): { readonly writes: readonly Write[]; readonly events: readonly EventDraft[] } {
  const presented = presentUnappliedFunds(funds)
  const about = { type: 'unapplied_funds', id: funds.id }
  return {
    writes: [adjust(unappliedFunds, funds.id, { remainingMinor: -amountMinor })],
    events: [
      {
        ...event(newId(), type, about, { ...presented, ...adds }, presented),
        counted: {
          table: unappliedFunds,
          id: funds.id,
          fields: {
            remaining: { column: 'remainingMinor', delta: -amountMinor },
            status: { column: 'status', delta: null, before: amountMinor > 0n ? 'open' : funds.status },
          },
        },
      },
    ],
  }
}

/** One order for writes to several funds, so that no two publishes lock the same funds in a ring. */
export const byFunds = (a: { readonly fundsId: string }, b: { readonly fundsId: string }): number =>
  a.fundsId < b.fundsId ? -1 : 1

/** Money came in that belongs to no captured payment (yet). */
export const planDeposit = (
  source: Arrival,
  { amountMinor, currency }: Pick<NewUnappliedFunds, 'amountMinor' | 'currency'>,
  clock: Clock,
): Write => post(movementJournal(`${source.kind}.deposit`, { id: source.id, currency }, amountMinor, clock))

/** Unapplied funds meant for a payment: one row per application to its captured attempt, or one without. */
export interface UnappliedOfPayment {
  readonly id: string
  /** Without what has left the buyer's balance. */
  readonly amountMinor: bigint
  readonly remainingMinor: bigint
  /** The part that the payment took when it was captured. */
  readonly takenMinor: bigint | null
}

/** Money that came for a payment and is not in it: too much, too little, too late. */
export interface UnappliedTotals {
  readonly receivedMinor: bigint
  /** The part kept as unapplied funds; the merchant refunded the rest, or applied it to another payment. */
  readonly heldMinor: bigint
}

/** Null where nothing arrived, or the payment took all of it in the end. */
export function unappliedOf(rows: readonly UnappliedOfPayment[]): UnappliedTotals | null {
  const funds = new Map(rows.map((row) => [row.id, row]))
  let receivedMinor = 0n
  let heldMinor = 0n
  for (const { amountMinor, remainingMinor } of funds.values()) {
    receivedMinor += amountMinor
    heldMinor += remainingMinor
  }
  for (const { takenMinor } of rows) receivedMinor -= takenMinor ?? 0n
  return receivedMinor > 0n ? { receivedMinor, heldMinor } : null
}
