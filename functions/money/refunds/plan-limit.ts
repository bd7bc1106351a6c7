import type { Settings } from '../../../src/env/settings.ts'
import type { SpendLimit } from '../bank-orders/api-pure.ts'

/**
 * How much an API key may refund to CLABEs that merchants choose. Money that goes back to where it came from is not
 * limited.
 */
export const spendLimitOf = (
  { refundLimitPerDayMinor }: Pick<Settings, 'refundLimitPerDayMinor'>,
  kid: string,
  currency: string,
  sums: SpendLimit['sums'],
): SpendLimit => ({ kid, kind: 'refunds', limitMinor: refundLimitPerDayMinor[currency] ?? 0n, sums })
