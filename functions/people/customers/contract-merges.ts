import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { uuid } from '../../../src/http/schemas.ts'
import { Customer, exampleCustomer, ofCustomer, tagName } from './contract.ts'

const writing = {
  ...ofCustomer,
  tag: tagName,
  access: { api_key: { scopes: ['customer_hub:write'] } },
  tables: ['customers', 'customer_contacts', 'customer_merges'],
  method: 'POST',
  idempotency: 'required',
  rate: 'write',
  reply: { status: 200, schema: Customer },
} as const

export const exampleInto = '0190a6d2-7c3e-7b1a-9f00-000000000055'

export const merge = contract({
  ...writing,
  id: 'customers.merge',
  path: '/v1/customer-hub/customers/:id/merge',
  summary: 'Merge a customer into another one',
  description:
    'The customer in the path becomes part of `into`, which is the answer, and its id answers as `into` after the merge. Each field is of who set it last; contacts, consents and notes move, except those that `into` has already. A consent that one of them withdrew after the other gave it is withdrawn for both. Payments and events stay as they are. Can be undone for 30 days. A blocked customer is not merged.',
  body: z.strictObject({ into: uuid.describe('The customer that stays.') }),
  errors: [
    'customer_not_found',
    'customer_merge_into_itself',
    'customer_merged',
    'customer_erased',
    'customer_blocked',
    'customer_contacts_too_many',
    'customer_external_id_taken',
  ],
  example: { body: { into: exampleInto }, reply: { ...exampleCustomer, id: exampleInto, version: 2 } },
})

export const unmerge = contract({
  ...writing,
  id: 'customers.unmerge',
  path: '/v1/customer-hub/customers/:id/unmerge',
  summary: 'Undo a merge',
  description:
    'The merged customer is one of its own again and is the answer, within 30 days. Each gets back the fields that it had, with what was set of the survivor since staying with the survivor. Contacts, consents and notes that came from the merged customer return as they are now, with the consents that were given for these contacts since. A consent that was withdrawn in between is withdrawn for both. Of several merges in a row the last one is undone first.',
  errors: [
    'customer_not_found',
    'customer_not_merged',
    'customer_survivor_merged',
    'customer_unmerge_too_late',
    'customer_erased',
    'customer_blocked',
    'customer_external_id_taken',
  ],
  example: { reply: { ...exampleCustomer, version: 3 } },
})
