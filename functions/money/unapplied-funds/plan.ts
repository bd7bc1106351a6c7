import type { Clock } from '../../../src/kernel/clock.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { isRefusal, type Refusal, refuse } from '../../../src/kernel/plan.ts'
import type { SpendLimit } from '../bank-orders/api-pure.ts'
import { planFundsRefund, type Recorded } from '../refunds/api-pure.ts'
import type { FundsRow } from './store.ts'

interface Request {
  readonly destination: { readonly clabe: string; readonly holder: string }
  readonly amount?: string | undefined
  readonly metadata: Readonly<Record<string, Json>>
}

/** The requested part of the funds, or all that is left. */
export function partOf(
  funds: FundsRow,
  amount: string | undefined,
): bigint | Refusal<'unapplied_funds_settled' | 'unapplied_funds_exceeded'> {
  if (funds.remainingMinor === 0n) return refuse('unapplied_funds_settled')
  const amountMinor = amount === undefined ? funds.remainingMinor : BigInt(amount)
  return amountMinor > funds.remainingMinor
    ? refuse('unapplied_funds_exceeded', { param: 'amount' })
    : amountMinor
}

/**
 * Sends money back by a transfer of its own, from the amount set apart here. The CLABE that it came from needs no
 * approval; any other, named by the merchant, counts towards the key's daily limit.
 */
export function planReturn(
  funds: FundsRow,
  { destination, amount, metadata }: Request,
  senderClabe: string | null,
  processor: string,
  spendLimit: SpendLimit,
  clock: Clock,
): Recorded | Refusal<'unapplied_funds_settled' | 'unapplied_funds_exceeded'> {
  const part = partOf(funds, amount)
  if (typeof part === 'object' && isRefusal(part)) return part
  return planFundsRefund(
    { funds, amountMinor: part as bigint },
    { reason: 'requested_by_customer', destination, metadata },
    processor,
    destination.clabe === senderClabe ? null : spendLimit,
    clock,
  )
}
