import * as z from 'zod'
import { emailAddress, folioFilter, freeText, metadataFilter, publicRef } from '../../../src/http/schemas.ts'
import type { OriginFacts } from './payment-origin.ts'

/** `payment link`, as the interface names an origin's kind. */
export const nounOf = ({ kind }: OriginFacts): string => kind.replaceAll('_', ' ')

/** A filter for each origin: `payment_link_id`. */
const ofOrigins = (origins: readonly OriginFacts[]): Readonly<Record<never, z.ZodType>> =>
  Object.fromEntries(
    origins.map((origin) => [
      filterOf(origin),
      publicRef(origin.publicIdPrefix, `a ${nounOf(origin)}`)
        .optional()
        .describe(`Only payments of this ${nounOf(origin)}: its \`id\` or \`public_id\`.`),
    ]),
  )

export const filterOf = ({ kind }: OriginFacts): string => `${kind}_id`

/** Filters by which a caller finds a payment. */
export const finding = (origins: readonly OriginFacts[]) => ({
  ...ofOrigins(origins),
  client_reference_id: freeText(200).optional().describe('Only payments with this `client_reference_id`.'),
  email: emailAddress
    .optional()
    .describe(
      'Only payments whose buyer gave this e-mail address with the last attempt: `collected.email` of what was sold.',
    ),
  folio: folioFilter('payments'),
  metadata: metadataFilter,
  last4: z
    .string()
    .regex(/^\d{4}$/, 'must be four digits')
    .optional()
    .describe('Only payments by a card that ends in these four digits.'),
  reference: z
    .string()
    .regex(/^\d{8,40}$/, 'must be the number of a voucher')
    .optional()
    .describe('Only the payment by the OXXO voucher of this number: the last one that it was to be paid by.'),
  clabe: z
    .string()
    .regex(/^\d{18}$/, 'must be 18 digits')
    .optional()
    .describe('Only payments by SPEI to this CLABE, which is lent to one payment at a time.'),
})
