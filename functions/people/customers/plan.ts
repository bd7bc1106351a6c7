import { customerContacts, customers } from '../../../drizzle/schema/customers.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, named, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'
import { insert, type Refusal, refuse, type Write } from '../../../src/kernel/plan.ts'
import {
  applyFields,
  type FieldChanges,
  type FieldState,
  fieldState,
  noFields,
  type Saying,
  timeToChange,
} from './apply-fields.ts'
import type * as contracts from './contract.ts'
import { presentCustomer } from './present.ts'
import type { ContactRow, CustomerRow } from './store.ts'

export const contactsMax = 50

/** The source of what the business itself says through the interface. */
const api = 'api'

type Asked = BodyOf<typeof contracts.update>

/** What a body names of a customer, by the names of the row. */
export const fieldsOf = ({
  tax_profile: taxProfile,
  external_id: externalId,
  ...asked
}: Asked): FieldChanges => named({ ...asked, taxProfile, externalId })

/** A new customer as a source describes it, with its first contacts. */
export function planNewCustomer(fields: FieldChanges, saying: Saying, clock: Clock) {
  const row: CustomerRow = {
    ...applyFields(noFields, fields, saying),
    ...newRow(clock),
    status: 'active',
    mergedInto: null,
    eraseAt: null,
    erasure: null,
  }
  const contacts = missingContacts(row, [], clock)
  const plan = created(row, 'customer.created', clock)
  return contacts.length > 0
    ? { ...plan, writes: [...plan.writes, insert(customerContacts, ...contacts)] }
    : plan
}

/** What a new customer was not given is not set: it takes no value from another customer that becomes part of it. */
export const planCreate = (asked: Asked, clock: Clock) => {
  const fields = Object.entries(fieldsOf(asked)).filter(([, value]) => !isEmpty(value))
  return planNewCustomer(Object.fromEntries(fields), { source: api, at: clock.now }, clock)
}

const isEmpty = (value: unknown) =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** A customer as it was read, with the contacts that it has. */
export interface Known {
  readonly customer: CustomerRow
  readonly contacts: readonly ContactRow[]
}

/** What a source says about a customer with these contacts. Nothing is written of fields that another one set later. */
export function planFields(
  { customer, contacts }: Known,
  fields: FieldChanges,
  saying: Saying,
  clock: Clock,
) {
  const closed = refusalOf(customer)
  if (closed) return closed
  const after = applyFields(customer, fields, saying)
  const added = missingContacts(after, contacts, clock)
  if (contacts.length + added.length > contactsMax) return refuse('customer_contacts_too_many')
  if (added.length > 0 && customer.status === 'blocked') return refuse('customer_blocked')
  const writes = added.length > 0 ? [insert(customerContacts, ...added)] : []
  return planChange(customer, { type: 'customer.updated', set: fieldState(after), writes }, clock)
}

export const planUpdate = (known: Known, asked: Asked, clock: Clock) => {
  const fields = fieldsOf(asked)
  const at = timeToChange(known.customer, fields, clock.now)
  return planFields(known, fields, { source: api, at }, clock)
}

export const planBlock = (customer: CustomerRow, clock: Clock) =>
  customer.status === 'blocked'
    ? refuse('customer_blocked')
    : (refusalOf(customer) ??
      planChange(customer, { type: 'customer.blocked', set: { status: 'blocked' } }, clock))

export const planUnblock = (customer: CustomerRow, clock: Clock) =>
  customer.status === 'active'
    ? refuse('customer_not_blocked')
    : (refusalOf(customer) ??
      planChange(customer, { type: 'customer.unblocked', set: { status: 'active', eraseAt: null } }, clock))

/** What a request of the business itself sets. */
export const setByCaller = (customer: CustomerRow, fields: FieldChanges, now: Date): FieldState =>
  fieldState(applyFields(customer, fields, { source: api, at: timeToChange(customer, fields, now) }))

/** Why a customer takes no changes; null where it does. */
export const refusalOf = ({
  status,
  mergedInto,
  erasure,
}: CustomerRow): Refusal<'customer_merged' | 'customer_erased'> | null =>
  status === 'merged'
    ? refuse('customer_merged', { message: `This customer became part of ${mergedInto}.` })
    : status === 'erased' || erasure !== null
      ? refuse('customer_erased')
      : null

const { created, changed } = changesOf(customers, 'customer', presentCustomer)

export interface Changing {
  readonly type: Parameters<typeof changed>[2]
  readonly set?: Partial<Omit<CustomerRow, 'id' | 'version'>>
  readonly writes?: readonly Write[]
  /** What the event carries beside the customer. */
  readonly adds?: JsonObject
}

/**
 * A change of a customer or of what belongs to it. Each changes the customer's row, so that its events have one order,
 * and each event is about the customer, so that whatever holds a person's data is found by the customer's id.
 */
export function planChange(
  customer: CustomerRow,
  { type, set = {}, writes = [], adds = {} }: Changing,
  clock: Clock,
) {
  const plan = changed(customer, set, type, clock)
  const [told] = plan.events
  return {
    ...plan,
    writes: [...plan.writes, ...writes],
    events: [{ ...told!, object: { ...told!.object, ...adds } }],
  }
}

export const about = ({ id }: Pick<CustomerRow, 'id'>) => ({ type: 'customer', id })

/** Contacts for a customer's `email` and `phone` where it has no such ones. */
export const missingContacts = (
  customer: CustomerRow,
  contacts: readonly ContactRow[],
  clock: Clock,
): readonly ContactRow[] =>
  (['email', 'phone'] as const).flatMap((kind) => {
    const value = customer[kind]
    const isKnown = contacts.some((contact) => contact.kind === kind && contact.value === value)
    return value === null || isKnown ? [] : [newContact(customer, { kind, value, label: null }, clock)]
  })

export const newContact = (
  { id: customerId }: Pick<CustomerRow, 'id'>,
  fields: Pick<ContactRow, 'kind' | 'value' | 'label'> & { readonly verified?: boolean },
  clock: Clock,
): ContactRow => ({
  ...newRow(clock),
  customerId,
  kind: fields.kind,
  value: fields.value,
  mailbox: null,
  label: fields.label,
  status: 'active',
  verifiedAt: fields.verified ? clock.now : null,
})
