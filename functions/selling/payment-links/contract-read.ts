import * as z from 'zod'
import { paymentLinks } from '../../../drizzle/schema/payment-links.ts'
import { contract } from '../../../src/http/contract.ts'
import { freeText, metadataFilter, paged, publicIdOf, publicRef, uuid } from '../../../src/http/schemas.ts'
import { exampleLink, PaymentLink } from './contract-link.ts'

export const reading = {
  tag: 'Payment links',
  access: { api_key: { scopes: ['payment_links:read'] } },
  tables: [],
  rate: 'read',
  idempotency: 'none',
} as const
export const ofLink = {
  params: z.strictObject({ id: publicRef('splink', 'a payment link') }),
  notFound: 'payment_link_not_found',
} as const

export const list = contract({
  ...reading,
  id: 'payment_links.list',
  method: 'GET',
  path: '/v1/payment-links',
  summary: 'List payment links',
  ...paged(PaymentLink, exampleLink, {
    status: z.enum(paymentLinks.status.enumValues).optional(),
    client_reference_id: freeText(200).optional().describe('Only links with this `client_reference_id`.'),
    customer_id: uuid.optional().describe('Only links for this customer.'),
    metadata: metadataFilter,
    public_id: publicIdOf('splink').optional().describe('Only the link with this `public_id`.'),
  }),
})

export const get = contract({
  ...reading,
  ...ofLink,
  id: 'payment_links.get',
  versioned: true,
  showsLive: true,
  method: 'GET',
  path: '/v1/payment-links/:id',
  summary: 'Get a payment link',
  reply: { status: 200, schema: PaymentLink },
  errors: ['payment_link_not_found'],
  example: { reply: exampleLink },
})
