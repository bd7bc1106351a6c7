import type { Journal } from '../kernel/plan.ts'

/**
 * The chart of accounts of one merchant, per currency. Amounts are seen from the merchant: what is owed to it and what
 * it paid for is positive; `processor_clearing` is where the money comes from and mirrors the rest.
 */
export type AccountCode =
  | 'processor_clearing'
  | 'merchant_pending'
  | 'merchant_available'
  | 'fee_expense'
  | 'iva_on_fees'

interface About {
  readonly journalId: string
  readonly paymentId: string
  readonly currency: string
  readonly now: Date
}

interface CapturedAmounts {
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly ivaMinor: bigint
}

/** Money was captured: the net is pending, fee and IVA are spent, the gross is with the processor. */
export function captureJournal(about: About, { grossMinor, feeMinor, ivaMinor }: CapturedAmounts): Journal {
  return journal(about, 'capture', [
    ['merchant_pending', grossMinor - feeMinor - ivaMinor],
    ['fee_expense', feeMinor],
    ['iva_on_fees', ivaMinor],
    ['processor_clearing', -grossMinor],
  ])
}

/** The bank days have passed: what was pending is available. */
export function releaseJournal(about: About, netMinor: bigint): Journal {
  return journal(about, 'release', [
    ['merchant_pending', -netMinor],
    ['merchant_available', netMinor],
  ])
}

function journal(
  about: About,
  entryKind: string,
  lines: readonly (readonly [AccountCode, bigint])[],
): Journal {
  return {
    id: about.journalId,
    sourceType: 'payment',
    sourceId: about.paymentId,
    entryKind,
    currency: about.currency,
    createdAt: about.now,
    postings: lines
      .filter(([, amountMinor]) => amountMinor !== 0n)
      .map(([account, amountMinor]) => ({ account, amountMinor })),
  }
}
