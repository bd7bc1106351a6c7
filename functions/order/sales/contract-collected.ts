import { paged, uuid } from '../../../src/http/schemas.ts'
import { CollectedDetailsShown } from './collects.ts'

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
  created_at: '2026-06-13T12:00:00.000Z',
} as const

/** A list of what buyers of one sale gave: of a seller that many pay. */
export const collectedListed = paged(CollectedDetailsShown, example, {
  payment_id: uuid.optional().describe('Only what was given with this payment.'),
})
