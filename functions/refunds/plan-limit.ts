import type { Settings } from '../../src/env.ts'
import type { Allowance } from '../bank-orders/published-pure.ts'

/**
 * How much an API key may refund to CLABEs that merchants choose. Money that goes back to where it came from is not
 * limited.
 */
export const allowanceOf = (
  { refundLimitPerDayMinor }: Pick<Settings, 'refundLimitPerDayMinor'>,
  kid: string,
  currency: string,
  sums: Allowance['sums'],
): Allowance => ({ kid, kind: 'refunds', limitMinor: refundLimitPerDayMinor[currency] ?? 0n, sums })
