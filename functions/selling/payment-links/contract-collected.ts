import { contract } from '../../../src/http/contract.ts'
import { paged, uuid } from '../../../src/http/schemas.ts'
import { CollectedDetailsShown } from '../../page/hosted-payment/api-pure.ts'
import { ofLink, reading } from './contract.ts'
import { exampleLink } from './contract-link.ts'

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000096',
  object: 'collected_details',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000005',
  collected: {
    name: null,
    email: 'ana@example.com',
    phone: '+525512345678',
    shipping: null,
    tax_data: null,
    custom_fields: [{ key: 'size', label: 'Talla', value: 'Mediana' }],
    consents: [],
  },
  created_at: exampleLink.created_at,
} as const

export const listCollected = contract({
  ...reading,
  ...ofLink,
  id: 'payment_links.list_collected',
  method: 'GET',
  path: '/v1/payment-links/:id/collected',
  summary: 'List what buyers of a payment link gave',
  description:
    'The answers to what the link `collects`, of each payment with its last attempt, whether that succeeded or not. Those of an erased customer are gone.',
  ...paged(CollectedDetailsShown, example, {
    payment_id: uuid.optional().describe('Only what was given with this payment.'),
  }),
  errors: ['payment_link_not_found', 'cursor_invalid'],
})
