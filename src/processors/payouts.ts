import type { payoutEntryKinds } from '../../drizzle/schema/payouts.ts'
import type { IsoDate } from '../kernel/bank-days.ts'
import type { BankFailure } from './port.ts'

/** A payout that a processor made of a merchant's own account, as the processor has it. */
export interface PayoutFacts {
  readonly payoutRef: string
  /** The account that was paid out, and its workspace: our ids. */
  readonly accountId: string
  readonly tenantId: string
  readonly state: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'
  /** Null unless it failed. */
  readonly failureCode: BankFailure | null
  /** Below zero where it took from the merchant's bank what the account owed. */
  readonly amountMinor: bigint
  readonly currency: string
  /** Null where the processor does not report it. */
  readonly destination: { readonly last4: string; readonly bankName: string | null } | null
  /** The bank's trace; null where it is not reported, or not yet. */
  readonly claveRastreo: string | null
  readonly arrivesOn: IsoDate
  /** Whether the processor has reported the entries of the payout; of some it never does. */
  readonly entries: 'reported' | 'awaited' | 'never'
}

/** One movement of the account's balance that a payout includes. */
export interface PayoutEntryFacts {
  readonly entryRef: string
  /** `other`: what no resource of ours stands for, a fee of the processor and the like. */
  readonly kind: (typeof payoutEntryKinds)[number]
  /** The processor's ids of what moved, each in a form that we may have stored; none for `other`. */
  readonly sourceRefs: readonly string[]
  /** The processor's own words for it. */
  readonly type: string
  readonly description: string | null
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly netMinor: bigint
  readonly currency: string
}

export interface PayoutEntriesPage {
  readonly entries: readonly PayoutEntryFacts[]
  /** What to go on behind; null: that was the last page. */
  readonly readOnFrom: string | null
}

/** Payouts that the processor makes by itself. */
export interface PayoutRail {
  /** Null: none, or not of a merchant's own account; `unknown`: the processor did not answer in time. */
  fetchPayout(payoutRef: string): Promise<PayoutFacts | null | 'unknown'>
  /** A page of what a payout is made of, behind an earlier one; null: from the start. */
  entriesOf(payoutRef: string, after: string | null): Promise<PayoutEntriesPage | 'unknown'>
}
