import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { resource } from '../../../src/http/contract-resource.ts'
import { freeLines, timestamp, uuid } from '../../../src/http/schemas.ts'
import { ofCustomer, reading, tagName } from './contract.ts'

const text = freeLines(5000).trim().min(1).describe('What you note, in any number of lines.')

export const Note = z
  .strictObject({
    id: uuid,
    object: z.literal('customer_note'),
    customer_id: uuid.describe('Whom it is about.'),
    text,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CustomerNote' })

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000054',
  object: 'customer_note',
  customer_id: '0190a6d2-7c3e-7b1a-9f00-000000000051',
  text: 'Prefers deliveries after six.',
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const notes = resource({
  tag: tagName,
  path: '/v1/customer-hub/notes',
  within: { ...ofCustomer, path: '/v1/customer-hub/customers/:id/notes' },
  reads: reading.access,
  writes: { api_key: { scopes: ['customer_hub.notes:write'] } },
  tables: ['customers', 'customer_notes'],
  notFound: 'customer_note_not_found',
  schema: Note,
  example,
})
const errors = ['customer_merged', 'customer_erased'] as const

export const listNotes = notes.list({
  id: 'customers.list_notes',
  summary: 'List the notes about a customer',
})

export const addNote = notes.create({
  id: 'customers.add_note',
  summary: 'Add a note about a customer',
  description: 'Notes are the business’s own: no event and no other service gets their text.',
  body: z.strictObject({ text }),
  errors: ['customer_merged', 'customer_erased'],
  example: { text: example.text },
})

export const getNote = notes.get({ id: 'customers.get_note', summary: 'Get a note' })

export const updateNote = contract({
  ...notes.writing,
  ...notes.one,
  id: 'customers.update_note',
  tables: ['customers', 'customer_notes'],
  method: 'PATCH',
  summary: 'Change a note',
  description: 'Of several changes the last one counts.',
  idempotency: 'optional',
  body: z.strictObject({ text }),
  reply: { status: 200, schema: Note },
  errors: ['customer_note_not_found', ...errors],
  example: {
    body: { text: 'Prefers mornings.' },
    reply: { ...example, text: 'Prefers mornings.' },
  },
})

export const deleteNote = notes.remove('customer_note', {
  id: 'customers.delete_note',
  summary: 'Delete a note',
  description: 'Its text is gone.',
  errors,
})
