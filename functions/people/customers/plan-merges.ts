import { customerMerges } from '../../../drizzle/schema/customer-merges.ts'
import { customerContacts, customers } from '../../../drizzle/schema/customers.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import { fieldState, fieldsOnly, joinFields } from './apply-fields.ts'
import { about, contactsMax, type Known, missingContacts, refusalOf } from './plan.ts'
import { presentCustomer } from './present.ts'
import type { ContactRow, CustomerRow, MergeRow } from './store.ts'

const undoableMs = 30 * 86_400_000

/** A customer becomes part of another one, which gets the later of both in each field, and its contacts and the rest. */
export function planMerge({ customer, contacts }: Known, into: Known, clock: Clock) {
  const survivor = into.customer
  if (customer.id === survivor.id) return refuse('customer_merge_into_itself', { param: 'into' })
  const ofSurvivor = closedOf(survivor)
  const closed = closedOf(customer) ?? (ofSurvivor && { ...ofSurvivor, param: 'into' })
  if (closed) return closed
  const isShared = (own: ContactRow) =>
    into.contacts.some(({ kind, value }) => kind === own.kind && value === own.value)
  if (into.contacts.length + contacts.filter((own) => !isShared(own)).length > contactsMax)
    return refuse('customer_contacts_too_many', { param: 'into' })

  const { now, newId } = clock
  const ownFields = survivor.ownFields ?? fieldsOnly(survivor)
  const after = { ...joinFields(survivor, customer), ownFields }
  const log: MergeRow = {
    id: newId(),
    customerId: customer.id,
    survivorId: survivor.id,
    status: 'merged',
    undoableUntil: new Date(now.getTime() + undoableMs),
    moved: { contacts: [], consents: [], notes: [], verified: [] },
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  // The log first: it locks both customers. Then the merged one, whose external_id the survivor may take.
  const merged = changed(customer, { status: 'merged', mergedInto: survivor.id }, clock)
  const kept = changed(survivor, fieldState(after), clock)
  return {
    writes: [insert(customerMerges, log), merged.write, kept.write] as readonly Write[],
    events: [
      event(newId(), 'customer.merged', about(customer), merged.shown, presentCustomer(customer)),
      event(newId(), 'customer.updated', about(survivor), kept.shown, presentCustomer(survivor)),
    ],
    reply: kept.shown,
    subjectId: customer.id,
  } satisfies Plan<unknown>
}

export interface Merged {
  readonly customer: CustomerRow
  /** The contacts that stayed with it. */
  readonly contacts: readonly ContactRow[]
  readonly merge: MergeRow
  readonly survivor: Known
  /** Everything that is part of the same survivor, with the contacts that stayed there. */
  readonly beside: readonly CustomerRow[]
  readonly contactsBeside: readonly ContactRow[]
}

/** A merged customer is one of its own again; its survivor has what the others and its own updates make. */
export function planUnmerge(
  { customer, contacts, merge, survivor: kept, beside, contactsBeside }: Merged,
  clock: Clock,
) {
  const survivor = kept.customer
  const closed = closedOf(survivor)
  if (closed?.refused === 'customer_merged')
    return refuse('customer_survivor_merged', { message: closed.message! })
  if (closed) return closed
  if (clock.now > merge.undoableUntil) return refuse('customer_unmerge_too_late')
  const { now, newId } = clock
  const others = beside.filter(({ id }) => id !== customer.id)
  const ownFields = survivor.ownFields ?? fieldsOnly(survivor)
  const own: CustomerRow = { ...survivor, ...ownFields }
  const after = {
    ...others.reduce<CustomerRow>(joinFields, joinFields(own, ownFields)),
    ownFields: others.length > 0 ? ownFields : null,
  }
  const goesBack = ({ id }: ContactRow) => merge.moved.contacts.includes(id)
  const added = [
    ...missingContacts(
      after,
      // Where the survivor's own one goes back, one of a later merge takes its place.
      [
        ...kept.contacts.filter((contact) => !goesBack(contact)),
        ...contactsBeside.filter(({ customerId }) => customerId !== customer.id),
      ],
      clock,
    ),
    ...missingContacts(customer, [...contacts, ...kept.contacts.filter(goesBack)], clock),
  ]
  const left = changed(survivor, fieldState(after), clock)
  const again = changed(customer, { status: 'active', mergedInto: null }, clock)
  return {
    writes: [
      change(customerMerges, merge, { status: 'undone', updatedAt: now }),
      left.write,
      again.write,
      ...(added.length > 0 ? [insert(customerContacts, ...added)] : []),
    ] as readonly Write[],
    events: [
      event(newId(), 'customer.unmerged', about(customer), again.shown, presentCustomer(customer)),
      event(newId(), 'customer.updated', about(survivor), left.shown, presentCustomer(survivor)),
    ],
    reply: again.shown,
    subjectId: customer.id,
  } satisfies Plan<unknown>
}

/** A blocked one is not merged: its block would be lost, or spread. */
const closedOf = (customer: CustomerRow) =>
  refusalOf(customer) ?? (customer.status === 'blocked' ? refuse('customer_blocked') : null)

function changed(customer: CustomerRow, set: Partial<Omit<CustomerRow, 'id' | 'version'>>, { now }: Clock) {
  const write = change(customers, customer, { ...set, updatedAt: now })
  return {
    write,
    shown: presentCustomer({ ...customer, ...set, version: customer.version + 1, updatedAt: now }),
  }
}
