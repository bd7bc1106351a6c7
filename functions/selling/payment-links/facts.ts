import type { OriginFacts } from '../../money/payments/api-pure.ts'

/** A payment link, as its payments name it. */
export const link = {
  kind: 'payment_link',
  publicIdPrefix: 'splink',
  writeScopes: ['payment_links:write'],
} as const satisfies OriginFacts
