import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { exampleCustomer, ofCustomer, reading, tagName } from './contract.ts'

const file = { status: 200, schema: z.custom<ReadableStream<Uint8Array>>() } as const

/** It reads, and leaves an entry in the audit trail each time: so it takes no Idempotency-Key, and no reply is stored. */
export const exportPerson = contract({
  ...ofCustomer,
  id: 'customers.export',
  tag: tagName,
  // Who may erase a person may hand out what is to be erased: it shows more than the customers do.
  access: { api_key: { scopes: ['customer_hub:write'] } },
  tables: [],
  method: 'POST',
  path: '/v1/customer-hub/customers/:id/export',
  summary: 'Export what is held about a customer',
  description:
    'The right of access of the law on personal data (LFPDPPP): one JSON document with everything that is held about the person, also of customers that became part of this one. Each list has the public names of its rows, oldest first: the customer, contacts, consents, notes, payments, what was given at checkouts, events and so on. Nothing of other people is in it, no digest and no value that is shown once. An export is an entry of the audit trail; the document itself is stored nowhere.',
  idempotency: 'none',
  rate: 'write',
  reply: file,
  download: { type: 'application/json', name: 'customer.json' },
  errors: ['customer_not_found', 'customer_erased'],
  example: {
    reply: JSON.stringify({
      object: 'customer_export',
      customer_id: exampleCustomer.id,
      created_at: '2026-06-13T12:00:00.000Z',
      customers: [{ id: exampleCustomer.id, name: exampleCustomer.name, email: exampleCustomer.email }],
      notes: [],
    }),
  },
})

export const csvFile = {
  reply: file,
  download: { type: 'text/csv; charset=utf-8', name: 'customers.csv' },
} as const

export const exampleCsv = `id,name,email\r\n${exampleCustomer.id},Ana Torres,ana@example.com\r\n`

export const asCsv = (which: string) =>
  `A CSV file in UTF-8, newest first, ${which}, with columns that an import of a sync source recognizes: \`id\` is taken for the id at the source. Of several addresses it has the first; metadata and your own \`external_id\` are left out. Tags stand between bars. A cell that a spreadsheet would compute has a quote before it, which an import takes away.`

export const customersFile = contract({
  ...reading,
  id: 'customers.list_as_csv',
  path: '/v1/customer-hub/customers.csv',
  summary: 'Get your customers as a file',
  description: asCsv('without merged and erased customers'),
  ...csvFile,
  errors: [],
  example: { reply: exampleCsv },
})
