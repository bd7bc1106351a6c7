import type { OriginFacts } from '../../money/payments/api-pure.ts'

/** What sells in person, as its payments name it. */
export const inPerson = {
  kind: 'in_person_payment',
  publicIdPrefix: 'sinp',
  writeScopes: ['terminal:write', 'tap_to_pay:write'],
} as const satisfies OriginFacts
