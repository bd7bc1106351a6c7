import type { OriginFacts } from '../../money/payments/api-pure.ts'

/** A checkout session, as its payments name it. */
export const session = {
  kind: 'checkout_session',
  publicIdPrefix: 'spcs',
  writeScopes: ['hosted_checkout:write'],
} as const satisfies OriginFacts
