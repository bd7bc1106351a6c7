import type { ledgerAccounts } from '../../drizzle/schema/ledger.ts'
import type { Journal } from '../kernel/plan.ts'

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

/** What a journal is about. A source has at most one journal of each kind and, where it begins again, round. */
export interface About {
  readonly journalId: string
  readonly sourceId: string
  readonly round?: number
  readonly currency: string
  readonly now: Date
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
export function captureJournal(
  about: About,
  { grossMinor, feeMinor, ivaMinor }: CapturedAmounts,
  from: 'processor_clearing' | 'unapplied_funds' = 'processor_clearing',
): Journal {
  return journal('payment', about, 'capture', [
    ['merchant_pending', grossMinor - feeMinor - ivaMinor],
    ['fee_expense', feeMinor],
    ['iva_on_fees', ivaMinor],
    [from, -grossMinor],
  ])
}

/** The bank days have passed: what was pending becomes available, except the reserve. */
export const releaseJournal = (about: About, netMinor: bigint, reserveMinor: bigint): Journal =>
  journal('payment', about, 'release', [
    ['merchant_pending', -netMinor],
    ['merchant_available', netMinor - reserveMinor],
    ['merchant_reserve', reserveMinor],
  ])

/** The reserve period has ended. */
export const reserveReleaseJournal = (about: About, reserveMinor: bigint): Journal =>
  journal(
    'payment',
    about,
    'reserve_release',
    between('merchant_reserve', 'merchant_available', reserveMinor),
  )

/** Money came in that belongs to no captured payment (yet). */
export const depositJournal = (
  source: 'spei_deposit' | 'voucher',
  about: About,
  amountMinor: bigint,
): Journal => journal(source, about, 'deposit', between('processor_clearing', 'unapplied_funds', amountMinor))

/** Money is on its way back to a buyer. */
export const refundJournal = (
  about: About,
  amountMinor: bigint,
  from: 'merchant_available' | 'unapplied_funds',
): Journal => journal('refund', about, 'refund', between(from, 'refunds_in_flight', amountMinor))

/** The buyer has the money. */
export const refundPaidJournal = (about: About, amountMinor: bigint): Journal =>
  journal('refund', about, 'refund_paid', between('refunds_in_flight', 'processor_clearing', amountMinor))

/** The refund failed or was canceled: the money is back where it was taken from. */
export const refundReversedJournal = (
  about: About,
  amountMinor: bigint,
  to: 'merchant_available' | 'unapplied_funds',
): Journal => journal('refund', about, 'refund_reversed', between('refunds_in_flight', to, amountMinor))

/** The bank sent back what a refund had paid to the buyer. */
export const refundReturnedJournal = (
  about: About,
  amountMinor: bigint,
  to: 'merchant_available' | 'unapplied_funds',
): Journal => journal('refund', about, 'refund_returned', between('processor_clearing', to, amountMinor))

/** A bank claims money back, or claims it once more: held until it is decided. */
export const disputeHoldJournal = (about: About, heldMinor: bigint): Journal =>
  journal('dispute', about, 'hold', between('merchant_available', 'dispute_hold', heldMinor))

/** The merchant won: released. */
export const disputeReleaseJournal = (about: About, heldMinor: bigint): Journal =>
  journal('dispute', about, 'release', between('dispute_hold', 'merchant_available', heldMinor))

/**
 * The merchant lost: the money is gone. What is lost may be more than was held, when a refund that was on its way at
 * the time has failed since.
 */
export const disputeLostJournal = (about: About, heldMinor: bigint, lostMinor: bigint): Journal =>
  journal('dispute', about, 'lost', [
    ['dispute_hold', -heldMinor],
    ['merchant_available', heldMinor - lostMinor],
    ['processor_clearing', lostMinor],
  ])

/**
 * Part of what was held or lost went back to the buyer by a refund: the merchant must not pay it twice. Each time has a
 * round of its own.
 */
export const disputeHoldDecreasedJournal = (
  about: About,
  byMinor: bigint,
  from: 'dispute_hold' | 'processor_clearing',
): Journal => journal('dispute', about, 'reduced', between(from, 'merchant_available', byMinor))

/** The bank looks again at what was lost: held until it is decided once more. */
export const disputeReopenedJournal = (about: About, lostMinor: bigint): Journal =>
  journal('dispute', about, 'reopened', between('processor_clearing', 'dispute_hold', lostMinor))

/** The bank decided for the merchant after all: what was lost comes back. */
export const disputeOverturnedJournal = (about: About, lostMinor: bigint): Journal =>
  journal('dispute', about, 'overturned', between('processor_clearing', 'merchant_available', lostMinor))

/** A merchant sends money away. The database refuses what the available balance does not cover. */
export const transferJournal = (about: About, amountMinor: bigint): Journal =>
  journal('transfer', about, 'transfer', between('merchant_available', 'transfers_in_flight', amountMinor))

export const transferPaidJournal = (about: About, amountMinor: bigint): Journal =>
  journal(
    'transfer',
    about,
    'transfer_paid',
    between('transfers_in_flight', 'processor_clearing', amountMinor),
  )

/** The transfer failed or was canceled before it was paid. */
export const transferReversedJournal = (about: About, amountMinor: bigint): Journal =>
  journal(
    'transfer',
    about,
    'transfer_reversed',
    between('transfers_in_flight', 'merchant_available', amountMinor),
  )

/** The bank sent a paid transfer back. */
export const transferReturnedJournal = (about: About, amountMinor: bigint): Journal =>
  journal(
    'transfer',
    about,
    'transfer_returned',
    between('processor_clearing', 'merchant_available', amountMinor),
  )

/** Another tenant's transfer arrived. */
export const incomingTransferJournal = (about: About, amountMinor: bigint): Journal =>
  journal(
    'incoming_transfer',
    about,
    'incoming',
    between('processor_clearing', 'merchant_available', amountMinor),
  )

/** Money leaves for the merchant's bank. The database refuses what the available balance does not cover. */
export const payoutJournal = (about: About, amountMinor: bigint): Journal =>
  journal('payout', about, 'payout', between('merchant_available', 'payouts_in_flight', amountMinor))

export const payoutPaidJournal = (about: About, amountMinor: bigint): Journal =>
  journal('payout', about, 'payout_paid', between('payouts_in_flight', 'processor_clearing', amountMinor))

/** The payout failed or was canceled before it was paid. */
export const payoutReversedJournal = (about: About, amountMinor: bigint): Journal =>
  journal('payout', about, 'payout_reversed', between('payouts_in_flight', 'merchant_available', amountMinor))

/** The bank sent a paid payout back. */
export const payoutReturnedJournal = (about: About, amountMinor: bigint): Journal =>
  journal(
    'payout',
    about,
    'payout_returned',
    between('processor_clearing', 'merchant_available', amountMinor),
  )

type Line = readonly [AccountCode, bigint]

const between = (from: AccountCode, to: AccountCode, amountMinor: bigint): readonly Line[] => [
  [from, -amountMinor],
  [to, amountMinor],
]

function journal(sourceType: SourceType, about: About, entryKind: string, lines: readonly Line[]): Journal {
  return {
    id: about.journalId,
    sourceType,
    sourceId: about.sourceId,
    entryKind,
    ...(about.round === undefined ? {} : { round: about.round }),
    currency: about.currency,
    createdAt: about.now,
    postings: lines
      .filter(([, amountMinor]) => amountMinor !== 0n)
      .map(([account, amountMinor]) => ({ account, amountMinor })),
  }
}
