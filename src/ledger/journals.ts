import type { ledgerAccounts } from '../../drizzle/schema/ledger.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Journal } from '../kernel/plan.ts'
import type { EntryKind } from './entry-kinds.ts'

export type AccountCode = (typeof ledgerAccounts.code.enumValues)[number]

export type SourceType =
  | 'payment'
  | 'spei_deposit'
  | 'voucher'
  | 'refund'
  | 'dispute'
  | 'transfer'
  | 'incoming_transfer'
  | 'payout'
  | 'buyer_balance_movement'

/** The row that a journal is about: it has at most one journal of each kind and, where it begins again, round. */
interface Source {
  readonly id: string
  readonly currency: string
  readonly round?: number
}

const taken = ['merchant_available', 'unapplied_funds'] as const

/** The journals that move one amount: by source and entry kind, from and to. From a list, the caller names the account. */
export const movements = {
  /** The reserve period has ended. */
  'payment.reserve_release': ['merchant_reserve', 'merchant_available'],
  /** Money came in that belongs to no captured payment (yet). */
  'spei_deposit.deposit': ['processor_clearing', 'unapplied_funds'],
  'voucher.deposit': ['processor_clearing', 'unapplied_funds'],
  /** Money is on its way back to a buyer, who then has it. */
  'refund.refund': [taken, 'refunds_in_flight'],
  'refund.refund_paid': ['refunds_in_flight', 'processor_clearing'],
  /** The refund failed or was canceled: the money is back where it was taken from. */
  'refund.refund_reversed': ['refunds_in_flight', taken],
  /** The bank sent back what a refund had paid to the buyer. */
  'refund.refund_returned': ['processor_clearing', taken],
  /** A bank claims money back, or claims it once more: held until it is decided. */
  'dispute.hold': ['merchant_available', 'dispute_hold'],
  /** The merchant won: released. */
  'dispute.release': ['dispute_hold', 'merchant_available'],
  /**
   * Part of what was held or lost went back to the buyer by a refund: the merchant must not pay it twice. Each time has
   * a round of its own.
   */
  'dispute.reduced': [['dispute_hold', 'processor_clearing'], 'merchant_available'],
  /** The bank looks again at what was lost: held until it is decided once more. */
  'dispute.reopened': ['processor_clearing', 'dispute_hold'],
  /** The bank decided for the merchant after all: what was lost comes back. */
  'dispute.overturned': ['processor_clearing', 'merchant_available'],
  /** A merchant sends money away. The database refuses what the available balance does not cover. */
  'transfer.transfer': ['merchant_available', 'transfers_in_flight'],
  'transfer.transfer_paid': ['transfers_in_flight', 'processor_clearing'],
  /** The transfer failed or was canceled before it was paid. */
  'transfer.transfer_reversed': ['transfers_in_flight', 'merchant_available'],
  /** The bank sent a paid transfer back. */
  'transfer.transfer_returned': ['processor_clearing', 'merchant_available'],
  /** Another tenant's transfer arrived. */
  'incoming_transfer.incoming': ['processor_clearing', 'merchant_available'],
  /** Money leaves for the merchant's bank; then as with transfers. */
  'payout.payout': ['merchant_available', 'payouts_in_flight'],
  'payout.payout_paid': ['payouts_in_flight', 'processor_clearing'],
  'payout.payout_reversed': ['payouts_in_flight', 'merchant_available'],
  'payout.payout_returned': ['processor_clearing', 'merchant_available'],
} as const satisfies Readonly<Partial<Record<Kind, readonly [Side, Side]>>>

type Kind = `${SourceType}.${EntryKind}`
type Side = AccountCode | readonly AccountCode[]
type Movement = keyof typeof movements
/** The account that a movement leaves open. */
type Open<M extends Movement> = Exclude<(typeof movements)[M][number], AccountCode>[number]

export function movementJournal<M extends Movement>(
  movement: M,
  source: Source,
  amountMinor: bigint,
  clock: Clock,
  ...open: [Open<M>] extends [never] ? [] : [Open<M>]
): Journal {
  const [from, to]: readonly [Side, Side] = movements[movement]
  const accountOf = (side: Side) => (typeof side === 'string' ? side : (open as readonly AccountCode[])[0]!)
  return journal(movement, source, clock, [
    [accountOf(from), -amountMinor],
    [accountOf(to), amountMinor],
  ])
}

interface CapturedAmounts {
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly ivaMinor: bigint
}

/**
 * Money was captured: the net is pending, fee and IVA are spent. The gross comes from the processor, or from
 * `unapplied_funds` where it arrived before, in deposits that waited for the rest.
 */
export const captureJournal = (
  payment: Source,
  { grossMinor, feeMinor, ivaMinor }: CapturedAmounts,
  clock: Clock,
  from: 'processor_clearing' | 'unapplied_funds' = 'processor_clearing',
): Journal =>
  journal('payment.capture', payment, clock, [
    ['merchant_pending', grossMinor - feeMinor - ivaMinor],
    ['fee_expense', feeMinor],
    ['iva_on_fees', ivaMinor],
    [from, -grossMinor],
  ])

/** The bank days have passed: what was pending becomes available, except the reserve. */
export const releaseJournal = (
  payment: Source & { readonly netMinor: bigint; readonly reserveMinor: bigint },
  clock: Clock,
): Journal =>
  journal('payment.release', payment, clock, [
    ['merchant_pending', -payment.netMinor],
    ['merchant_available', payment.netMinor - payment.reserveMinor],
    ['merchant_reserve', payment.reserveMinor],
  ])

/**
 * The merchant lost: the money is gone. What is lost may be more than was held, when a refund that was on its way at
 * the time has failed since.
 */
export const disputeLostJournal = (
  dispute: Source,
  heldMinor: bigint,
  lostMinor: bigint,
  clock: Clock,
): Journal =>
  journal('dispute.lost', dispute, clock, [
    ['dispute_hold', -heldMinor],
    ['merchant_available', heldMinor - lostMinor],
    ['processor_clearing', lostMinor],
  ])

/**
 * What a dispute costs is spent; `fee_returned`: the merchant won, and has it back. Apart from what is held or lost, which
 * may be nothing.
 */
export function disputeFeeJournal(
  kind: 'fee' | 'fee_returned',
  dispute: Source,
  { feeMinor, ivaMinor }: { readonly feeMinor: bigint; readonly ivaMinor: bigint },
  clock: Clock,
): Journal {
  const sign = kind === 'fee' ? 1n : -1n
  return journal(`dispute.${kind}`, dispute, clock, [
    ['merchant_available', -sign * (feeMinor + ivaMinor)],
    ['fee_expense', sign * feeMinor],
    ['iva_on_fees', sign * ivaMinor],
  ])
}

/**
 * Money moved in the balance that a processor keeps for a buyer. `unappliedMinor` and `overdraftMinor`: what it added to
 * what the books keep for the buyer, and to what the balance is below zero. The rest was outside, or the merchant's.
 */
export const buyerBalanceJournal = (
  { kind, ...source }: Source & { readonly kind: EntryKind },
  { unappliedMinor, overdraftMinor }: { readonly unappliedMinor: bigint; readonly overdraftMinor: bigint },
  other: 'processor_clearing' | 'merchant_available',
  clock: Clock,
): Journal =>
  journal(`buyer_balance_movement.${kind}`, source, clock, [
    ['unapplied_funds', unappliedMinor],
    ['buyer_overdrafts', overdraftMinor],
    [other, -unappliedMinor - overdraftMinor],
  ])

function journal(
  kind: Kind,
  { id, currency, round }: Source,
  { now, newId }: Clock,
  lines: readonly (readonly [AccountCode, bigint])[],
): Journal {
  const [sourceType, entryKind] = kind.split('.') as [SourceType, string]
  return {
    id: newId(),
    sourceType,
    sourceId: id,
    entryKind,
    ...(round === undefined ? {} : { round }),
    currency,
    createdAt: now,
    postings: lines
      .filter(([, amountMinor]) => amountMinor !== 0n)
      .map(([account, amountMinor]) => ({ account, amountMinor })),
  }
}
