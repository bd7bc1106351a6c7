import type { OriginFacts } from '../../money/payments/api-pure.ts'

/** An order at a register, as its payments name it. */
export const registerOrder = {
  kind: 'register_order',
  publicIdPrefix: 'sorder',
  writeScopes: ['physical_checkout:write'],
} as const satisfies OriginFacts
