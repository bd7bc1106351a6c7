import type { OriginFacts } from '../../money/payments/api-pure.ts'

/** A bill, as its payments name it. */
export const tableSession = {
  kind: 'table_session',
  publicIdPrefix: 'sbill',
  writeScopes: ['table_pay:write'],
} as const satisfies OriginFacts
