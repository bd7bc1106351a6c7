import type { Settings } from '../../src/env.ts'
import type { Allowance } from '../bank-orders/published-pure.ts'

/** What a key may refund to CLABEs of merchants' choice. Where money goes back to where it came from, nobody asks. */
export const allowanceOf = (
  { refundLimitPerDayMinor }: Pick<Settings, 'refundLimitPerDayMinor'>,
  kid: string,
  currency: string,
  sums: Allowance['sums'],
): Allowance => ({ kid, kind: 'refunds', limitMinor: refundLimitPerDayMinor[currency] ?? 0n, sums })
