import type { Clock } from '../../../src/kernel/clock.ts'
import type { Journal } from '../../../src/kernel/plan.ts'
import { disputeFeeJournal } from '../../../src/ledger/journals.ts'
import type { DisputeFee } from '../payments/api-pure.ts'
import { counts } from './standing.ts'
import type { DisputeRow } from './store.ts'

type Fees = Pick<DisputeRow, 'feeMinor' | 'feeIvaMinor'>
type Before = Fees & Pick<DisputeRow, 'status'>

const none: Fees = { feeMinor: 0n, feeIvaMinor: 0n }

/**
 * What a dispute costs in a status. The bank takes its fee with the claim, whatever is left of the payment, and gives it
 * back to who wins; one that takes up a won dispute again takes it again. An inquiry costs nothing.
 * @param fee what the payment's schedule takes; absent: nothing
 */
export function feesIn(status: DisputeRow['status'], before: Before | null, fee?: DisputeFee): Fees {
  if (!counts(status)) return none
  if (before && counts(before.status)) return { feeMinor: before.feeMinor, feeIvaMinor: before.feeIvaMinor }
  return fee ? { feeMinor: fee.feeMinor, feeIvaMinor: fee.ivaMinor } : none
}

/** Books the fee that a move brought, or gave back: in the move's round, so once. */
export function journalsOfFee(before: Fees | null, after: DisputeRow, clock: Clock): Journal[] {
  const { feeMinor: was, feeIvaMinor: wasIva } = before ?? none
  if (was === after.feeMinor) return []
  return was === 0n
    ? [disputeFeeJournal('fee', after, { feeMinor: after.feeMinor, ivaMinor: after.feeIvaMinor }, clock)]
    : [disputeFeeJournal('fee_returned', after, { feeMinor: was, ivaMinor: wasIva }, clock)]
}
