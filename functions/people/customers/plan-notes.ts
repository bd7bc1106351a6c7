import { customerNotes } from '../../../drizzle/schema/customers.ts'
import { newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { change, insert } from '../../../src/kernel/plan.ts'
import { type Changing, planChange, refusalOf } from './plan.ts'
import { presentNote } from './present.ts'
import type { CustomerRow, NoteRow } from './store.ts'

export function planAddNote(customer: CustomerRow, { text }: { readonly text: string }, clock: Clock) {
  const closed = refusalOf(customer)
  if (closed) return closed
  const note: NoteRow = {
    ...newRow(clock),
    customerId: customer.id,
    status: 'active',
    text,
  }
  const writes = [insert(customerNotes, note)]
  return { ...noteChange(customer, note, { type: 'customer.note_added', writes }, clock), subjectId: note.id }
}

export function planUpdateNote(
  customer: CustomerRow,
  note: NoteRow,
  { text }: { readonly text: string },
  clock: Clock,
) {
  const closed = refusalOf(customer)
  if (closed) return closed
  const set = { text, updatedAt: clock.now }
  const after = { ...note, ...set }
  const writes = [change(customerNotes, note, set)]
  return noteChange(customer, after, { type: 'customer.note_updated', writes }, clock)
}

export function planDeleteNote(customer: CustomerRow, note: NoteRow, clock: Clock) {
  const closed = refusalOf(customer)
  if (closed) return closed
  const writes = [change(customerNotes, note, { status: 'deleted', text: '', updatedAt: clock.now })]
  const plan = noteChange(customer, note, { type: 'customer.note_deleted', writes }, clock)
  return { ...plan, reply: { id: note.id, object: 'customer_note' as const, deleted: true as const } }
}

/** Its event names the note, and never has its text. */
function noteChange(customer: CustomerRow, note: NoteRow, changing: Changing, clock: Clock) {
  const plan = planChange(customer, { ...changing, adds: { note_id: note.id } }, clock)
  return { ...plan, reply: presentNote(note) }
}
