import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { freeLines, paged, timestamp, uuid } from '../../../src/http/schemas.ts'
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

const writing = {
  tag: tagName,
  access: { api_key: { scopes: ['customer_hub.notes:write'] } },
  tables: ['customers', 'customer_notes'],
  rate: 'write',
} as const
const ofNote = { params: z.strictObject({ id: uuid }), notFound: 'customer_note_not_found' } as const
const errors = ['customer_note_not_found', 'customer_merged', 'customer_erased'] as const

export const listNotes = contract({
  ...reading,
  ...ofCustomer,
  id: 'customers.list_notes',
  path: '/v1/customer-hub/customers/:id/notes',
  summary: 'List the notes about a customer',
  ...paged(Note, example),
  errors: ['customer_not_found', 'cursor_invalid'],
})

export const addNote = contract({
  ...writing,
  ...ofCustomer,
  id: 'customers.add_note',
  method: 'POST',
  path: '/v1/customer-hub/customers/:id/notes',
  location: '/v1/customer-hub/notes/:id',
  summary: 'Add a note about a customer',
  description: 'Notes are the business’s own: no event and no other service gets their text.',
  idempotency: 'required',
  body: z.strictObject({ text }),
  reply: { status: 201, schema: Note },
  errors: ['customer_not_found', 'customer_merged', 'customer_erased'],
  example: { body: { text: example.text }, reply: example },
})

export const getNote = contract({
  ...reading,
  ...ofNote,
  id: 'customers.get_note',
  path: '/v1/customer-hub/notes/:id',
  summary: 'Get a note',
  reply: { status: 200, schema: Note },
  errors: ['customer_note_not_found'],
  example: { reply: example },
})

export const updateNote = contract({
  ...writing,
  ...ofNote,
  id: 'customers.update_note',
  method: 'PATCH',
  path: '/v1/customer-hub/notes/:id',
  summary: 'Change a note',
  description: 'Of several changes the last one counts.',
  idempotency: 'optional',
  body: z.strictObject({ text }),
  reply: { status: 200, schema: Note },
  errors,
  example: {
    body: { text: 'Prefers mornings.' },
    reply: { ...example, text: 'Prefers mornings.' },
  },
})

export const deleteNote = contract({
  ...writing,
  ...ofNote,
  id: 'customers.delete_note',
  method: 'DELETE',
  path: '/v1/customer-hub/notes/:id',
  summary: 'Delete a note',
  description: 'Its text is gone.',
  idempotency: 'none',
  reply: {
    status: 200,
    schema: z.strictObject({
      id: uuid,
      object: z.literal('customer_note'),
      deleted: z.literal(true).describe('Always true: it is deleted.'),
    }),
  },
  errors,
  example: { reply: { id: example.id, object: 'customer_note', deleted: true } },
})
