import * as z from 'zod'
import { freeText, metadataFilter } from '../../src/http/schemas.ts'

/** A payment link by its id or by the last part of its address. */
export const linkRef = z
  .string()
  .toLowerCase()
  .regex(
    /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|splink_[a-z0-9]{32})$/,
    'must be the id or the public_id of a payment link',
  )

/** Filters by which a caller finds a payment. */
export const finding = {
  payment_link_id: linkRef
    .optional()
    .describe('Only payments of this payment link: its `id` or `public_id`.'),
  client_reference_id: freeText(200).optional().describe('Only payments with this `client_reference_id`.'),
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
    .describe('Only payments by SPEI to this CLABE, which is lent to one after the other.'),
}
