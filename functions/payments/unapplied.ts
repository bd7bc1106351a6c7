import type { UnappliedOfPayment } from './store.ts'

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
