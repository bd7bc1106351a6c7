import { contract } from '../../../src/http/contract.ts'
import { Customer, exampleCustomer, ofCustomer, tagName } from './contract.ts'

export const erase = contract({
  ...ofCustomer,
  id: 'customers.erase',
  tag: tagName,
  access: { api_key: { scopes: ['customer_hub:write'] } },
  tables: ['customers'],
  method: 'POST',
  path: '/v1/customer-hub/customers/:id/erase',
  summary: 'Erase a customer',
  description:
    'Two steps, as the law on personal data (LFPDPPP) has it. The customer is blocked now, and at `erases_at`, 15 days later, the person’s data is deleted for good, with that of all customers that became part of it: fields, contacts, notes, and what events, webhook deliveries and stored replies hold of them. Kept are payments, refunds and disputes, and that consents were given and when. Until then unblocking takes the request back. With payments, refunds or disputes under way the request is refused; if some have come up by `erases_at`, it waits a day at a time.',
  idempotency: 'required',
  rate: 'write',
  versioned: true,
  reply: { status: 200, schema: Customer },
  errors: [
    'customer_not_found',
    'customer_merged',
    'customer_erased',
    'customer_erasure_requested',
    'customer_payments_open',
    'customer_disputes_open',
    'customer_refunds_open',
  ],
  example: {
    reply: { ...exampleCustomer, status: 'blocked', erases_at: '2026-06-28T12:00:00.000Z', version: 2 },
  },
})

/** The second step, when the wait has ended. */
export const erasure = { id: 'customers.erase_due', access: { system: {} }, tables: ['customers'] } as const
